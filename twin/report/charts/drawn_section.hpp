// What the draws of a study say, for its page: a table of medians and bands, and of each figure how many draws are below what.
#pragma once

#include <string>

#include "twin/study/tables/drawn_findings.hpp"

namespace wattloop::twin {

std::string drawn_section(const StudyTable& table, const DrawnFindings& findings);

}  // namespace wattloop::twin
