// A study as one HTML page that needs nothing else: decisions, what matters, figures against each other, the whole table.
#pragma once

#include <string>

#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// The whole page; `name`: of its folder or file.
std::string study_page(const StudyTable& table, const std::string& name);

}  // namespace wattloop::twin
