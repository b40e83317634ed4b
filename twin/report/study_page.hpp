// A study as one HTML page that needs nothing else: decisions, what matters, figures against each other, the whole table.
#pragma once

#include <string>

#include "twin/study/study_table.hpp"

namespace wattloop::twin {

/// What a search said of what it found, beside its table.
inline constexpr const char* answer_file_name = "study_answer.txt";

/// The whole page; `name`: of its folder or file; `answer`: what a search found, as it said it, which stands first.
std::string study_page(const StudyTable& table, const std::string& name, const std::string& answer = {});

}  // namespace wattloop::twin
