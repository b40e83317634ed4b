#include "core/problem.hpp"

#include <fmt/format.h>

namespace wattloop {

namespace {

std::string place_text(const Place& place) {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string all_problems(const std::vector<Problem>& problems, std::string_view subject) {
  std::string text;
  for (const Problem& problem : problems) text += format_problem(problem);
  return text + fmt::format("{} problem{} in {}", problems.size(), problems.size() == 1 ? "" : "s", subject);
}

}  // namespace

std::string format_problem(const Problem& problem) {
  std::string text = place_text(problem.place);
  text += (text.empty() ? "" : ": ") + problem.message + "\n";
  if (!problem.excerpt.empty()) {
    text += fmt::format("{:5} | {}\n", problem.place.line, problem.excerpt);
    const int caret = problem.caret > 0 ? problem.caret : problem.place.column;
    if (caret > 0) text += fmt::format("{:5} | {:>{}}\n", "", "^", caret);
  }
  if (!problem.hint.empty()) text += fmt::format("      = {}\n", problem.hint);
  return text;
}

void Problems::throw_if_any(std::string_view subject) const {
  if (!problems_.empty()) throw InputError(problems_, subject);
}

InputError::InputError(std::vector<Problem> problems, std::string_view subject)
    : std::runtime_error(all_problems(problems, subject)), problems_(std::move(problems)) {}

}  // namespace wattloop
