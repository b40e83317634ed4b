#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/study/tables/study_table_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view verdict_explained = ": 1 held, 0 violated, -1 no run";

TableColumn column_of(const Hdf5Info& info) {
  TableColumn column{.name = info.name, .unit = info.attribute("units"), .long_name = info.attribute("long_name")};
  const std::string role = info.attribute(role_attribute);
  column.is_change = role == "change";
  if (info.type == Hdf5Type::text) column.kind = TableColumn::Kind::text;
  if (role == "verdict") {
    column.kind = TableColumn::Kind::verdict;
    column.name = column.long_name = column.long_name.substr(0, column.long_name.find(verdict_explained));
  }
  return column;
}

std::vector<std::string> cells_of(const Hdf5Reader& file, const Hdf5Info& info, TableColumn::Kind kind) {
  if (kind == TableColumn::Kind::text) return file.read<std::string>(info.name);
  std::vector<std::string> cells;
  if (kind == TableColumn::Kind::verdict) {
    for (const std::int64_t verdict : file.read<std::int64_t>(info.name))
      cells.emplace_back(verdict < 0 ? "" : verdict == 1 ? "held" : "violated");
  } else {
    for (const double value : file.read<double>(info.name))
      cells.push_back(std::isfinite(value) ? fmt::format("{}", value) : "");
  }
  return cells;
}

}  // namespace

bool is_study_table(const std::filesystem::path& file) { return Hdf5Reader(file).number_attribute("study_runs") >= 0; }

std::optional<std::filesystem::path> study_table_file(const std::filesystem::path& given) {
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::is_directory(given, ignored) ? given / "study.h5" : given;
  if (file != given && !std::filesystem::exists(file, ignored))
    throw FileError(
        fmt::format("cannot read {}: the folder contains no study.h5, the table that `wattloop study` writes when all "
                    "runs are done",
                    printable(given.string())));
  return is_results_file(file) && is_study_table(file) ? std::optional(file) : std::nullopt;
}

StudyTable read_study_table(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  const int runs = file.number_attribute("study_runs");
  if (runs < 0 || !file.has("run"))
    throw FileError(fmt::format("cannot read {}: not the table of a study", path.string()));
  StudyTable table{.title = file.text_attribute("title"), .runs = static_cast<std::size_t>(runs)};
  table.is_drawn = file.number_attribute(drawn_attribute) > 0;
  table.answer = file.text_attribute(answer_attribute);
  const auto numbers = file.read<std::int64_t>("run"), codes = file.read<std::int64_t>("exit_code");
  const auto messages = file.read<std::string>("message");
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    table.rows.push_back({.run = static_cast<std::size_t>(numbers[row]),
                          .exit_code = static_cast<int>(codes.at(row)),
                          .message = messages.at(row)});
  }
  std::map<int, Hdf5Info> by_place;
  for (Hdf5Info& info : file.variables("/")) {
    const std::string place = info.attribute(place_attribute);
    if (!place.empty()) by_place.emplace(std::stoi(place), std::move(info));
  }
  if (by_place.empty())
    throw FileError(
        fmt::format("cannot read {}: it does not say which columns are the changes; run the same study again: the "
                    "finished rows are kept",
                    path.string()));
  for (const auto& [place, info] : by_place) {
    table.columns.push_back(column_of(info));
    const std::vector<std::string> cells = cells_of(file, info, table.columns.back().kind);
    for (std::size_t row = 0; row < table.rows.size(); ++row) table.rows[row].cells.push_back(cells.at(row));
  }
  return table;
}

}  // namespace wattloop::twin
