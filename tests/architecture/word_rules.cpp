#include <fmt/format.h>

#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

constexpr const char* terminology = "docs/terminology.md";

/// A row of the table of words that do not come back.
struct Word {
  std::regex pattern;
  std::string write_instead;
};

/// "| `pattern` | what to write |", in which "\|" is a bar of the pattern.
std::vector<Word> words_of(const TextFile& page) {
  static const std::regex row(R"(^\| `(.+)` \| ([^|]+) \|$)"), bar(R"(\\\|)");
  std::vector<Word> words;
  bool is_in_table = false;
  for (const std::string& line : page.lines) {
    if (line.starts_with("## ")) is_in_table = line == "## Words that do not come back";
    std::smatch match;
    if (!is_in_table || !std::regex_match(line, match, row)) continue;
    const std::string pattern = std::regex_replace(match[1].str(), bar, "|");
    words.push_back({std::regex(pattern, std::regex::icase), match[2].str()});
  }
  return words;
}

bool is_prose(const TextFile& file) {
  return file.has_extension(".md") && file.path != terminology && file.path != "CHANGELOG.md";
}

std::string without_inline_code(const std::string& line) {
  static const std::regex code("`[^`]*`"), link(R"(\]\([^)]*\))");
  return std::regex_replace(std::regex_replace(line, code, "``"), link, "]");
}

/// The sentences of a line of C++ that the program may print: strings with a space in them, outside comments.
std::string messages_of(const std::string& line) {
  std::string messages, text;
  bool is_inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!is_inside && line.compare(i, 2, "//") == 0) break;
    if (is_inside && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      if (is_inside && text.find(' ') != std::string::npos) messages += text + " | ";
      text.clear();
      is_inside = !is_inside;
    } else if (is_inside) {
      text += line[i];
    }
  }
  return messages;
}

void look(const TextFile& file, std::size_t line_index, const std::string& text, const std::vector<Word>& words,
          Violations& found) {
  for (const Word& word : words) {
    std::smatch match;
    if (!std::regex_search(text, match, word.pattern)) continue;
    found.push_back(violation(file, line_index, fmt::format("'{}': write {}", match[0].str(), word.write_instead)));
  }
}

}  // namespace

Violations word_violations(const Project& project) {
  std::vector<Word> words;
  for (const TextFile& file : project.files)
    if (file.path == terminology) words = words_of(file);
  if (words.empty()) throw std::runtime_error("docs/terminology.md has no table of words that do not come back");
  Violations found;
  for (const TextFile& file : project.files) {
    const bool is_program = file.is_code() && !file.path.starts_with("tests/");
    bool is_in_block = false;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].starts_with("```")) is_in_block = !is_in_block;
      if (is_prose(file) && !is_in_block) look(file, i, without_inline_code(file.lines[i]), words, found);
      if (is_program) look(file, i, messages_of(file.lines[i]), words, found);
    }
  }
  return found;
}

}  // namespace wattloop::tests
