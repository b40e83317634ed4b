// From YAML to parameter structs: reads the keys of a map into fields (core/parts/field.hpp) and lists fields for
// people.
//
// A value is bare (`700 W`) or carries its source (`{ value: 700 W, source: key-of-the-bibliography }`).
// Required are doubles whose default is `required`, counts with `required_count`, and texts whose default is
// empty.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/document/map_reader.hpp"

namespace wattloop::twin {

/// Whether each value must name its source, as in the hardware library.
enum class Sources { optional, demanded };

/// Stores the value of one key. Returns whether it was good; what is wrong goes to `problems`.
bool read_field(const Node& value, const FieldRef& field, Problems& problems, Sources sources = Sources::optional);

/// Reads every field from its key, absent ones and those that `null` removes keep their default. Unknown keys are left to
/// `report_unknown_keys`.
void read_fields(MapReader& reader, std::span<const FieldRef> fields, Sources sources = Sources::optional);

/// All keys of a map into all fields of `params`: `read_fields` and `report_unknown_keys`.
template <class P>
void read_params(const Node& map, std::string_view subject, P& params, Problems& problems,
                 Sources sources = Sources::optional) {
  MapReader reader(map, std::string(subject), problems);
  read_fields(reader, field_refs(params), sources);
  reader.report_unknown_keys();
}

/// A field as people read it in `explain` and in the documentation.
struct FieldRow {
  std::string name;
  std::string unit;           ///< "W/K", "degC", "count", "text", ...
  std::string default_value;  ///< "required", "45 degC", "true"
  std::string range;          ///< "more than 0", "0 to 1", "hold, zero"; empty: anything
  std::string doc;
};

/// One row for each field, in order; defaults are what is stored in the targets.
std::vector<FieldRow> field_table(std::span<const FieldRef> fields);

}  // namespace wattloop::twin
