#include "twin/document/field_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/document/number_limits.hpp"

namespace wattloop::twin {

namespace {

constexpr int largest_count = 1'000'000;

std::string_view range_text(Range range, bool is_count) {
  switch (range) {
    case Range::any:
      return "";
    case Range::positive:
      return is_count ? "at least 1" : "more than 0";
    case Range::non_negative:
      return "at least 0";
    case Range::fraction:
      return "0 to 1";
    case Range::positive_fraction:
      return "more than 0, at most 1";
  }
  return "";
}

std::vector<std::string> choices_of(const FieldInfo& info) {
  std::vector<std::string> choices;
  for (std::size_t start = 0; start < info.choices.size();) {
    const std::size_t end = std::min(info.choices.find('|', start), info.choices.size());
    choices.emplace_back(info.choices.substr(start, end - start));
    start = end + 1;
  }
  return choices;
}

/// What a value must be, for messages.
std::string expectation(const FieldRef& field) {
  struct {
    const FieldInfo& info;
    std::string operator()(const double*) const {
      if (info.unit == "1") return "a ratio";
      return info.unit == temperature_difference ? "a difference in K" : unit_for_people(info.unit);
    }
    std::string operator()(const int*) const { return "a whole number"; }
    std::string operator()(const bool*) const { return "true or false"; }
    std::string operator()(const std::string*) const {
      return info.choices.empty() ? "a text" : fmt::format("{}", fmt::join(choices_of(info), ", "));
    }
    std::string operator()(const std::string_view*) const {
      return fmt::format("{}", fmt::join(choices_of(info), ", "));
    }
  } const visitor{field.info};
  return std::visit(visitor, field.target);
}

/// Stores one scalar, or adds a problem: one overload for each type of field.
class ScalarReader {
 public:
  ScalarReader(const Node& scalar, const FieldInfo& info, Problems& problems)
      : scalar_(scalar), info_(info), problems_(problems) {}

  bool operator()(double* target) const {
    try {
      const double value = to_si(scalar_.text, info_.unit);
      if (!is_in_range(value, info_.range)) return refuse_range(range_text(info_.range, false));
      const double size = std::abs(value);
      if (size > largest_quantity) return refuse(fmt::format("'{}' is too large", scalar_.text));
      if (size > 0.0 && size < smallest_positive_quantity)
        return refuse(fmt::format("'{}' is too small", scalar_.text));
      const Extent* extent = extent_of(info_);
      if (extent != nullptr && size > 0.0 && size < extent->least) {
        return refuse(fmt::format("'{}' is too small, expected at least {}", scalar_.text,
                                  format_quantity(extent->least, info_.unit)));
      }
      if (extent != nullptr && size > extent->most) {
        return refuse(fmt::format("'{}' is too large, expected at most {}", scalar_.text,
                                  format_quantity(extent->most, info_.unit)));
      }
      *target = value;
      return true;
    } catch (const QuantityError& error) {
      return refuse(error.what(), error.hint);
    }
  }

  bool operator()(int* target) const {
    const std::string& text = scalar_.text;
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
      return refuse(fmt::format("'{}' is not a whole number", text));
    }
    if (!is_in_range(value, info_.range)) return refuse_range(range_text(info_.range, true));
    if (info_.range == Range::positive && value > largest_count) {
      return refuse(fmt::format("'{}' is too large, expected at most {}", text, largest_count));
    }
    *target = value;
    return true;
  }

  bool operator()(bool* target) const {
    const std::string& text = scalar_.text;
    if (text != "true" && text != "false") return refuse(fmt::format("'{}' is neither true nor false", text));
    *target = text == "true";
    return true;
  }

  bool operator()(std::string* target) const {
    const std::string& text = scalar_.text;
    if (text.empty()) return refuse("the text is empty");
    const std::vector<std::string> choices = choices_of(info_);
    if (!choices.empty() && std::ranges::find(choices, text) == choices.end()) {
      const std::string best = nearest(text, choices);
      return refuse(fmt::format("'{}' is unknown, expected one of {}", text, fmt::join(choices, ", ")),
                    best.empty() ? std::string() : fmt::format("did you mean '{}'?", best));
    }
    *target = text;
    return true;
  }

  bool operator()(std::string_view* target) const {
    std::string chosen;
    if (!(*this)(&chosen)) return false;
    *target = info_.choices.substr(info_.choices.find(chosen), chosen.size());
    return true;
  }

 private:
  bool refuse(std::string_view what, const std::string& hint = {}) const {
    problems_.add(
        problem_at(scalar_, fmt::format("{}: {}", info_.name, what), hint.empty() ? std::string(info_.doc) : hint));
    return false;
  }
  bool refuse_range(std::string_view range) const {
    return refuse(fmt::format("'{}' is out of range, expected {}", scalar_.text, range));
  }

  const Node& scalar_;
  const FieldInfo& info_;
  Problems& problems_;
};

bool is_number(const FieldRef& field) {
  return std::holds_alternative<double*>(field.target) || std::holds_alternative<int*>(field.target);
}

void demand_source(const Node& bare, const FieldInfo& info, Problems& problems) {
  problems.add(problem_at(bare, fmt::format("{}: '{}' names no source", info.name, bare.text),
                          fmt::format("write {{ value: {}, source: key }}", bare.text)));
}

/// The value inside of `{ value: ..., source: ... }`; null where it is missing.
const Node* value_with_source(const Node& map, const FieldRef& field, Problems& problems, Sources sources) {
  const std::size_t problems_before = problems.size();
  if (find(map, "follow") != nullptr) {
    problems.add(problem_at(map, fmt::format("{} cannot follow a file here", field.info.name),
                            "write sequences: { NAME: { kind: follow, setting: COMPONENT.SETTING, file: ..., ... } }"));
    return nullptr;
  }
  MapReader reader(map, std::string(field.info.name), problems);
  const Node* value = reader.require("value", std::string(field.info.doc));
  const Node* source = sources == Sources::demanded && is_number(field)
                           ? reader.require("source", "write a key of the bibliography")
                           : reader.find("source");
  if (source != nullptr && !source->is_sequence() && (!source->is_scalar() || source->text.empty())) {
    problems.add(problem_at(*source, fmt::format("{}: source is {}", field.info.name, describe(*source)),
                            "write a key of the bibliography, or a list of keys"));
  }
  reader.report_unknown_keys();
  return problems.size() == problems_before ? value : nullptr;
}

bool is_required(const FieldRef& field) {
  struct {
    bool operator()(const double* value) const { return std::isnan(*value); }
    bool operator()(const int* value) const { return *value == required_count; }
    bool operator()(const bool*) const { return false; }
    bool operator()(const std::string* value) const { return value->empty(); }
    bool operator()(const std::string_view* value) const { return value->empty(); }
  } const visitor;
  return std::visit(visitor, field.target);
}

std::string default_text(const FieldRef& field) {
  if (is_required(field)) return "required";
  struct {
    std::string_view unit;
    std::string operator()(const double* value) const { return format_quantity(*value, unit); }
    std::string operator()(const int* value) const { return fmt::format("{}", *value); }
    std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
    std::string operator()(const std::string* value) const { return *value; }
    std::string operator()(const std::string_view* value) const { return std::string(*value); }
  } const visitor{field.info.unit};
  return std::visit(visitor, field.target);
}

FieldRow row_of(const FieldRef& field) {
  const FieldInfo& info = field.info;
  FieldRow row{std::string(info.name), {}, default_text(field), {}, std::string(info.doc)};
  if (std::holds_alternative<double*>(field.target)) {
    row.unit = unit_for_people(info.unit);
    const bool is_temperature = info.unit == "K";  // positive in K means nothing to those who write degC
    row.range = is_temperature ? std::string() : std::string(range_text(info.range, false));
  } else if (std::holds_alternative<int*>(field.target)) {
    row.unit = "count";
    row.range = range_text(info.range, true);
  } else if (std::holds_alternative<bool*>(field.target)) {
    row.unit = "flag";
    row.range = "true, false";
  } else {
    row.unit = "text";
    row.range = fmt::format("{}", fmt::join(choices_of(info), ", "));
  }
  return row;
}

}  // namespace

bool read_field(const Node& value, const FieldRef& field, Problems& problems, Sources sources) {
  const Node* scalar = &value;
  if (value.is_map()) {
    scalar = value_with_source(value, field, problems, sources);
    if (scalar == nullptr) return false;
  }
  if (!scalar->is_scalar()) {
    problems.add(problem_at(*scalar,
                            fmt::format("{}: {}, expected {}", field.info.name,
                                        scalar->is_null() ? "no value" : describe(*scalar), expectation(field)),
                            std::string(field.info.doc)));
    return false;
  }
  const bool is_good = std::visit(ScalarReader(*scalar, field.info, problems), field.target);
  if (!value.is_map() && sources == Sources::demanded && is_number(field)) {
    demand_source(value, field.info, problems);
    return false;
  }
  return is_good;
}

void read_fields(MapReader& reader, std::span<const FieldRef> fields, Sources sources) {
  for (const FieldRef& field : fields) {
    const FieldInfo& info = field.info;
    const Node* value = reader.find(info.name);
    if (value != nullptr && value->is_null() && value->is_taken_back && !is_required(field)) continue;
    if (value != nullptr) {
      read_field(*value, field, reader.problems(), sources);
    } else if (is_required(field)) {
      reader.require(info.name, fmt::format("{}: {}", expectation(field), info.doc));
    }
  }
}

std::vector<FieldRow> field_table(std::span<const FieldRef> fields) {
  std::vector<FieldRow> rows;
  for (const FieldRef& field : fields) rows.push_back(row_of(field));
  return rows;
}

}  // namespace wattloop::twin
