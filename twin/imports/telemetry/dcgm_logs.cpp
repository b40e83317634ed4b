// What DCGM reports of GPUs: the text that its exporter serves to Prometheus, and the table of `dcgmi dmon`.
//
//   DCGM_FI_DEV_POWER_USAGE{gpu="0",Hostname="n1"} 612.34 1694773425123       #Entity   POWER    TOTEC
//   DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",Hostname="n1"} 32972735665   ID        W        mJ
//                                                                             GPU 0     612.340  32972735665
//
// Both are of the whole board, as nvidia-smi reports it. Samples without times are one interval apart, or at the time in the name of their file.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "twin/imports/telemetry/log_readers.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view power_metric = "DCGM_FI_DEV_POWER_USAGE";
constexpr std::string_view energy_metric = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
constexpr double mj_per_j = 1000.0;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

void say_boundary(PowerLog& log) {
  log.boundary = "board";
  log.boundary_source = "power and energy of DCGM are measured for the whole board";
}

/// Whole numbers in a text: "scrape_2026-07-15T10-00-15.prom" has 2026, 07, 15, 10, 00, 15.
std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> numbers(1);
  for (const char c : text) {
    if (is_digit(c)) numbers.back() += c;
    if (!is_digit(c) && !numbers.back().empty()) numbers.emplace_back();
  }
  if (numbers.back().empty()) numbers.pop_back();
  return numbers;
}

/// The time in the name of a file: UNIX seconds or milliseconds, or a date with its time to the second.
std::optional<double> time_in_name(const std::string& file, ClockKind& kind) {
  const std::string name = file.substr(file.find_last_of('/') + 1);
  const std::vector<std::string> numbers = numbers_in(name);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    kind = ClockKind::unix_time;
    if (numbers[k].size() == 10 && numbers[k] > "1000000000") return std::stod(numbers[k]);
    if (numbers[k].size() == 13) return std::stod(numbers[k]) / 1000.0;
    kind = ClockKind::date;
    std::string date;
    if (numbers[k].size() == 8 && k + 1 < numbers.size() && numbers[k + 1].size() == 6) {
      const std::string &day = numbers[k], &time = numbers[k + 1];
      date = fmt::format("{}-{}-{}T{}:{}:{}", day.substr(0, 4), day.substr(4, 2), day.substr(6), time.substr(0, 2),
                         time.substr(2, 2), time.substr(4));
    } else if (numbers[k].size() == 4 && k + 5 < numbers.size()) {
      date = fmt::format("{}-{}-{}T{}:{}:{}", numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3],
                         numbers[k + 4], numbers[k + 5]);
    }
    if (const std::optional<LocalTime> time = parse_local_time(date)) return seconds_between({1970, 1, 1}, *time);
  }
  return std::nullopt;
}

/// One line of the text format of Prometheus.
struct Metric {
  std::string_view name{};
  std::map<std::string, std::string, std::less<>> labels{};
  std::string_view value{}, stamp{};
  int value_column = 1;
};

class MetricLine {
 public:
  MetricLine(const CsvLine& line, CsvProblems& problems) : line_(line), rest_(line.text), problems_(problems) {}

  std::optional<Metric> read() {
    Metric metric{.name = take_until("{ \t")};
    if (!rest_.empty() && rest_.front() == '{' && !read_labels(metric)) return std::nullopt;
    metric.value_column = column();
    metric.value = take_word();
    metric.stamp = take_word();
    if (!metric.value.empty() && rest_.empty()) return metric;
    problems_.add(line_, column(),
                  metric.value.empty() ? "the line ends before its value" : "text behind the time of the sample",
                  "NAME{label=\"...\"} VALUE, and perhaps a time in milliseconds");
    return std::nullopt;
  }

 private:
  int column() const { return static_cast<int>(line_.text.size() - rest_.size()) + 1; }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view take_until(std::string_view ends) {
    const std::string_view taken = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view take_word() {
    skip_blanks();
    const std::string_view word = take_until(" \t");
    skip_blanks();
    return word;
  }

  bool read_labels(Metric& metric) {
    rest_.remove_prefix(1);
    for (;;) {
      while (!rest_.empty() && (is_blank(rest_.front()) || rest_.front() == ',')) rest_.remove_prefix(1);
      if (rest_.starts_with('}')) break;
      const std::string name(take_until("=},"));
      if (!rest_.starts_with("=\"")) return refuse();
      rest_.remove_prefix(2);
      std::string value;
      while (!rest_.empty() && rest_.front() != '"') {
        if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
        value += rest_.front();
        rest_.remove_prefix(1);
      }
      if (rest_.empty()) return refuse();
      rest_.remove_prefix(1);
      metric.labels[name] = value;
    }
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }

  bool refuse() {
    problems_.add(line_, column(), "the labels do not end in this line",
                  "a line that was cut off? {gpu=\"0\",Hostname=\"node1\"}");
    return false;
  }

  const CsvLine& line_;
  std::string_view rest_;
  CsvProblems& problems_;
};

class ExporterReader {
 public:
  explicit ExporterReader(ReadingFile& file) : file_(file), file_time_s_(time_in_name(file.lines.file(), file_kind_)) {}

  void run() {
    CsvLine line;
    while (file_.lines.next(line)) {
      if (line.text.front() == '#' || !(line.text.starts_with(power_metric) || line.text.starts_with(energy_metric)))
        continue;
      const std::optional<Metric> metric = MetricLine(line, file_.problems).read();
      if (metric && (metric->name == power_metric || metric->name == energy_metric) && !take(*metric, line)) return;
    }
    ++file_.logs.scrapes;
    if (!has_samples_)
      file_.problems.add("it has no power of a GPU", fmt::format("a sample of {} or {}", power_metric, energy_metric));
    if (has_samples_) file_.logs.powers.demand_clock(kind_, file_.problems);
  }

 private:
  static std::string_view label(const Metric& metric, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      if (const auto found = metric.labels.find(name); found != metric.labels.end()) return found->second;
    }
    return {};
  }

  /// False where the file is of no use without more from the command line.
  bool take(const Metric& metric, const CsvLine& line) {
    const std::string node(label(metric, {"Hostname", "hostname", "host", "node", "instance"}));
    const std::string gpu(label(metric, {"gpu", "UUID", "device"}));
    const std::optional<double> value = number_in(metric.value);
    if (!value || !std::isfinite(*value) || *value < 0.0) {
      file_.problems.add(line, metric.value_column, fmt::format("'{}' is no power or energy", metric.value),
                         "a number, not negative");
      return true;
    }
    const std::string key = fmt::format("{}\n{}\n{}", metric.name, node, gpu);
    const std::string instance(label(metric, {"GPU_I_ID"}));
    const auto [first, is_new] = instances_.try_emplace(key, instance);
    if (!is_new && first->second != instance) return true;  // of another instance of the same board
    return add(metric, line, {node, gpu, key, *value});
  }

  struct Named {
    std::string node, gpu, key;
    double value;
  };

  bool add(const Metric& metric, const CsvLine& line, const Named& one) {
    const std::optional<double> time_s = time_of(metric, line, one.key);
    if (!time_s) return false;
    has_samples_ = true;
    const bool is_power = metric.name == power_metric;
    SampleBook& book = is_power ? file_.logs.powers : file_.logs.energies;
    book.add(book.series_of(one.node, one.gpu),
             {*time_s, is_power ? one.value : one.value / mj_per_j, line, metric.value_column}, file_.problems);
    return true;
  }

  std::optional<double> time_of(const Metric& metric, const CsvLine& line, const std::string& key) {
    if (!metric.stamp.empty()) {
      const std::optional<double> milliseconds = number_in(metric.stamp);
      if (!milliseconds)
        file_.problems.add(line, metric.value_column,
                           fmt::format("time '{}' is no number of milliseconds", metric.stamp));
      kind_ = ClockKind::unix_time;
      return milliseconds ? std::optional(*milliseconds / 1000.0) : std::nullopt;
    }
    if (file_time_s_) {
      kind_ = file_kind_;
      return file_time_s_;
    }
    if (++seen_[key] > 1) {  // the next scrape in the same file
      seen_.clear();
      seen_[key] = 1;
      ++file_.logs.scrapes;
    }
    return time_of_scrape(
        file_, "write --interval 15 s, the time between scrapes, if neither samples nor file names have times");
  }

  ReadingFile& file_;
  ClockKind file_kind_ = ClockKind::seconds, kind_ = ClockKind::seconds;
  std::optional<double> file_time_s_;
  std::unordered_map<std::string, int> seen_;
  std::unordered_map<std::string, std::string> instances_;  ///< of a GPU that is shared: the first that has its power
  bool has_samples_ = false;
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(" \t"); at != std::string_view::npos;
       at = text.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

class DmonReader {
 public:
  explicit DmonReader(ReadingFile& file) : file_(file) {}

  void run() {
    CsvLine line;
    while (file_.lines.next(line)) {
      std::vector<std::string_view> words = words_of(line.text);
      if (words.front() == "#") words.erase(words.begin());
      if (words.empty()) continue;
      if (line.text[line.text.find_first_not_of(" \t")] == '#') {
        if (!read_head(line, words)) return;
      } else if (words.front() != "ID" && words.front() != "Id" && !read_row(line, words)) {
        return;
      }
    }
    ++file_.logs.scrapes;
    file_.logs.powers.demand_clock(ClockKind::seconds, file_.problems);
  }

 private:
  bool read_head(const CsvLine& line, const std::vector<std::string_view>& words) {
    const std::vector<std::string> names(words.begin() + 1, words.end());
    if (!names_.empty()) {
      ++file_.logs.log.repeated_heads;
      if (names == names_) return true;
      file_.problems.add(line, 1, "a second header with other columns than the first",
                         "if two logs are in one file, split it and import both files");
      return false;
    }
    names_ = names;
    const auto number = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
    };
    power_ = number("POWER");
    energy_ = number("TOTEC");
    if (power_ < names_.size() || energy_ < names_.size()) return true;
    file_.problems.add(line, 1, "there is no column of power",
                       "the columns are POWER and TOTEC, as dcgmi dmon -e 155,156 -d 100 writes them");
    return false;
  }

  bool read_row(const CsvLine& line, std::vector<std::string_view> words) {
    const bool is_named = !is_digit(words.front().front());
    if (is_named && words.front() != "GPU") return true;  // an instance, a switch, a CPU
    const std::size_t first = is_named ? 2 : 1;
    if (words.size() != names_.size() + first || names_.empty()) {
      file_.problems.add(line, static_cast<int>(line.text.size()) + 1,
                         fmt::format("{} values, but the header names {} columns",
                                     words.size() - std::min(first, words.size()), names_.size()),
                         "if the line was cut off, delete it");
      return true;
    }
    const std::string gpu(words[first - 1]);
    if (!seen_.insert_or_assign(gpu, true).second) {  // it is there already: the next sample
      seen_.clear();
      seen_[gpu] = true;
      ++file_.logs.scrapes;
    }
    const std::optional<double> time_s = time_of_scrape(
        file_, "write --interval 1 s, the time between samples: the delay of dcgmi dmon -d, 1 s if none was given");
    if (!time_s) return false;
    if (power_ < names_.size()) add(file_.logs.powers, gpu, *time_s, {line, words[first + power_]}, 1.0);
    if (energy_ < names_.size()) add(file_.logs.energies, gpu, *time_s, {line, words[first + energy_]}, mj_per_j);
    return true;
  }

  struct Place {
    const CsvLine& line;
    std::string_view word;
  };

  void add(SampleBook& book, const std::string& gpu, double time_s, const Place& place, double per_unit) {
    if (is_missing_sample(place.word)) {
      ++file_.logs.log.missing_cells;
      return;
    }
    const int column = static_cast<int>(place.word.data() - place.line.text.data()) + 1;
    const std::optional<double> value = number_in(place.word);
    if (!value || !std::isfinite(*value) || *value < 0.0)
      return file_.problems.add(place.line, column, fmt::format("'{}' is no power or energy", place.word),
                                "a number, not negative, or N/A");
    book.add(book.series_of(file_.node, gpu), {time_s, *value / per_unit, place.line, column}, file_.problems);
  }

  ReadingFile& file_;
  std::vector<std::string> names_;
  std::size_t power_ = 0, energy_ = 0;
  std::unordered_map<std::string, bool> seen_;
};

}  // namespace

void read_dcgm_exporter(ReadingFile& file) {
  say_boundary(file.logs.log);
  ExporterReader(file).run();
}

void read_dcgmi_dmon(ReadingFile& file) {
  say_boundary(file.logs.log);
  DmonReader(file).run();
}

}  // namespace wattloop::twin
