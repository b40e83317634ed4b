// What all reports have in common: how a page begins, what it looks like, its sections.
#pragma once

#include <string>

namespace wattloop::twin {

/// How a report begins, to tell it from files of somebody else.
inline constexpr const char* report_head = "<!DOCTYPE html>\n<!-- Wattloop report -->";

/// Head, style, title and the line below it; texts as they are, not escaped.
std::string page_begin(const std::string& title, const std::string& below);

/// A section with its heading; says so where there is nothing in it. `id`: for links.
std::string section(const std::string& title, const std::string& body, const std::string& id = "");

}  // namespace wattloop::twin
