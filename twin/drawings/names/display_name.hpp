// Names of parts as people say them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wattloop::twin {

/// "row 1, rack 3, node 2" of "row_1.rack_3.node_2", "CDU 1" of "cdu_1"; without its first `skip` parts between dots.
std::string display_name(std::string_view name, std::size_t skip = 0);

/// Names that differ in numbers or letters together: "CDU 1 to 6", "CDU 1 and 3, pump a and b"; else the first of them and how
/// many more: "CDU 1, transformer a and 3 more". No name counts twice.
std::string display_names(std::span<const std::string> names);

/// A text with the names of parts in it as `display_name` writes them: "row_1.rack_2 inlet" becomes "row 1, rack 2 inlet".
std::string with_display_names(std::string_view text);

}  // namespace wattloop::twin
