#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

using Match = std::sregex_iterator;

const TextFile* find_file(const Project& project, std::string_view path) {
  for (const TextFile& file : project.files) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

/// Keys of all entries. Merging by union repeats entries, or loses the brace that closes one: both are found.
std::set<std::string> read_keys(const TextFile& bibliography, Violations& found) {
  static const std::regex entry(R"(^@\w+\{([^,\s]+),)");
  std::set<std::string> keys;
  std::ptrdiff_t open_braces = 0;
  for (std::size_t i = 0; i < bibliography.lines.size(); ++i) {
    const std::string& line = bibliography.lines[i];
    std::smatch match;
    const bool is_entry = std::regex_search(line, match, entry);
    if (is_entry && open_braces != 0) found.push_back(violation(bibliography, i, "the entry before is not closed"));
    if (is_entry) open_braces = 0;
    open_braces += std::ranges::count(line, '{') - std::ranges::count(line, '}');
    if (!is_entry) continue;
    const bool is_new = keys.insert(match[1]).second;
    if (!is_new) found.push_back(violation(bibliography, i, fmt::format("[{}] is there already", match[1].str())));
  }
  return keys;
}

/// Keys cited in brackets: words with a digit, or any word of three letters or more on a line that says
/// "Source". Others are shapes of arrays ("[nodes]") and subscripts; a bracket that starts a Markdown link is
/// none of these.
std::vector<std::string> cited_in_brackets(std::string text) {
  static const std::regex bracket(R"((^|[^\w\])])\[([a-z][a-z0-9_]{2,})\](?!\())");
  const bool says_source = text.find("ource:") != std::string::npos;
  std::vector<std::string> keys;
  for (Match match(text.begin(), text.end(), bracket); match != Match(); ++match) {
    const std::string key = (*match)[2];
    if (says_source || key.find_first_of("0123456789") != std::string::npos) keys.push_back(key);
  }
  return keys;
}

/// Keys after `source:` in YAML: one, or a list in brackets.
std::vector<std::string> cited_in_yaml(const std::string& line) {
  static const std::regex source(R"((?:^|[\s{,])source:\s*(\[[^\]]*\]|[^\s,}#]+))");
  static const std::regex word(R"([^\s,\[\]"']+)");
  std::vector<std::string> keys;
  for (Match match(line.begin(), line.end(), source); match != Match(); ++match) {
    const std::string value = (*match)[1];
    for (Match key(value.begin(), value.end(), word); key != Match(); ++key) keys.push_back(key->str());
  }
  return keys;
}

std::vector<std::string> cited_keys(const TextFile& file, const std::string& line) {
  if (file.has_extension(".md")) return cited_in_brackets(line);
  std::vector<std::string> keys = cited_in_brackets(std::string(comment_of(file, line)));
  if (file.has_extension(".yaml") && !line.starts_with('#')) {
    for (std::string& key : cited_in_yaml(line)) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

Violations citation_violations(const Project& project) {
  const TextFile* bibliography = find_file(project, "docs/references.bib");
  if (bibliography == nullptr) return {"docs/references.bib is missing"};
  Violations found;
  const std::set<std::string> known = read_keys(*bibliography, found);
  for (const TextFile& file : project.files) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string& key : cited_keys(file, file.lines[i])) {
        if (known.contains(key)) continue;
        found.push_back(violation(file, i, fmt::format("[{}] is not in docs/references.bib", key)));
      }
    }
  }
  return found;
}

Violations link_violations(const Project& project) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  Violations found;
  for (const TextFile& file : project.files) {
    if (!file.has_extension(".md")) continue;
    const std::filesystem::path folder = (project.root / file.path).parent_path();
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      for (Match match(line.begin(), line.end(), link); match != Match(); ++match) {
        const std::string whole = (*match)[1];
        const std::string target = whole.substr(0, whole.find('#'));
        if (target.empty() || target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
        if (std::filesystem::exists(folder / target)) continue;
        found.push_back(violation(file, i, fmt::format("link to {}, which does not exist", target)));
      }
    }
  }
  return found;
}

}  // namespace wattloop::tests
