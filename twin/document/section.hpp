// Sections: the maps of the scenario language as a tree, bound to the values they are read into.
//
// The tree is the one list of what a scenario may say: the reader walks it along the user's file, `wattloop
// explain` and the generated reference walk it without one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/document/field_reader.hpp"

namespace wattloop::twin {

/// A key whose value has a form of its own.
struct SpecialKey {
  std::string key = {};
  std::string doc = {};
  bool is_required = false;
  std::string or_else = {};         ///< key beside it that may stand in its place
  std::vector<FieldRow> rows = {};  ///< what each of its items says, for people
  std::function<void(const Node& value, Problems& problems)> read = {};
};

/// A map of the scenario or of a hardware file.
struct Section {
  std::string key = {};  ///< in the map around it ("loops"); of a device its kind ("cdu"); of the root empty
  std::string doc = {};
  std::vector<FieldRef> fields = {};
  std::vector<Section> sections = {};
  std::vector<SpecialKey> special = {};
  std::vector<Section> device = {};           ///< at most one: the device that `hardware:` names
  std::string* device_name = nullptr;         ///< where the name of that device goes
  bool* is_given = nullptr;                   ///< where it is noted that the user wrote it
  bool* is_none = nullptr;                    ///< where it is noted that the user wrote `none` for it
  bool is_optional = false;                   ///< may be left out, whatever it holds
  std::vector<std::string> replaced_by = {};  ///< keys beside it: where one of them is written this must not be
  /// Where several of them may be given by name in its place: their sections, in the order of the names.
  std::function<std::vector<Section>(const std::vector<std::string>& names)> by_name = {};
  std::vector<std::pair<std::string, std::string>> former = {};  ///< keys it had once, each with what to do instead
  std::function<void(const Node& map, Problems& problems)> check = {};  ///< of its values together, when all are read
};

/// Whether the user must write it: it is not optional, and contains something without a default.
bool is_required(const Section& section);

/// Reads `map` into the targets of `section`. `path` names it in messages ("hall.racks", "cdu"); empty: the
/// scenario.
void read_section(const Node& map, const std::string& path, const Section& section, Problems& problems);

/// Reads the map under `hardware:`, which must be a device of the kind of `device`, and returns its name.
std::string read_device(const Node& hardware, const Section& device, Problems& problems);

/// "hall.racks" of "hall" and "racks".
std::string joined_path(std::string_view path, std::string_view key);

}  // namespace wattloop::twin
