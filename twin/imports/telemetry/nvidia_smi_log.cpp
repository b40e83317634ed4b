// `nvidia-smi --query-gpu=timestamp,index,power.draw,... --format=csv -lms 100`: a row for each GPU and time.
//
//   timestamp, index, power.draw [W]
//   2023/09/15 10:23:45.123, 0, 612.34 W
//
// Columns in any order, units in cells or (nounits) not; the head may come again. power.draw is that of the whole board.
#include <fmt/format.h>

#include "core/tables/log_table.hpp"
#include "twin/imports/telemetry/log_readers.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view query = "nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv -lms 100";

struct Columns {
  std::optional<std::size_t> time, gpu, power;
};

Columns columns_of(LogTable& table, ReadingFile& file) {
  Columns columns{
      .time = table.column({"timestamp"}),
      .gpu = table.column({"index", "gpu_uuid", "uuid", "pci.bus_id", "gpu_bus_id", "gpu_serial", "serial", "pci.bus"}),
      .power = table.column({"power.draw", "power.draw.average", "power.draw.instant", "module.power.draw.average",
                             "module.power.draw.instant"}),
  };
  if (!columns.time) file.problems.add(table.head(), 1, "there is no column 'timestamp'", std::string(query));
  if (!columns.power) file.problems.add(table.head(), 1, "there is no column of power", std::string(query));
  return columns;
}

void say_boundary(const std::string& column, PowerLog& log) {
  const std::string_view name = name_with_unit(column).name;
  if (name.starts_with("module.")) {
    log.notes.push_back(fmt::format("column '{}': power of the module, which may have a CPU beside the GPU", name));
    return;
  }
  log.boundary = "board";
  log.boundary_source = fmt::format("{} of nvidia-smi is the power of the whole board", name);
}

}  // namespace

void read_nvidia_smi(ReadingFile& file) {
  LogTable table(file.lines, file.problems);
  if (!table.has_head()) return;
  const Columns columns = columns_of(table, file);
  if (!columns.time || !columns.power) return;
  say_boundary(table.names()[*columns.power], file.logs.log);
  const std::string unit(name_with_unit(table.names()[*columns.power]).unit);
  PowerCells powers("power.draw", unit.empty() ? "W" : unit, file.problems);
  LogClock clock;
  while (table.next()) {
    const CsvCell& stamp = table.cell(*columns.time);
    const std::optional<double> time_s = clock.read(stamp.text);
    if (!time_s) {
      file.problems.add(table.row(), stamp.column, fmt::format("time '{}' cannot be read", stamp.text),
                        clock.expected());
      continue;
    }
    const CsvCell& cell = table.cell(*columns.power);
    const std::string_view gpu = columns.gpu ? table.cell(*columns.gpu).text : "0";
    const std::size_t series = file.logs.powers.series_of(file.node, gpu);
    const std::optional<double> power_w = powers.read(table.row(), cell, file.logs.log.missing_cells);
    if (power_w) file.logs.powers.add(series, {*time_s, *power_w, table.row(), cell.column}, file.problems);
  }
  file.logs.powers.demand_clock(clock.kind(), file.problems);
  file.logs.log.repeated_heads += table.repeated_heads();
}

}  // namespace wattloop::twin
