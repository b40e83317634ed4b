// Imported jobs as comment lines of a table, for people and for programs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "twin/imports/jobs/job_log.hpp"

namespace wattloop::twin {

/// Comment lines of the table that is written; the first is always the same.
std::vector<std::string> jobs_comment(const JobLog& log);
inline constexpr std::string_view imported_jobs_head = "# jobs, written by wattloop import jobs\n";

/// The report for people, and for programs.
std::vector<std::string> jobs_text(const JobLog& log, const std::filesystem::path& output);
std::string jobs_json(const JobLog& log, const std::filesystem::path& output);

}  // namespace wattloop::twin
