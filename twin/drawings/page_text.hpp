// Texts of scenarios and results as HTML and SVG show them.
#pragma once

#include <string>
#include <string_view>

namespace wattloop::twin {

/// The text with & < > " ' as entities and without control characters: safe between tags and in quoted attributes.
std::string page_text(std::string_view text);

}  // namespace wattloop::twin
