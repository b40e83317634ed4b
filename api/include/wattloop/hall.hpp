// A hall that runs: advanced, looked at, acted on, forked, kept and taken up again. Numbers are SI, times are seconds from the start of the
// scenario. Many halls may be in a process, each used by one thread at a time.
//
//   wattloop::Hall hall("h100_10k.yaml", {.set = {"duration=1 h"}});
//   hall.advance_to(600.0);
//   const auto dies = hall.series("gpus", "die_temperature");
//   const std::span<const double> now_k = hall.values(dies);
//   wattloop::Hall lost = hall.fork();
//   lost.act("fail: cdu_3");
//   lost.advance_to(1200.0);
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <wattloop/errors.hpp>

namespace wattloop {
inline namespace v0 {
#pragma GCC visibility push(default)

/// How a hall is made.
struct HallOptions {
  std::vector<std::string> set{};        ///< "path=value", as after `wattloop run --set`
  std::vector<std::string> events{};     ///< "at: 10 min, fail: cdu_1", as after `--event`
  std::string integrator = "multirate";  ///< or "monolithic", whose forks are computed again from the last checkpoint
  int threads = 1;                       ///< of this hall; results are the same for any number
  std::function<void(std::string_view)> on_note{};     ///< what a user should know of the hall
  std::function<void(std::string_view)> on_warning{};  ///< what can hardly be meant
};

/// A column of a table of results, of all its items or of one. A value that `Hall::series` makes; it holds for the hall, its forks, and halls
/// that have the same tables, columns and names of parts. Others refuse it.
struct Series {
  std::size_t table = 0, column = 0;
  std::size_t item = all_items;
  std::size_t layout = 0;  ///< of tables and names

  static constexpr std::size_t all_items = static_cast<std::size_t>(-1);
  bool operator==(const Series&) const = default;
};

struct SeriesInfo {
  std::string table{}, column{};  ///< "gpus", "die_temperature"
  std::string unit{};             ///< SI
  std::string text{};
  std::vector<std::string> items{};  ///< names of the parts, one for each value; empty: the hall as a whole
  Series series{};
};

struct Part {
  std::string name{}, kind{};
  std::vector<std::string> hangs_on{};  ///< what gives it coolant, water, air or power
  std::vector<std::string> events{};    ///< what may happen to it: "fail", "set pump_speed"
  double rated_w = 0.0;                 ///< heat or power; 0: none that is known
};

/// A number that `set` and acts may change.
struct Input {
  std::string name{};                  ///< "loop_1.supply_temperature"
  std::string unit{};                  ///< SI
  double lowest = 0.0, highest = 0.0;  ///< that it may be set to
  double value = 0.0;                  ///< at this instant, before anything acts
};

/// Something that happened.
struct Event {
  double time_s = 0.0;
  std::string kind{}, target{}, detail{};
  bool operator==(const Event&) const = default;
};

/// A figure of the summary. A number is SI.
struct Figure {
  std::string name{};
  std::variant<double, std::int64_t, std::string> value{};
  std::string unit{}, text{};
};

class Hall {
 public:
  /// Reads, builds and finds the start of the run, at which nothing has acted yet. Throws InputError, SolverError, FileError.
  explicit Hall(const std::filesystem::path& scenario, const HallOptions& options = {});

  /// The same of a text; `name` stands for its file, in whose folder relative paths begin.
  static Hall from_text(std::string_view text, const std::filesystem::path& name, const HallOptions& options = {});

  /// A hall as `snapshot` left it, in this process or another one of the same library: from there on all is, to the bit, as without the
  /// break. `threads`, notes and warnings are those of `options`. Throws FileError where the bytes are no snapshot, damaged, or of another library.
  static Hall from_snapshot(std::string_view bytes, const HallOptions& options = {});

  Hall(Hall&&) noexcept;
  Hall& operator=(Hall&&) noexcept;
  ~Hall();

  /// From the start of the scenario.
  double time_s() const;
  double end_s() const;

  /// Runs to that instant, and stops before anything acts there; at the end of the scenario also that acts. `is_stop_requested` is asked every
  /// few simulated seconds; where it says so the hall stays, usable, at the instant reached, and the result is false. Throws InputError
  /// for a time that is past or after the end, SolverError.
  bool advance_to(double time_s, const std::function<bool()>& is_stop_requested = {});

  /// An event of this instant, in the language of scenarios without `at`: "fail: cdu_3"; with `at` one of a later instant. It acts
  /// when the hall advances. Throws InputError with all that is wrong, and nothing is changed.
  void act(std::string_view event);

  /// Sets an input from this instant on: the same as the act `set`. SI.
  void set(std::string_view input, double value);

  /// The same by a text with its unit and nothing else: "36 degC".
  void set(std::string_view input, std::string_view value_with_unit);

  /// Sets an array from this instant on: "gpus.power", watts asked of every GPU instead of those that the work asks, in the order of the table
  /// `gpus`. Throws InputError for an array of another length, and for watts that the hardware does not take.
  void set(std::string_view input, std::span<const double> values);

  /// A hall of its own in this state; what it does is, to the bit, what this one would do. Each may go on its own thread.
  Hall fork() const;

  /// Handles, looked up once. Throw InputError with the nearest name.
  Series series(std::string_view table, std::string_view column) const;
  Series series(std::string_view part_and_column) const;

  /// What is measured now, before anything acts at this instant. The memory is the hall's own, for each series one: it holds what was
  /// asked for last until the same series is asked for again. SI.
  std::span<const double> values(Series series);
  double value(Series series);

  /// Counts means of a series from this instant on; a series that is metered already begins again. Forks have it, too, snapshots do not.
  /// Throws InputError for a series that records have at their times alone.
  void meter(Series series);

  /// The mean since the meter began, or since the end of a later piece: what a record over that time has, sampled as it is. Of a ratio the
  /// ratio of means. SI; the memory is as that of `values`. One part may be asked for where all are metered. Throws InputError where nothing
  /// is metered since then.
  std::span<const double> means(Series series, std::optional<double> since_s = {});
  double mean(Series series, std::optional<double> since_s = {});

  SeriesInfo info(Series series) const;
  std::vector<SeriesInfo> all_series() const;
  std::vector<Part> parts() const;
  std::vector<Input> inputs() const;

  /// What happened before this instant, from number `first` on.
  std::vector<Event> events(std::size_t first = 0) const;

  /// The summary of a run that ends now.
  std::vector<Figure> summary() const;

  /// YAML of the scenario with every act as an event: `wattloop run` of it gives the same hall. Arrays are in a file beside it, which it names.
  std::string scenario() const;

  /// Writes the scenario and that file: of mine.yaml mine.gpu_power.csv. Throws FileError.
  void save_scenario(const std::filesystem::path& file) const;

  /// This state, at any instant, as bytes.
  std::string snapshot() const;

  /// From the start on all is recorded, as `wattloop run` does, into that file, which is complete when the end of the scenario is
  /// reached. Before the first advance; not of forks. Throws FileError.
  void record_to(const std::filesystem::path& results);

 private:
  struct State;
  explicit Hall(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

#pragma GCC visibility pop
}  // namespace v0
}  // namespace wattloop
