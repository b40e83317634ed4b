// The feed of a utility. What it could carry is not known.
#pragma once

#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct UtilityFeed {
  static constexpr std::string_view kind = "feed", noun = "utility feed", plural = "utility feeds";
  static constexpr std::string_view doc = "The feed of a utility.";
  struct Params {};

  static constexpr bool is_standby = false;
  static constexpr auto events = switch_events;
  static constexpr Box box = not_drawn;
};

static_assert(SourceKind<UtilityFeed>);

}  // namespace wattloop::electrical
