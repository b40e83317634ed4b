#include "twin/imports/telemetry/power_logs_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/time_stamps.hpp"
#include "twin/imports/telemetry/log_readers.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

/// "node01" of "logs/node01.csv.gz".
std::string node_of_file(const fs::path& file) {
  fs::path name = file.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

/// J of a series from its first sample to its last.
double energy_j(const PowerSeries& series) {
  return series.times_s.empty() ? 0.0 : hold_integral(series.times_s, series.power_w, series.times_s.back());
}

/// Samples of one clock, by GPU: power where it was asked for, or counters where there are any of all GPUs.
void choose_quantity(PowerLog& log, const std::vector<PowerSeries>& counters, const LogRequest& request) {
  std::erase_if(log.series, [](const PowerSeries& one) { return one.times_s.empty(); });
  const bool has_powers = !log.series.empty();
  if (counters.empty() || (has_powers && (request.quantity == "power" || counters.size() < log.series.size()))) {
    if (!counters.empty() && request.quantity != "power")
      log.notes.push_back(fmt::format("{} of {} GPUs have an energy counter: the samples of power are used",
                                      counters.size(), log.series.size()));
    return;
  }
  const double powers_j = [&] {
    double sum_j = 0.0;
    for (const PowerSeries& one : log.series) sum_j += energy_j(one);
    return sum_j;
  }();
  log.series = means_of_counters(counters, log);
  log.has_counter_means = true;
  double counted_j = 0.0;
  for (const PowerSeries& one : log.series) counted_j += energy_j(one);
  if (has_powers && counted_j > 0.0)
    log.notes.push_back(
        fmt::format("power is the mean between readings of the energy counter; the power samples, each used until the "
                    "next one, give {:+.2f} % more energy",
                    100.0 * (powers_j / counted_j - 1.0)));
}

}  // namespace

std::vector<PowerSeries> means_of_counters(const std::vector<PowerSeries>& counters, PowerLog& log) {
  std::vector<PowerSeries> means;
  for (const PowerSeries& counter : counters) {
    PowerSeries mean{.node = counter.node, .gpu = counter.gpu};
    for (std::size_t from = 0; from + 1 < counter.times_s.size();) {
      std::size_t to = from + 1;
      while (to + 1 < counter.times_s.size() && counter.power_w[to] == counter.power_w[from]) {
        ++to;
        ++log.repeated_values;
      }
      const double energy_j = counter.power_w[to] - counter.power_w[from];
      if (energy_j < 0.0) {
        ++log.counter_resets;
      } else if (energy_j > 0.0) {
        mean.times_s.push_back(counter.times_s[from]);
        mean.power_w.push_back(energy_j / (counter.times_s[to] - counter.times_s[from]));
      }
      from = to;
    }
    if (!mean.times_s.empty()) means.push_back(std::move(mean));
  }
  return means;
}

namespace {

/// The formats of all files; none where one is of no known format, which is reported.
std::vector<const LogFormat*> formats_of(const std::vector<fs::path>& files, const LogRequest& request,
                                         Problems& problems) {
  std::vector<const LogFormat*> formats;
  const LogFormat* of_power = nullptr;
  for (const fs::path& path : files) {
    const auto asked = std::ranges::find(log_formats, request.format, &LogFormat::name);
    const LogFormat* const format = asked != log_formats.end() ? &*asked : detect_format(path.string(), problems);
    formats.push_back(format);
    if (format == nullptr || format->name == "mlperf-events") continue;
    if (of_power != nullptr && of_power != format)
      problems.add(
          {{path.string(), 0, 0},
           fmt::format("is a log of another format ({}) than those before it ({})", format->name, of_power->name),
           "import logs of one format together, and give it with --format",
           {}});
    of_power = format;
  }
  return formats;
}

bool is_of_power(const LogFormat* format) { return format != nullptr && format->name != "mlperf-events"; }

}  // namespace

PowerLog read_power_logs(const std::vector<fs::path>& files, const LogRequest& request, Problems& problems) {
  PowerLog log;
  std::vector<PowerSeries> counters;
  SampleBook powers(log, log.series), energies(log, counters);
  ReadingLogs logs{.request = request, .log = log, .powers = powers, .energies = energies};
  const std::vector<const LogFormat*> formats = formats_of(files, request, problems);
  const auto logs_of_power = std::ranges::count_if(formats, is_of_power);
  for (std::size_t k = 0; k < files.size(); ++k) {
    const LogFormat* const format = formats[k];
    if (format == nullptr) continue;
    const std::string name = files[k].string();
    log.files.push_back(name);
    if (is_of_power(format)) log.format = format->name;
    LogLines lines(files[k], problems);
    if (!lines.is_whole()) continue;
    CsvProblems collected(name, problems);
    powers.begin_file(name);
    energies.begin_file(name);
    ReadingFile file{logs, lines, collected, node_of_file(files[k]), logs_of_power == 1};
    format->read(file);
    collected.finish();
  }
  powers.finish(problems);
  energies.finish(problems);
  if (!problems.empty()) return log;
  choose_quantity(log, counters, request);
  if (log.series.empty())
    problems.add({{files.front().string(), 0, 0},
                  logs_of_power == 0 ? "there are events, but no log of power" : "there is no sample of power",
                  "a log with rows of power",
                  {}});
  return log;
}

}  // namespace wattloop::twin
