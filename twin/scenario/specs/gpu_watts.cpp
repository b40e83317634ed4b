#include "twin/scenario/specs/gpu_watts.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/tables/csv_table.hpp"

namespace wattloop::twin {

std::vector<GpuWatts> read_gpu_watts(const std::filesystem::path& file, const Mention& named_at, Problems& problems) {
  std::vector<GpuWatts> rows;
  const std::optional<CsvTable> table = read_csv_table(file, problems, named_at);
  if (!table || !table->is_whole) return rows;
  if (table->names.empty() || table->names.front() != "t_s") {
    problems.add(
        table->problem(table->head, 0, "the first column is not t_s", "write the seconds after the time of the event"));
    return rows;
  }
  double last_s = -std::numeric_limits<double>::infinity();
  for (const CsvLine& line : table->rows) {
    std::vector<double> numbers;
    numbers.reserve(table->names.size());
    for (std::size_t position = 0; numbers.size() < table->names.size();) {
      const std::optional<double> number = number_in(next_cell(line.text, position, table->separator).text);
      if (!number || !std::isfinite(*number) || *number < 0.0) {
        problems.add(table->problem(line, numbers.size(), "a cell has no number of seconds or watts",
                                    "write a number of 0 or more in every cell"));
        return rows;
      }
      numbers.push_back(*number);
    }
    if (numbers.front() <= last_s) {
      problems.add(
          table->problem(line, 0, "times do not increase", "write each row with a later time than the row before"));
      return rows;
    }
    last_s = numbers.front();
    rows.push_back({last_s, std::make_shared<const std::vector<double>>(numbers.begin() + 1, numbers.end())});
  }
  if (!rows.empty())
    rows.front().gpus = std::make_shared<const std::vector<std::string>>(table->names.begin() + 1, table->names.end());
  if (rows.empty()) problems.add({named_at.place, "the file has no rows of watts", "t_s,gpu_1,...", named_at.excerpt});
  return rows;
}

std::string gpu_watts_text(std::span<const std::string> gpus, std::span<const GpuWatts> rows) {
  std::string text = "t_s";
  for (const std::string& gpu : gpus) text += "," + gpu;
  text += "\n";
  for (const GpuWatts& row : rows) {
    text += fmt::format("{}", row.at_s);
    for (const double watts : *row.each_w) fmt::format_to(std::back_inserter(text), ",{}", watts);
    text += "\n";
  }
  return text;
}

}  // namespace wattloop::twin
