#include "tests/architecture/project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace wattloop::tests {

namespace {

/// Products at the root, and what git keeps for itself: a folder, or a file in a linked worktree.
bool is_skipped(const std::filesystem::path& root, const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name == ".git" || name == "__pycache__") return true;
  return path.parent_path() == root && (name == "build" || name == "results");
}

/// Lines of a file; none where it holds a zero byte, that is, where it is not text.
std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (line.find('\0') != std::string::npos) return {};
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

Project read_project(const std::filesystem::path& root) {
  Project project{root, {}};
  auto entry = std::filesystem::recursive_directory_iterator(root);
  for (; entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    if (is_skipped(root, entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file()) continue;
    std::vector<std::string> lines = read_lines(entry->path());
    if (lines.empty()) continue;
    project.files.push_back({std::filesystem::relative(entry->path(), root).generic_string(), std::move(lines)});
  }
  std::ranges::sort(project.files, {}, &TextFile::path);
  return project;
}

std::string violation(const TextFile& file, std::size_t line_index, std::string_view reason) {
  return fmt::format("{}:{}: {}", file.path, line_index + 1, reason);
}

std::string_view comment_of(const TextFile& file, const std::string& line) {
  const bool is_yaml = file.has_extension(".yaml");
  if (!is_yaml && !file.is_code()) return {};
  const std::size_t start = line.find(is_yaml ? "#" : "//");
  return start == std::string::npos ? std::string_view{} : std::string_view(line).substr(start);
}

}  // namespace wattloop::tests
