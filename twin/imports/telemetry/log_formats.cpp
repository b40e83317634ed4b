// Which format a log has.
#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "core/tables/log_table.hpp"
#include "twin/imports/telemetry/log_readers.hpp"

namespace wattloop::twin {

namespace {

constexpr int most_looked_at = 400;

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view format_of_table(std::string_view head) {
  constexpr std::array<std::string_view, 13> owners{"node",     "host", "hostname", "nodename", "server",
                                                    "instance", "gpu",  "gpu_id",   "index",    "gpu_index",
                                                    "device",   "uuid", "gpu_uuid"};
  const char separator = has(head, ",") ? ',' : has(head, ";") ? ';' : '\t';
  std::size_t powers = 0, owned = 0;
  bool has_time = false, has_event = false, has_value = false;
  for (std::size_t position = 0; position <= head.size();) {
    const std::string name = in_small_letters(name_with_unit(next_cell(head, position, separator).text).name);
    powers += is_power_name(name) ? 1 : 0;
    has_value = has_value || name == "value";
    owned += std::ranges::find(owners, name) != owners.end() ? 1 : 0;
    has_event = has_event || name == "event";
    has_time = has_time || name.starts_with("t_") || has(name, "time") || name == "t" || name == "ts" ||
               has(name, "date") || has(name, "epoch");
  }
  if (has_event && powers == 0) return "mlperf-events";
  if (has(head, "power.draw") || (has_time && owned > 0 && has(head, "utilization.gpu"))) return "nvidia-smi";
  if (has_time && owned > 0 && (powers > 0 || has_value)) return "long";
  return has(head, std::string_view(&separator, 1)) ? "wide" : "";
}

/// Empty: the lines so far do not say it.
std::string_view format_of_line(std::string_view line, bool is_first) {
  if (has(line, ":::MLLOG")) return has(line, "power") ? "mlperf" : "mlperf-events";
  if (line.starts_with("Time,") && (has(line, ",Watts,") || has(line, ",ERROR,"))) return "ptd";
  if (has(line, "DCGM_FI_")) return "dcgm-exporter";
  if (line.starts_with("#") &&
      (has(line, "Entity") || has(in_small_letters(line), "gpu ") || has(in_small_letters(line), "gpuid")))
    return "dcgmi-dmon";
  if (line.starts_with("#") || line.starts_with("*")) return {};
  return is_first ? format_of_table(line) : std::string_view();
}

}  // namespace

bool is_power_name(std::string_view name) {
  const std::string small = in_small_letters(name);
  for (const std::string_view other :
       {"limit", "state", "factor", "cap", "max", "min", "default", "enforced", "management", "violation"}) {
    if (has(small, other)) return false;
  }
  return has(small, "power") || has(small, "watt") || has(small, "pwr") || !unit_of_name(name).empty();
}

std::string_view unit_of_name(std::string_view name) {
  if (const std::string_view unit = name_with_unit(name).unit; watts_of_unit(unit)) return unit;
  const std::size_t end = name.rfind('_');
  if (end == std::string_view::npos || end == 0) return {};
  const std::string_view unit = name.substr(end + 1);
  return watts_of_unit(unit) ? unit : std::string_view();
}

const LogFormat* detect_format(const std::string& file, Problems& problems) {
  LogLines lines(file, problems);
  std::string first;
  std::string_view found, events;
  CsvLine line;
  bool is_first = true;
  for (int count = 0; count < most_looked_at && found.empty() && lines.next(line); ++count) {
    found = format_of_line(line.text, is_first);
    if (first.empty()) first = line.text.substr(0, 90);
    if (!line.text.starts_with("#")) is_first = false;
    if (found == "mlperf-events" && has(line.text, ":::MLLOG")) {  // power may come later
      events = found;
      found = {};
    }
  }
  if (!lines.is_whole()) return nullptr;
  if (found.empty()) found = events;
  const auto format = std::ranges::find(log_formats, found, &LogFormat::name);
  if (format != log_formats.end()) return format;
  std::string known;
  for (const LogFormat& one : log_formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
  problems.add({{file, 1, 1}, "the format of this log is not known", "write --format with one of: " + known, first});
  return nullptr;
}

std::optional<double> time_of_scrape(ReadingFile& file, std::string_view what_to_do) {
  if (const std::optional<double> interval_s = file.logs.request.interval_s)
    return *interval_s * static_cast<double>(file.logs.scrapes);
  file.problems.add("its samples have no times", std::string(what_to_do));
  return std::nullopt;
}

}  // namespace wattloop::twin
