#include "twin/search/kept_runs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace wattloop::twin {

KeptRuns::KeptRuns(const PlannedStudy& plan, const StudyBase& base, Journal& journal, Options options)
    : plan_(plan), base_(base), journal_(journal), options_(std::move(options)) {
  for (const StudyRow& row : journal.rows()) rows_.emplace(row.run, row);
}

void KeptRuns::make(std::span<const std::size_t> runs) {
  EngineWork work{.plan = plan_, .base = base_, .runs = {}, .threads = 1};
  std::ranges::copy_if(runs, std::back_inserter(work.runs), [&](std::size_t run) { return !rows_.contains(run); });
  if (work.runs.empty()) return;
  work.threads = static_cast<int>(std::min(work.runs.size(), static_cast<std::size_t>(options_.threads)));
  const bool is_done = run_study(work, journal_, {options_.is_stop_requested, [&](std::span<const StudyRow> rows) {
                                                    for (const StudyRow& row : rows) rows_.emplace(row.run, row);
                                                    options_.when_kept(rows);
                                                  }});
  if (!is_done) throw Interrupted{};
}

std::vector<StudyRow> KeptRuns::rows_of(const std::vector<std::size_t>& runs,
                                        const std::function<bool(const StudyRow&)>& is_enough) {
  const std::size_t at_once =
      is_enough ? static_cast<std::size_t>(options_.threads) : std::max<std::size_t>(runs.size(), 1);
  std::vector<StudyRow> found;
  bool has_enough = false;
  for (std::size_t first = 0; first < runs.size() && !has_enough; first += at_once) {
    const auto batch = std::span(runs).subspan(first, std::min(at_once, runs.size() - first));
    make(batch);
    for (const std::size_t run : batch) {
      found.push_back(rows_.at(run));
      has_enough = has_enough || (is_enough && is_enough(found.back()));
    }
  }
  std::ranges::sort(found, {}, &StudyRow::run);
  return found;
}

}  // namespace wattloop::twin
