#include "api/engine/study_runs.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "core/numbers/instruction_level.hpp"
#include "core/text/problem.hpp"
#include "twin/study/plan/study_base.hpp"
#include "twin/study/study_engine.hpp"

namespace wattloop::engine {

using twin::StudyRow;

twin::StudyTable run_study(const StudyRequest& request, const std::function<bool(const StudyRow&)>& on_row) {
  Problems problems;
  constexpr int most_threads = 1024;
  if (request.threads < 1 || request.threads > most_threads)
    problems.add({{"threads", 0, 0}, fmt::format("{} threads", request.threads), "1 to 1024", {}});
  twin::Study study = twin::read_study(request.file, problems);
  if (!study.search.is_null())
    problems.add(twin::problem_at(study.search, "the study has a section `search`", "run it with wattloop search"));
  problems.throw_if_any(request.file.string());
  const twin::StudyBase base = twin::read_base(study, request.overrides);
  const twin::PlannedStudy plan = twin::plan_study(std::move(study), base, problems);
  problems.throw_if_any(request.file.string());
  twin::StudyTable table{.title = plan.study.title, .runs = plan.runs.size(), .columns = twin::table_columns(plan)};
  std::vector<std::size_t> runs(plan.runs.size());
  std::iota(runs.begin(), runs.end(), 1);
  const int threads = static_cast<int>(std::min(static_cast<std::size_t>(request.threads), runs.size()));
  std::atomic<bool> is_stopped = false;
  const auto take = [&](std::span<const StudyRow> rows) {
    for (const StudyRow& row : rows) {
      if (!is_stopped && !on_row(row)) is_stopped = true;
      table.rows.push_back(row);
    }
  };
  twin::run_study({.plan = plan, .base = base, .runs = std::move(runs), .threads = threads},
                  {.is_stop_requested = [&] { return is_stopped.load(); }, .when_kept = take, .grace = {}});
  std::ranges::sort(table.rows, {}, &StudyRow::run);
  return table;
}

std::string_view instructions_of_library() { return instructions(); }

}  // namespace wattloop::engine
