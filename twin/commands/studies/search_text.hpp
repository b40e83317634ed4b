// What a search found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "twin/search/search.hpp"
#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

std::string search_text(const SearchPlan& plan, const SearchFindings& findings,
                        const std::vector<TableColumn>& columns);
/// That without the title: what a table keeps of it for reports.
std::string search_answer(const SearchPlan& plan, const SearchFindings& findings,
                          const std::vector<TableColumn>& columns);

/// "trial 3: supply = 37.5 degC holds, 4 runs": reported while it searches.
std::string trial_text(const SearchPlan& plan, const SearchTrial& trial, std::size_t number);

}  // namespace wattloop::twin
