#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/architecture/rules.hpp"
#include "tests/architecture/snippets.hpp"

namespace wattloop::tests {

namespace {

using Match = std::sregex_iterator;

/// Documents that describe the code line by line.
const std::set<std::string> descriptions{"docs/seams.md", "docs/step_contract.md"};

std::string without_space(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    std::ranges::copy_if(line, std::back_inserter(text), [](unsigned char c) { return !std::isspace(c); });
  }
  return text;
}

template <class Condition>
bool is_in_code(const Project& project, Condition holds) {
  return std::ranges::any_of(project.files, [&](const TextFile& file) { return file.is_code() && holds(file); });
}

bool has_line_with(const TextFile& file, const std::string& text) {
  return std::ranges::any_of(file.lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

/// Why a text in backticks is wrong: a path that does not exist, or `Type::member` that no file of code has; else empty.
std::string mistake_in(const Project& project, const std::string& quoted) {
  static const std::regex path(R"([a-z][\w.-]*(/[\w.-]+)+/?)");
  static const std::regex member(R"((\w+)::(\w+))");
  std::smatch match;
  if (std::regex_match(quoted, path) && !std::filesystem::exists(project.root / quoted)) {
    return fmt::format("names {}, which does not exist", quoted);
  }
  if (!std::regex_match(quoted, match, member)) return {};
  const bool is_there = is_in_code(project, [&](const TextFile& file) {
    return !file.path.starts_with("tests/") && has_line_with(file, match[1]) && has_line_with(file, match[2]);
  });
  return is_there ? std::string{} : fmt::format("names {}, which is nowhere in the code", quoted);
}

void find_wrong_names(const Project& project, const TextFile& file, Violations& found) {
  static const std::regex in_backticks("`([^`]+)`");
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    for (Match match(line.begin(), line.end(), in_backticks); match != Match(); ++match) {
      const std::string mistake = mistake_in(project, (*match)[1]);
      if (!mistake.empty()) found.push_back(violation(file, i, mistake));
    }
  }
}

/// Names of tests stand in tables, between single stars.
void find_wrong_tests(const Project& project, const TextFile& file, Violations& found) {
  static const std::regex in_stars(R"((?:^|[^*\w`])\*([^*`]+)\*(?!\*))");
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (!line.starts_with('|')) continue;
    for (Match match(line.begin(), line.end(), in_stars); match != Match(); ++match) {
      const std::string name = (*match)[1];
      const bool is_there = is_in_code(project, [&](const TextFile& code) {
        return code.path.starts_with("tests/") && has_line_with(code, "\"" + name + "\"");
      });
      if (!is_there) found.push_back(violation(file, i, fmt::format("there is no test '{}'", name)));
    }
  }
}

void find_wrong_excerpts(const Project& project, const TextFile& file, Violations& found) {
  for (const Snippet& snippet : read_snippets(file)) {
    if (snippet.language != "cpp") continue;
    const std::string excerpt = without_space(snippet.lines);
    const bool is_there = is_in_code(project, [&](const TextFile& code) {
      return !code.path.starts_with("tests/") && without_space(code.lines).find(excerpt) != std::string::npos;
    });
    if (!is_there) found.push_back(violation(file, snippet.first_line, "shows code that is nowhere"));
  }
}

/// Groups of the results file, where code names them as it makes them.
std::set<std::string> groups_in_code(const Project& project) {
  static const std::regex made(
      R"re(PartTable \w+(?: = )?\{"(\w+)"|\b(?:table_of|RowGroup<\w+> rows|write_value_group)\((?:file, )?"(\w+)"|\.group = "(\w+)"|_limits_group = "(\w+)")re");
  std::set<std::string> groups;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || file.path.starts_with("tests/") || file.path.starts_with("twin/study/")) continue;
    for (const std::string& line : file.lines) {
      if (line.find("able") == std::string::npos && line.find("roup") == std::string::npos) continue;  // fast
      for (Match match(line.begin(), line.end(), made); match != Match(); ++match)
        groups.insert((*match)[1].str() + (*match)[2].str() + (*match)[3].str() + (*match)[4].str());
    }
  }
  return groups;
}

}  // namespace

Violations group_violations(const Project& project) {
  const auto seams = std::ranges::find(project.files, "docs/seams.md", &TextFile::path);
  Violations found;
  for (const std::string& group : groups_in_code(project)) {
    if (seams == project.files.end() || !has_line_with(*seams, "`" + group + "`"))
      found.push_back(fmt::format("docs/seams.md does not name the group {} of the results file", group));
  }
  return found;
}

Violations description_violations(const Project& project) {
  Violations found;
  for (const TextFile& file : project.files) {
    if (!descriptions.contains(file.path)) continue;
    find_wrong_names(project, file, found);
    find_wrong_tests(project, file, found);
    find_wrong_excerpts(project, file, found);
  }
  return found;
}

}  // namespace wattloop::tests
