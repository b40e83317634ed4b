// `wattloop diagram KIND RESULTS`: one picture of a report as a file.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

struct DiagramOptions {
  std::string kind;
  std::filesystem::path results;
  std::string at{};                ///< a time, an event, "worst" or "end"; empty: the worst
  std::filesystem::path output{};  ///< .svg or .png; empty: RESULTS_KIND.svg
  std::string x{}, y{}, by{};      ///< columns of a study, of `study_columns`
  bool is_forced = false;
};

/// The kind that is drawn of a study; all others are of a run.
inline constexpr const char* study_columns = "columns";

/// Writes the file and says where. Exit code 0. Throws FileError, InputError.
int diagram_command(const DiagramOptions& options);

}  // namespace wattloop::twin
