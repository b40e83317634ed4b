// What a scenario may say in another form than that of a map of values: `record: summary`, `initial: { from: FILE, at: T }`.
#pragma once

#include <optional>

#include "twin/document/document.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// `record: WORD` as `record: { what: WORD }`.
void spell_out_record(Node& root);

struct TakenBegin {
  BeginAt begin;
  Node written;  ///< the map, to be put back
};

/// Takes `initial: { from: FILE, at: T }` out of the document, which then says `steady`; nothing where it says something else.
std::optional<TakenBegin> take_begin(Node& root, Problems& problems);

}  // namespace wattloop::twin
