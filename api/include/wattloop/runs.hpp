// Whole runs: of a scenario into a results file, and of a study into a table.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <wattloop/hall.hpp>

namespace wattloop {
inline namespace v0 {
#pragma GCC visibility push(default)

/// Runs a scenario to its end, into `results`; the figures of its summary. `is_stop_requested` may end it early: no figures then.
std::vector<Figure> run(const std::filesystem::path& scenario, const std::filesystem::path& results,
                        const HallOptions& options = {}, const std::function<bool()>& is_stop_requested = {});

struct StudyOptions {
  std::vector<std::string> set{}, events{};  ///< of the base, as of `wattloop study`
  int threads = 1;
};

/// A run of a study, as in its table: a text for each column, empty where there is none.
struct StudyRow {
  std::size_t run = 0;               ///< from 1
  std::vector<std::string> cells{};  ///< numbers with as many digits as they have
  int exit_code = 0;                 ///< 0: it has an answer
  std::string message{};             ///< else why not
};

struct StudyColumn {
  std::string name{}, unit{}, text{};
  bool is_number = true;
};

struct StudyTable {
  std::string title{};
  std::vector<StudyColumn> columns{};
  std::vector<StudyRow> rows{};  ///< by run
};

/// All runs of a study, `threads` at once. `on_row` sees each row when its run has ended, on the calling thread; false ends the study early.
StudyTable study(const std::filesystem::path& file, const StudyOptions& options = {},
                 const std::function<bool(const StudyRow&)>& on_row = {});

/// "36 degC" as 309.15 for `si_unit` "K"; a number needs its unit, unless `si_unit` is 1. And a number of SI in another unit. Throw InputError.
double to_si(std::string_view quantity, std::string_view si_unit);
double from_si(double value, std::string_view si_unit, std::string_view unit);

/// "0.2.0", and the instructions that this library computes with: the same ones give the same bits.
std::string_view version();
std::string_view instructions();

#pragma GCC visibility pop
}  // namespace v0
}  // namespace wattloop
