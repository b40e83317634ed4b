// The table of a study: a row for each run, what it changed, figures, verdicts; as CSV and as HDF5 that xarray opens.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "twin/study/plan/study_base.hpp"
#include "twin/study/runs/one_run.hpp"

namespace wattloop::twin {

struct TableColumn {
  enum class Kind { number, text, verdict };
  std::string name{}, unit{}, long_name{};
  Kind kind = Kind::number;
  bool is_change = false;  ///< false: a result
};

/// One finished run. Cells are texts: a number, "held" or "violated"; empty where there is none.
struct StudyRow {
  std::size_t run = 0;
  int exit_code = 0;
  std::vector<std::string> cells{};
  std::string message{};
};

struct StudyTable {
  std::string title{};
  std::size_t runs = 0;  ///< of the whole study
  std::vector<TableColumn> columns{};
  std::vector<StudyRow> rows{};  ///< by run
  std::string whole_results{};   ///< of which runs they are kept
  bool is_drawn = false;         ///< rows are draws of distributions
  std::string answer{};          ///< of a search: what it found, in words; empty of studies
};

/// Attributes of a column of the HDF5 file: "change", "figure" or "verdict", and its place in the table, from 1.
inline constexpr const char* role_attribute = "role";
inline constexpr const char* drawn_attribute = "drawn_of_distributions";
inline constexpr const char* answer_attribute = "answer";
inline constexpr const char* place_attribute = "place";

/// Changes, figures, limits.
std::vector<TableColumn> table_columns(const PlannedStudy& plan);

StudyRow row_of(const StudyRun& run, const RunOutcome& outcome, const PlannedStudy& plan);

/// " degC" behind a number; empty where it has no unit.
std::string unit_text(const TableColumn& column);

/// A number of a cell; not a number where it is none.
double number_of(const std::string& cell);

/// Runs whose whole results are kept; of equal ones the first. What has no figure is not chosen.
std::vector<std::size_t> choose(const ChosenRuns& chosen, const StudyTable& table);

/// With a line of names and units. Appears whole or not at all; throws FileError.
void write_csv(const StudyTable& table, const std::filesystem::path& file);
void write_hdf5(const StudyTable& table, const std::filesystem::path& file);

}  // namespace wattloop::twin
