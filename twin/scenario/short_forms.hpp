// What a scenario may say in another form than that of a map of values: `record: summary`, `initial: { from: FILE, at: T }`,
// `initial: { warm_up: T }`.
#pragma once

#include <optional>

#include "twin/document/document.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// `record: WORD` as `record: { what: WORD }`.
void spell_out_record(Node& root);

struct TakenBegin {
  std::optional<BeginAt> begin;
  std::optional<double> warm_up_s;
  Node written;  ///< the map, to be put back
};

/// Takes a map `initial` out of the document, which then says `steady` for one with `from` and `settled` for one with `warm_up`;
/// nothing where it is a word.
std::optional<TakenBegin> take_begin(Node& root, Problems& problems);

}  // namespace wattloop::twin
