// Which moment of a run is shown: a time, an event, the worst, the end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct ShownTime {
  double time_s = 0.0;
  std::string words{};  ///< "first throttle": why this instant was chosen; empty for a requested time
};

/// What a picture shows: racks or single GPUs, of the hall or of one rack.
struct Shown {
  bool are_gpus = false;  ///< single GPUs, which are recorded more rarely than racks
  std::string rack{};     ///< the only rack that is shown; empty: the whole hall
};

/// Times that a picture can show: those at which GPUs were recorded where it shows them, else racks, else GPUs, else the facility.
/// Empty where nothing was recorded.
std::vector<double> shown_times_s(const ResultsReader& results, const Shown& shown = {});

/// The rack that comes nearest to one of its limits, or goes farthest beyond it, of all records of racks.
struct NearestLimit {
  double margin_k = 0.0;  ///< negative: beyond the limit
  double time_s = 0.0;
  std::string rack{};
  std::string limit{};          ///< "inlet air 35 degC"
  std::size_t equal_racks = 0;  ///< others that are as near in the same record, to 0.1 K

  /// "12.2 K to inlet air 35 degC", "17.8 K over inlet air 35 degC".
  std::string words() const;
};

/// From the time on from which the worst is looked for (`worst_from_s`). Nothing if no limit of racks was recorded.
std::optional<NearestLimit> nearest_limit(const ResultsReader& results);

/// When the first event that the scenario orders happens; nothing in a quiet run.
std::optional<double> first_ordered_s(const ResultsReader& results);

/// From where the worst is looked for: what comes before is the hall as it was, or follows from how the run began. `last_s` is the last record.
double worst_from_s(const ResultsReader& results, double last_s);

/// The worst moment that can be shown, after the first event that the scenario orders and after the run has settled. If a rack is beyond a limit of
/// its dies, inlet air or coolant, it is when a rack has the least margin. If another part is beyond a limit, it is when that part is farthest beyond
/// it (`excess_of`). Otherwise it is when most GPUs are down; if none ever is, when a rack (the one that is shown) has the least margin. For single GPUs,
/// and if no limits were recorded, it is when most GPUs are down; then when most are throttled; then when a die is hottest. Its words are true at its time.
ShownTime worst_time(const ResultsReader& results, const Shown& shown = {});

/// A time ("30 min"), a time of day or a date ("16:00", "2026-07-15 16:00"), the kind of an event ("first_throttle": its first), "worst" or "end"; empty: the worst.
/// It is the time of a record that pictures show: the nearest, of an event the first that shows what it did. Throws
/// `InputError` where it is none of them.
ShownTime read_shown_time(const ResultsReader& results, const std::string& given, const Shown& shown = {});

}  // namespace wattloop::twin
