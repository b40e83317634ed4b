// What a search found, for programs.
#pragma once

#include <string>
#include <vector>

#include "twin/search/search.hpp"
#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

std::string search_json(const SearchPlan& plan, const SearchFindings& findings,
                        const std::vector<TableColumn>& columns);

}  // namespace wattloop::twin
