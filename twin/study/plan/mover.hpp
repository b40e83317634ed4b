// What has another value from run to run: its values as nodes and as cells of the table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/study/plan/expansion.hpp"

namespace wattloop::twin {

/// On one line.
std::string flow_text(const Node& node);

/// "31.5"; 12 digits, so that steps of a range read as people would write them.
std::string number_text(double number);
std::string with_unit(double number, const std::string& unit);

/// A scalar with the place of what was written.
Node scalar_at(const Node& written, std::string text);

/// Whether values are lists, with one for each path.
bool has_lists(const Parameter& parameter);

/// That of one path.
const Node& value_of(const Node& value, std::size_t path, bool is_list);

/// What stands at a share of all that there may be of it, from 0 to 1: of a distribution its quantile, of a range or list so far along.
Choice choice_at(const std::vector<Parameter>& parameters, std::size_t parameter, double share);

/// Columns of numbers where all values are in one unit, else of texts.
void add_columns(Parameter& parameter);

}  // namespace wattloop::twin
