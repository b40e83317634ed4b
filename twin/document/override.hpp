// Overrides from the command line: `--set hall.racks.count=8` changes a document before it is read, `--event` adds to it.
#pragma once

#include <string>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// A value that is put at a path of a document, or appended to the list there; `value` knows where it was written.
struct DocumentChange {
  std::string path;
  Node value;
  bool appends = false;
};

/// Applies it as an override is. What is wrong with the path is reported at the place of the value.
void apply_change(Node& root, DocumentChange change, Problems& problems);

/// Applies "path=value". Keys that do not exist are made (readers know which are wrong); list items go by
/// number from 1 and must exist. A map in `value` is merged over what is there. "path+=value" appends to a list. Names that contain dots:
/// of a row of names that is a key the longest counts, "branches.ups_a.output.length"; in quotes a name is one in any case.
void apply_override(Node& root, const std::string& path_and_value, Problems& problems);

/// The override that appends one event, "at: 10 min, fail: cdu_1", in braces or without; places call it `--event`.
std::string event_override(const std::string& event);

}  // namespace wattloop::twin
