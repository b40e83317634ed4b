// What all reports have in common: how a page begins, what it looks like, its sections.
#pragma once

#include <string>
#include <string_view>

namespace wattloop::twin {

/// How the report of a run, that of a study and that of two runs begin, to distinguish them from each other and from other files.
inline constexpr const char* report_head = "<!DOCTYPE html>\n<!-- Wattloop report -->";
inline constexpr const char* study_head = "<!DOCTYPE html>\n<!-- Wattloop report of a study -->";
inline constexpr const char* difference_head = "<!DOCTYPE html>\n<!-- Wattloop report of two runs -->";

/// Head of that kind, style, title and the line below it; texts as they are, not escaped.
std::string page_begin(std::string_view head, const std::string& title, const std::string& below);

/// A section with its heading; says so where there is nothing in it. `id`: for links; empty: made of the title. Rows of `<th>` alone that
/// begin tables become heads of their columns, for readers of screens and for sheets of paper. On a phone rows of four and more columns, and
/// those of tables of the class `lines`, become lines, each cell with its head.
std::string section(const std::string& title, const std::string& body, const std::string& id = "");

/// Links to the sections that these are, in their order; empty without any.
std::string contents_of(std::string_view sections);

/// How a page ends: what is wider than its column says so, and a diagram begins at what failed.
std::string page_end();

}  // namespace wattloop::twin
