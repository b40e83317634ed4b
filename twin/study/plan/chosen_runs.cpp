#include "twin/study/plan/chosen_runs.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

/// What is worse when it is smaller: margins, and how long something takes to go wrong.
bool is_worst_smallest(const std::string& figure) {
  return figure.starts_with("smallest_") || figure.starts_with("first_") || figure.ends_with("_margin");
}

}  // namespace

bool reports_whole_results(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  return word == "all" || word == "none" || word == "worst" || word == "largest" || word == "smallest";
}

std::optional<ChosenRuns> read_chosen_runs(const std::string& text) {
  using Kind = ChosenRuns::Kind;
  if (text.empty() || text == "none") return ChosenRuns{};
  if (text == "all") return ChosenRuns{.kind = Kind::all};
  std::istringstream words(text);
  std::string way, by, rest;
  int count = 0;
  ChosenRuns chosen{.kind = Kind::some};
  if (!(words >> way >> count >> by >> chosen.figure) || by != "by" || count < 1 || words >> rest) return {};
  chosen.count = static_cast<std::size_t>(count);
  chosen.is_largest = way == "largest" || (way == "worst" && !is_worst_smallest(chosen.figure));
  return chosen;
}

std::string results_name(std::size_t run, std::size_t runs) {
  return fmt::format("run-{:0{}}.h5", run, std::max<std::size_t>(fmt::format("{}", runs).size(), 4));
}

}  // namespace wattloop::twin
