// Logs of MLPerf runs: power and events as lines of JSON, events as a table, and the meter's own log.
//
//   :::MLLOG {"time_ms": 1694773425123, "key": "power_reading", "value": 6930.0, "metadata": {"host": "node_1"}}
//   t_s,event,value,epoch_num_or_step
//   Time,01-22-2021 15:05:14.313,Watts,22.970000,Volts,227.370000,Amps,0.204340,PF,0.494400,Mark,ranging
#include <cmath>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/tables/log_table.hpp"
#include "twin/imports/telemetry/log_readers.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::json;

constexpr std::string_view mark = ":::MLLOG";
constexpr double ms_per_s = 1000.0;

struct NamedEvent {
  std::string name;
  double time_s;
  std::optional<double> step_s{};
};

void take_event(const NamedEvent& event, PowerLog& log) {
  if (!log.events) log.events.emplace();
  RunEvents& events = *log.events;
  if (event.name == "run_start" && !events.start_s) events.start_s = event.time_s;
  if (event.name == "run_stop") events.stop_s = event.time_s;
  if (event.name == "eval_start") ++events.evaluations;
  if (event.step_s) {
    ++events.step_times;
    events.mean_step_s += (*event.step_s - events.mean_step_s) / static_cast<double>(events.step_times);
  }
}

/// "train_step_timing in s=10.6171".
std::optional<double> step_in(std::string_view text) {
  if (!text.starts_with("train_step_timing")) return std::nullopt;
  const std::size_t at = text.find('=');
  return at == std::string_view::npos ? std::nullopt : number_in(text.substr(at + 1));
}

class MlperfReader {
 public:
  explicit MlperfReader(ReadingFile& file) : file_(file) {}

  void run() {
    CsvLine line;
    while (file_.lines.next(line)) {
      const std::size_t at = line.text.find(mark);
      if (at != std::string_view::npos) take(line, at + mark.size());
    }
    if (is_read_) file_.logs.powers.demand_clock(ClockKind::unix_time, file_.problems);
    if (switches_ > 0)
      file_.logs.log.notes.push_back(fmt::format(
          "{} estimates of the power of switches are not read, because they are not the power of nodes", switches_));
  }

 private:
  void take(const CsvLine& line, std::size_t at) {
    const Json json = Json::parse(line.text.substr(at), nullptr, false);
    const auto refuse = [&](std::string what) {
      file_.problems.add(line, static_cast<int>(at) + 1, std::move(what),
                         "{\"time_ms\": ..., \"key\": \"power_reading\", \"value\": ...}; a line that was cut off?");
    };
    if (json.is_discarded() || !json.is_object()) return refuse("there is no JSON after :::MLLOG");
    const auto key = json.find("key"), time = json.find("time_ms");
    if (key == json.end() || !key->is_string() || time == json.end() || !time->is_number())
      return refuse("the line has no key and time_ms");
    const std::string name = *key;
    const double time_s = time->get<double>() / ms_per_s;
    const Json metadata = json.value("metadata", Json::object()), value = json.value("value", Json());
    if (name == "conversion_eff" || name == "convertion_eff") return take_boundary(metadata);
    if (name == "interconnect_power_est") {
      ++switches_;
      return;
    }
    is_read_ = true;
    if (name != "power_reading") return take_event({name, time_s, step_of(value)}, file_.logs.log);
    const bool is_good = value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0.0;
    if (!is_good) return refuse("the power is no number, or negative");
    const auto host = metadata.is_object() ? metadata.find("host") : metadata.end();
    const std::string node = host != metadata.end() && host->is_string() ? host->get<std::string>() : file_.node;
    SampleBook& book = file_.logs.powers;
    book.add(book.series_of(node, ""), {time_s, value.get<double>(), line, static_cast<int>(at) + 1}, file_.problems);
  }

  static std::optional<double> step_of(const Json& value) {
    if (!value.is_object()) return std::nullopt;
    for (const auto& [name, seconds] : value.items()) {
      if (name.starts_with("train_step_timing") && seconds.is_number()) return seconds.get<double>();
    }
    return std::nullopt;
  }

  void take_boundary(const Json& metadata) {
    const auto found = metadata.is_object() ? metadata.find("measurement_type") : metadata.end();
    if (found == metadata.end() || !found->is_string()) return;
    const std::string type = *found;
    if (type != "AC" && type != "DC") return;
    file_.logs.log.boundary = type == "AC" ? "node_ac" : "node_dc";
    file_.logs.log.boundary_source = fmt::format("conversion_eff of the log says {}", type);
  }

  ReadingFile& file_;
  std::size_t switches_ = 0;
  bool is_read_ = false;
};

}  // namespace

void read_mlperf_log(ReadingFile& file) { MlperfReader(file).run(); }

void read_mlperf_events(ReadingFile& file) {
  CsvLine first;
  Problems ignored;
  LogLines look(file.lines.file(), ignored);
  const bool is_table = look.next(first) && first.text.find(mark) == std::string_view::npos &&
                        first.text.find("event") != std::string_view::npos;
  if (!is_table) return read_mlperf_log(file);
  LogTable table(file.lines, file.problems);
  if (!table.has_head()) return;
  const auto time = table.demand_column({"t_s", "time_s", "time", "timestamp"}),
             event = table.demand_column({"event", "key"});
  const auto value = table.column({"value"});
  if (!time || !event) return;
  LogClock clock;
  while (table.next()) {
    const CsvCell& stamp = table.cell(*time);
    const std::optional<double> time_s = clock.read(stamp.text);
    if (!time_s) {
      file.problems.add(table.row(), stamp.column, fmt::format("time '{}' cannot be read", stamp.text),
                        clock.expected());
      continue;
    }
    take_event({table.cell(*event).unquoted(), *time_s, value ? step_in(table.cell(*value).text) : std::nullopt},
               file.logs.log);
  }
  file.logs.powers.demand_clock(clock.kind(), file.problems);
}

void read_ptd_log(ReadingFile& file) {
  CsvLine line;
  std::optional<LogClock> clock;
  PowerCells powers("Watts", "W", file.problems);
  const std::size_t series = file.logs.powers.series_of(file.node, "");
  bool is_samples = false;
  while (file.lines.next(line)) {
    if (!line.text.starts_with("Time,")) continue;
    const CsvCell stamp = cell_at(line.text, 1);
    std::size_t position = 0;
    std::vector<CsvCell> cells;
    while (position <= line.text.size()) cells.push_back(next_cell(line.text, position));
    if (cells.size() > 2 && cells[2].text == "ERROR") {
      ++file.logs.log.missing_cells;
      continue;
    }
    if (cells.size() < 4 || cells[2].text != "Watts") {
      file.problems.add(line, static_cast<int>(line.text.size()) + 1, "there is no power after the time",
                        "Time,MM-DD-YYYY hh:mm:ss,Watts,...; a line that was cut off?");
      continue;
    }
    if (!clock) {
      const bool is_day_first = stamp.text.size() > 2 && stamp.text.substr(0, 2) > "12";
      clock.emplace(is_day_first ? "DD/MM/YYYY" : "MM/DD/YYYY");
      file.logs.log.notes.push_back(fmt::format("dates such as {} are read as {}", stamp.text.substr(0, 10),
                                                is_day_first ? "day-month-year" : "month-day-year"));
    }
    const std::optional<double> time_s = clock->read(stamp.text);
    if (!time_s) {
      file.problems.add(line, stamp.column, fmt::format("time '{}' cannot be read", stamp.text), clock->expected());
      continue;
    }
    const std::optional<double> power_w = powers.read(line, cells[3], file.logs.log.missing_cells);
    if (!power_w) continue;
    is_samples = true;
    file.logs.powers.add(series, {*time_s, *power_w, line, cells[3].column}, file.problems);
  }
  if (is_samples) file.logs.powers.demand_clock(ClockKind::date, file.problems);
}

}  // namespace wattloop::twin
