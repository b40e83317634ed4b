// The catalog of kinds of control sequences: everything that is known of a kind without knowing the kind.
#pragma once

#include <any>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/sequence.hpp"

namespace wattloop::twin {

/// A kind of sequence, erased: one that sets a setting, or one of modes.
struct SequenceKind {
  std::string_view name, doc;
  std::string_view unit;            ///< of the settings that it may set
  std::vector<SequenceName> names;  ///< what one of modes names
  std::any (*default_params)();
  std::vector<FieldRef> (*fields)(std::any& params);
  std::string_view (*mistake)(const std::any& params);
  double (*setting)(const std::any& params, const OutsideNow& outside);  ///< null: of modes

  bool is_of_modes() const { return setting == nullptr; }
};

std::span<const SequenceKind> sequence_kinds();

/// The kind of that name; nullptr if there is none.
const SequenceKind* find_sequence_kind(std::string_view name);

/// The names of all kinds, for hints.
std::vector<std::string> sequence_kind_names();

}  // namespace wattloop::twin
