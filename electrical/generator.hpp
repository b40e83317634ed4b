// Standby generator: rating and times. Its dynamics are not modelled yet: it is live a start time after loss of its feed.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Generator {
  static constexpr std::string_view kind = "generator", noun = "generator", plural = "generators";
  static constexpr std::string_view doc = "A diesel generator set.";
  struct Params {
    double rated_w = required;
    double start_time_s = 10.0;
    double retransfer_delay_s = 60.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Electric power that one set carries in standby."},
          Field<P>{&P::start_time_s, "start_time", "s", Range::non_negative,
                   "Time from loss of the feed to taking the load."},
          Field<P>{&P::retransfer_delay_s, "retransfer_delay", "s", Range::non_negative,
                   "Time for which the feed must be back before the load returns to it."},
      };
    }
  };

  static constexpr bool is_standby = true;
  static constexpr auto events = switch_events;
  static constexpr PartTable table = {"generators", "generator"};
  static constexpr Box box{2.40, 7.00, 3.00};
  static constexpr auto columns() { return source_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Generator>{"power", [](const Params& p) { return p.rated_w; }, "its share of all"}};
  }
};

static_assert(SourceKind<Generator>);

}  // namespace wattloop::electrical
