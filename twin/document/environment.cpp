#include "twin/document/environment.hpp"

#include <cstdlib>
#include <set>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

void expand(Node& scalar, Problems& problems) {
  const std::string text = scalar.text;
  std::string expanded;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 3, "$${") == 0) {
      expanded += "${";
      i += 3;
      continue;
    }
    const std::size_t end = text.compare(i, 2, "${") == 0 ? text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      expanded += text[i++];
      continue;
    }
    const std::string name = text.substr(i + 2, end - i - 2);
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) {
      problems.add(problem_at(scalar, fmt::format("the environment variable '{}' is not set", name),
                              fmt::format("export {}=... before the run", name)));
      return;
    }
    expanded += value;
    i = end + 1;
  }
  scalar.written = text;
  scalar.text = expanded;
}

void add_variables(const Node& node, std::set<std::string>& names) {
  for (const Node& item : node.items) add_variables(item, names);
  for (const Entry& entry : node.entries) add_variables(entry.value, names);
  for (std::size_t i = node.written.find("${"); i != std::string::npos; i = node.written.find("${", i + 2)) {
    const std::size_t end = node.written.find('}', i);
    const bool is_plain = i > 0 && node.written[i - 1] == '$';
    if (!is_plain && end != std::string::npos) names.insert(node.written.substr(i + 2, end - i - 2));
  }
}

}  // namespace

std::vector<std::string> variables_of(const Node& root) {
  std::set<std::string> names;
  add_variables(root, names);
  return {names.begin(), names.end()};
}

void expand_environment(Node& node, Problems& problems) {
  for (Node& item : node.items) expand_environment(item, problems);
  for (Entry& entry : node.entries) expand_environment(entry.value, problems);
  if (!node.is_scalar() || node.text.find("${") == std::string::npos) return;
  if (node.is_quoted) {
    expand(node, problems);
  } else {
    problems.add(problem_at(node, fmt::format("'{}' needs quotes to be expanded", node.text),
                            fmt::format("write \"{}\"", node.text)));
  }
}

}  // namespace wattloop::twin
