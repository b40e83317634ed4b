// What a table says as a whole: failures, violations, smallest, median and largest of each figure with their runs; and progress.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/simulation/progress.hpp"
#include "twin/study/tables/drawn_findings.hpp"
#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// Of one figure, over the runs that have it.
struct FigureSpread {
  std::size_t column = 0, count = 0;
  double least = 0.0, median = 0.0, most = 0.0;
  std::size_t least_run = 0, most_run = 0;  ///< of equal ones the first
};

struct LimitCount {
  std::size_t column = 0;
  std::vector<std::size_t> violating{};  ///< runs
};

struct StudyFindings {
  std::size_t runs = 0, done = 0;
  std::vector<std::size_t> failed{}, violating{};
  std::vector<FigureSpread> spreads{};
  std::vector<LimitCount> limits{};
  std::optional<DrawnFindings> drawn{};
};

StudyFindings find_in(const StudyTable& table);

/// "supply = 30 degC, part = cdu_1": what a run changes.
std::string run_text(const StudyTable& table, const StudyRow& row);

std::string findings_text(const StudyTable& table, const StudyFindings& findings);
std::string findings_json(const StudyTable& table, const StudyFindings& findings, const std::filesystem::path& folder);

/// A line that is redrawn on a terminal, now and then a line in a log.
class StudyProgress {
 public:
  StudyProgress(std::size_t done, std::size_t runs, ProgressStyle style, std::ostream& out,
                Clock clock = steady_clock());
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;
  ~StudyProgress() { finish(); }

  void add(std::span<const StudyRow> rows);
  void finish() noexcept;

 private:
  std::string line(double elapsed_s) const;

  std::size_t begun_with_, done_, runs_, violating_ = 0, failed_ = 0;
  ProgressStyle style_;
  std::ostream& out_;
  Clock clock_;
  double begin_s_, last_s_;
  bool is_open_ = false;
};

}  // namespace wattloop::twin
