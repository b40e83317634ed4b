// `wattloop report RESULTS`: a run, a study or the difference of two runs as one HTML page.
#pragma once

#include <filesystem>

namespace wattloop::twin {

struct ReportOptions {
  std::filesystem::path results;
  std::filesystem::path against = {};  ///< the page reports how `results` differs from it
  std::filesystem::path output =
      {};  ///< empty: beside the results, with their name: RUN.html, STUDY.html, B_against_A.html
  bool is_forced = false;
};

/// Writes the page and says where. Exit code 0. Throws FileError, InputError.
int report_command(const ReportOptions& options);

}  // namespace wattloop::twin
