// Files with mistakes, each with all that is reported of it beside it: NAME.yaml and NAME.txt.
//
// A changed message is seen there. Where it is meant, WATTLOOP_WRITE_MISTAKES=1 writes the texts anew; read what changed in them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

namespace wattloop::tests {

inline const std::filesystem::path mistakes_folder =
    std::filesystem::path(WATTLOOP_SOURCE_DIR) / "tests" / "unit" / "mistakes";

/// Files of a folder that are no texts of mistakes, by name.
inline std::vector<std::filesystem::path> files_with_mistakes(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.is_regular_file() && file.path().extension() != ".txt") files.push_back(file.path());
  }
  std::ranges::sort(files);
  return files;
}

/// As the program prints them, with names of files from `folder` on.
inline std::string mistakes_text(const std::vector<Problem>& problems, const std::filesystem::path& folder) {
  std::string text;
  for (const Problem& problem : problems) text += format_problem(problem);
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

/// Compares with the text beside the file, or writes it.
inline void check_mistakes(const std::filesystem::path& file, const std::vector<Problem>& problems) {
  const std::string reported = mistakes_text(problems, file.parent_path());
  const std::filesystem::path expected = std::filesystem::path(file).replace_extension(".txt");
  if (std::getenv("WATTLOOP_WRITE_MISTAKES") != nullptr) std::ofstream(expected) << reported;
  INFO(file.filename().string());
  CHECK(reported == file_text(expected));
  CHECK_FALSE(reported.empty());
}

}  // namespace wattloop::tests
