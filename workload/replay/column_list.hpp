// Lists of columns as users write them: "all", "1..8", "3,5,9..12".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::workload {

/// Puts the columns of `list`, counted from 1 to `count`, into `columns`, in the order given. Returns what is
/// wrong with the list, or nothing.
std::string read_column_list(std::string_view list, std::size_t count, std::vector<std::size_t>& columns);

}  // namespace wattloop::workload
