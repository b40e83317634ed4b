// The summary as text: power, energy by use with its part of PUE, temperatures, loads against ratings, energy balance.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/local_time.hpp"
#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/room_vapour.hpp"
#include "twin/run/figures/cost_lines.hpp"
#include "twin/run/figures/job_lines.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

constexpr double joules_per_kwh = 3.6e6, hour_s = 3600.0;

class Text {
 public:
  Text(UnitStyle style, double settling_s, std::string_view start)
      : style_(style), settling_s_(settling_s), start_(start) {}

  std::string show(double value, std::string_view unit) const { return format_quantity(value, unit, style_); }
  std::string instant(double at_s) const { return instant_text(start_, at_s); }
  /// An instant, and whether the run still followed from its begin then.
  std::string when(double at_s) const { return instant(at_s) + (at_s < settling_s_ ? ", while the run settles" : ""); }
  std::string range(double low, double high) const { return fmt::format("{} to {}", show(low, "K"), show(high, "K")); }
  UnitStyle style() const { return style_; }
  /// Of temperatures, to a tenth: what die sensors report.
  std::string difference(double difference_k) const {
    return style_ == UnitStyle::inch_pound ? fmt::format("{:.1f} degF", difference_k * 1.8)
                                           : fmt::format("{:.1f} K", difference_k);
  }
  void title(std::string_view text) { out_ += fmt::format("\n{}\n", text); }
  /// What is beyond the columns of a terminal stands on lines of its own, below the value.
  void line(std::string_view name, const std::string& value) {
    constexpr std::size_t columns = 80, label_width = 18, begin = label_width + 3;
    std::string now = fmt::format("  {:<{}} ", name, label_width);
    std::istringstream words(value);
    for (std::string word; words >> word;) {
      if (now.size() > begin && now.size() + 1 + word.size() > columns) {
        out_ += now + "\n";
        now.assign(begin, ' ');
      }
      now += (now.ends_with(' ') ? "" : " ") + word;
    }
    out_ += now + "\n";
  }
  void raw(const std::string& text) { out_ += text; }
  std::string take() { return std::move(out_); }

 private:
  UnitStyle style_;
  double settling_s_;
  std::string_view start_;
  std::string out_;
};

/// How the run came to its begin, where that is worth a line.
std::string begin_text(const FinishedRun& run, const Text& text) {
  const BeginState& begin = run.simulation.state().begin;
  if (begin.warm_up_s > 0.0)
    return fmt::format("begins after {} of the same work, which is not recorded\n", text.show(begin.warm_up_s, "s"));
  if (!(begin.settling_s > 0.0)) return {};
  const bool is_cut_short =
      run.scenario.initial == InitialState::settled && run.scenario.warm_up_s.value_or(begin.settling_s) > 0.0;
  return fmt::format("begins in a steady state{}; its first {} still depend on this start\n",
                     is_cut_short ? ", because a warm-up would lose equipment or nodes" : "",
                     text.show(begin.settling_s, "s"));
}

void write_head(const FinishedRun& run, Text& text) {
  const Scenario& scenario = run.scenario;
  text.raw(fmt::format("{}\n", printable(scenario.title.empty() ? scenario.name : scenario.title)));
  text.raw(fmt::format("{}; {} simulated in {}\n", size_text(run.plant.it),
                       text.show(run.simulation.state().time_s, "s"), text.show(run.wall_time_s, "s")));
  text.raw(begin_text(run, text));
}

void write_power(const FinishedRun& run, Text& text) {
  const PlantState state = run.metered_state();
  const double it_j = it_energy_j(run.plant, state);
  const MeanPue pue = mean_pue(run.plant, state, run.statistics.into_batteries_j());
  const auto mean_and_peak = [&](double energy_j, double peak_w) {
    return fmt::format("{} mean, {} peak", text.show(energy_j / state.time_s, "W"), text.show(peak_w, "W"));
  };
  text.title("Power");
  text.line("nodes",
            mean_and_peak(state.states[run.plant.meters.energy[run.plant.it.node_use]], run.statistics.node_w.highest));
  if (has_node_fans(run.plant))
    text.line("their fans",
              mean_and_peak(run.statistics.fan_j, run.statistics.fan_w.highest) +
                  fmt::format(", {:.0f} % of full speed at most", 100.0 * run.statistics.fan_speed_fraction.highest));
  const SourceEnergy sources = run.statistics.from_sources();
  text.line("from the utility", mean_and_peak(sources.utility_j, run.statistics.utility_w.highest));
  if (sources.generator_j > 0.0)
    text.line("from " + standby_text(), fmt::format("{}, {} peak", text.show(sources.generator_j, "J"),
                                                    text.show(run.statistics.generator_w.highest, "W")));
  const std::string outside = from_outside(run.plant);
  text.line(outside.empty() ? "PUE" : "partial PUE",
            (pue.reason.empty() ? fmt::format("{:.4f}", pue.ratio) : fmt::format("n/a {}", pue.reason)) +
                (outside.empty() ? "" : fmt::format(" ({})", outside)));
  if (run.plant.meters.make_up_water == no_part) return;
  const double water_m3 = make_up_m3(run.plant, state);
  const std::string per_it = it_j > 0.0 ? fmt::format("{:.2f} L/kWh", 1e3 * water_m3 / (it_j / joules_per_kwh)) : "n/a";
  text.line("water", fmt::format("{} for {}, {} of IT energy", text.show(water_m3, "m3"), make_up_users, per_it));
}

/// What it cost and emitted, where the scenario says prices.
void write_costs(const FinishedRun& run, Text& text) {
  if (!run.statistics.costs) return;
  text.title("Cost");
  for (const auto& [label, words] : cost_lines(run, text.style())) text.line(label, words);
}

/// How long each economiser was in each of its modes.
void write_modes(const FinishedRun& run, Text& text) {
  const PlantState& state = run.simulation.state();
  for (std::size_t number = 0; number < run.plant.economisers.size(); ++number) {
    std::vector<std::string> reported;
    for (const physics::CoolingMode mode : physics::all_cooling_modes) {
      const double in_mode_s = time_in_mode_s(state.economisers[number], mode, state.time_s);
      if (in_mode_s > 0.0) reported.push_back(fmt::format("{} {}", text.show(in_mode_s, "s"), physics::name_of(mode)));
    }
    text.line(run.plant.economisers[number].name, fmt::format("{}", fmt::join(reported, ", ")));
  }
}

/// A number of a column whose largest is `total`: as many decimals as its small parts need.
std::string in_column(double value, double total) {
  const int decimals = total >= 1e6 ? 0 : total >= 1e3 ? 1 : total >= 10.0 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

bool is_of_power(const Plant& plant, std::string_view name) {
  return electrical::find_branch(plant.power_tree, name) || electrical::find_source(plant.power_tree, name);
}

/// The first three, and how many more.
std::string named(const std::vector<std::string>& all) {
  constexpr std::size_t most_named = 3;
  const auto first_end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), most_named));
  return fmt::format("{}{}", fmt::join(all.begin(), first_end, "; "),
                     all.size() > most_named ? fmt::format("; {} more", all.size() - most_named) : "");
}

/// What was overloaded, what tripped, what is dark or stands at the end; nothing where nothing is.
void write_overloads(const FinishedRun& run, Text& text) {
  std::vector<std::string> over, tripped;
  for (const EventRecord& event : events_of(run.simulation, "limit_exceeded")) {
    if (is_of_power(run.plant, event.target))
      over.push_back(fmt::format("{} from {}", event.target, text.instant(event.time_s)));
  }
  for (const EventRecord& event : events_of(run.simulation, "tripped"))
    tripped.push_back(fmt::format("{} at {}", event.target, text.instant(event.time_s)));
  if (!over.empty()) text.line("overloaded", named(over) + (run.scenario.trips == "off" ? " (trips: off)" : ""));
  if (!tripped.empty()) text.line("tripped", named(tripped));
  if (const std::size_t dark = racks_without_power(run); dark > 0)
    text.line("without power", fmt::format("{} racks in the end", dark));
  const Stopped stopped = stopped_at_end(run);
  if (!stopped.loops.empty()) text.line("no flow", fmt::format("{} in the end", named(stopped.loops)));
  if (!stopped.rooms.empty()) text.line("no air moved", fmt::format("{} in the end", named(stopped.rooms)));
}

void write_energy(const FinishedRun& run, Text& text) {
  const PlantState state = run.metered_state();
  const double feed_j = state.states[run.plant.meters.feed];
  const double it_j = it_energy_j(run.plant, state);
  const double given_j = given_by_batteries_j(run.plant, state, run.statistics.into_batteries_j());
  const double all_j = feed_j + given_j;
  const double all_kwh = all_j / joules_per_kwh, all_kw = all_j / state.time_s / 1e3;
  const auto row = [&](const std::string& label, double energy_j, bool is_part_of_pue) {
    const std::string share = all_j > 0.0 ? fmt::format("{:.2f} %", 100.0 * energy_j / all_j) : "n/a";
    const std::string part = it_j > 0.0 && is_part_of_pue ? fmt::format("{:.4f}", energy_j / it_j) : "n/a";
    text.raw(fmt::format("  {:<18} {:>10} {:>11} {:>9} {:>9}\n", label,
                         in_column(energy_j / state.time_s / 1e3, all_kw),
                         in_column(energy_j / joules_per_kwh, all_kwh), share, part));
  };
  text.raw(fmt::format("\n{:<20} {:>10} {:>11} {:>9} {:>9}\n", "Energy", "mean kW", "kWh", "share", "PUE"));
  for (const EnergyPart& part : energy_parts(run.plant, state, run.statistics.into_batteries_j())) {
    if (part.name != "battery") {
      row(part.label, part.energy_j, !part.is_elsewhere);
    } else if (given_j > 0.0) {
      row(part.label, given_j, false);  // beside the feed, as where energy comes from
    } else if (part.energy_j > smallest_reported_ratio * feed_j) {
      row(part.label, part.energy_j, true);
    }
  }
  const SourceEnergy sources = run.statistics.from_sources();
  const bool is_alone = run.plant.site_loads.empty() && !(given_j > smallest_reported_ratio * feed_j);
  row("from the utility", sources.utility_j, is_alone && !(sources.generator_j > 0.0));
  if (!(sources.generator_j > 0.0)) return;
  row("from " + standby_text(), sources.generator_j, false);
  if (is_alone) row("from both", feed_j, true);
}

std::string margin_text(const workload::ProtectionParams& protection, double die_k, const Text& text) {
  const double throttle_k = protection.throttle_k - die_k, slowdown_k = protection.slowdown_k - die_k;
  if (throttle_k <= 0.0) return fmt::format("none: {} above throttling", text.difference(-throttle_k));
  return fmt::format("{} to throttling, {} to half clock", text.difference(throttle_k), text.difference(slowdown_k));
}

void write_dies(const FinishedRun& run, Text& text) {
  const Extremes& die_k = run.statistics.die_k;
  text.line("hottest die", fmt::format("{} at {} ({})", text.show(die_k.highest, "K"), text.when(die_k.highest_at_s),
                                       gpu_name(run.plant, die_k.highest_item)));
  for (std::size_t group = 0; group < run.statistics.dies.size(); ++group) {
    const RacksSpec& racks = run.scenario.racks[group];
    text.line(racks.name.empty() ? "margin" : "margin of " + racks.name,
              margin_text(racks.hardware.protection, run.statistics.dies[group].k.highest, text));
  }
  const WorkState& work = run.simulation.state().work;
  if (work.has_throttled) {
    text.line("throttling",
              fmt::format("from {} ({}), {} GPUs at most, {:.0f} GPU-seconds", text.instant(work.first_throttle_s),
                          first_throttle_gpu(run.simulation), run.statistics.most_throttled, work.throttled_gpu_s));
  }
  if (work.capped_gpu_s > 0.0)
    text.line("power limit", fmt::format("{:.0f} GPU-seconds below full clock", work.capped_gpu_s));
  if (const std::size_t gpus = shut_down_gpus(run); gpus > 0) {
    text.line("shut down",
              fmt::format("{}{} GPUs in the end", gpus == run.plant.it.gpu_count() ? "off, all " : "", gpus));
  }
}

void write_jobs(const FinishedRun& run, Text& text) {
  const std::vector<std::pair<std::string, std::string>> lines = job_lines(run);
  if (!lines.empty()) text.title("Work");
  for (const auto& [label, words] : lines) text.line(label, words);
}

std::string label_of(const WatchedQuantity& quantity, std::size_t number) {
  const WatchedLine& line = quantity.as.line;
  if (quantity.is_of_each()) return words_of_name(name_by_itself(quantity, number));
  return std::string(quantity.parts.size() > 1 && !line.label_of_many.empty() ? line.label_of_many : line.label);
}

std::string extremes_text(const WatchedQuantity& quantity, std::size_t number, const Text& text) {
  const auto& [as, kinds, parts, extremes] = quantity;
  const std::string what = as.line.what.empty() ? "" : fmt::format(" {}", as.line.what);
  const std::string highest = text.show(extremes[number].highest, as.unit);
  if (as.line.shows == WatchedLine::Shows::highest) return fmt::format("{}{} at most", highest, what);
  return fmt::format("{} to {}{}", text.show(extremes[number].lowest, as.unit), highest, what);
}

/// Quantities with one label share a line.
void write_watched(const Statistics& statistics, Text& text) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [quantity, number] : watched_in_order(statistics)) {
    if (quantity->as.line.shows == WatchedLine::Shows::nothing) continue;
    const std::string label = label_of(*quantity, number), reported = extremes_text(*quantity, number, text);
    if (!lines.empty() && lines.back().first == label) {
      lines.back().second += ", " + reported;
    } else {
      lines.emplace_back(label, reported);
    }
  }
  for (const auto& [label, reported] : lines) text.line(label, reported);
}

/// Which set-points were not met, and for how long; nothing where all were met.
void write_places_off(const FinishedRun& run, Text& text) {
  const Statistics& statistics = run.statistics;
  std::vector<std::string> reported;
  const auto report = [&](const std::vector<OffSetPoint>& places, std::string_view side) {
    for (std::size_t place = 0; place < places.size(); ++place) {
      if (places[place].time_s > 0.0)
        reported.push_back(fmt::format("{} {} its set-point for {}, by {} at most", statistics.places[place].text, side,
                                       text.show(places[place].time_s, "s"),
                                       text.show(places[place].most_k, "delta_K")));
    }
  };
  report(statistics.above, "above");
  report(statistics.below, "below");
  if (!reported.empty()) text.line("off set-point", named(reported));
  const std::string unreached = unreached_text(statistics.places, statistics.approaches, text.style());
  if (!unreached.empty()) text.line("not reached", unreached);
}

/// Rooms in which water condensed.
void write_condensate(const FinishedRun& run, Text& text) {
  const PlantState state = run.metered_state();
  std::string reported;
  for (const RoomCondensate& room : condensate_in_rooms(run.plant, state)) {
    if (!room.is_noticeable()) continue;
    reported +=
        fmt::format("{}{} in {}, {} an hour and {} of latent heat", reported.empty() ? "" : "; ",
                    text.show(room.water_kg, "kg"), room.room, text.show(room.water_kg * hour_s / state.time_s, "kg"),
                    text.show(room.latent_j / state.time_s, "W"));
  }
  if (!reported.empty()) text.line("condensate", reported + ", in the mean");
}

void write_temperatures(const FinishedRun& run, Text& text) {
  text.title("Temperatures");
  write_dies(run, text);
  write_watched(run.statistics, text);
  write_places_off(run, text);
  write_condensate(run, text);
  if (!run.plant.outside.is_felt()) return;
  const Extremes &dry_bulb_k = run.statistics.dry_bulb_k, &wet_bulb_k = run.statistics.wet_bulb_k;
  text.line("dry bulb outside", text.range(dry_bulb_k.lowest, dry_bulb_k.highest));
  text.line("wet bulb outside", text.range(wet_bulb_k.lowest, wet_bulb_k.highest));
}

/// "cdu_3 of 12"; of one that is alone its name.
std::string which_text(const Statistics& statistics, std::size_t load) {
  const RatedLoad& worst = statistics.loads[load];
  const auto count = std::count_if(statistics.loads.begin(), statistics.loads.end(),
                                   [&](const RatedLoad& other) { return other.kind == worst.kind; });
  return count == 1 ? worst.name : fmt::format("{} of {}", worst.name, count);
}

/// One line for each kind of equipment that carried anything: the worst of it.
void write_loads(const FinishedRun& run, Text& text) {
  text.raw(
      fmt::format("\n{:<24} {:>10} {:>10} {:>9} {:>9}  at\n", "Highest loads", "load", "rating", "loading", "margin"));
  for (const std::string& kind : kinds_by_loading(run.statistics)) {
    const std::size_t load = worst_load(run.statistics, kind);
    const LoadPeak& peak = run.statistics.peaks[load];
    if (peak.load_w == 0.0) continue;
    const double percent = 100.0 * peak_loading_ratio(run.statistics, load);
    text.raw(fmt::format("  {:<22} {:>10} {:>10} {:>9} {:>9}  {}\n", which_text(run.statistics, load),
                         text.show(peak.load_w, "W"), text.show(peak.rated_w, "W"), fmt::format("{:.1f} %", percent),
                         fmt::format("{:.1f} %", 100.0 - percent), text.when(peak.at_s)));
  }
  if (const Extremes& voltage = run.statistics.voltage_ratio; std::isfinite(voltage.lowest))
    text.raw(fmt::format("  {:<22} lowest voltage {:.1f} % of nominal at {}\n",
                         run.plant.power_tree.bus_name[voltage.lowest_item], 100.0 * voltage.lowest,
                         text.when(voltage.lowest_at_s)));
  if (run.plant.batteries.empty()) return;
  const Extremes& charge = run.statistics.charge_fraction;
  text.raw(fmt::format("  {:<22} lowest charge {:.1f} % at {}\n", run.plant.batteries[charge.lowest_item].name,
                       100.0 * charge.lowest, text.when(charge.lowest_at_s)));
}

void write_balance(const FinishedRun& run, Text& text) {
  const EnergyBalance balance = energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy());
  text.title("Energy balance");
  const PlantState metered = run.metered_state();  // as the figures and tables have it
  text.line("energy in", text.show(metered.states[run.plant.meters.feed], "J"));
  double latent_j = 0.0;
  for (const RoomCondensate& room : condensate_in_rooms(run.plant, run.simulation.state())) {
    if (room.is_noticeable()) latent_j += room.latent_j;
  }
  text.line("to the sky", text.show(rejected_j(run.plant, metered) + latent_j, "J"));
  if (latent_j > 0.0) text.line("with vapour", text.show(latent_j, "J") + " in, which condensed");
  text.line("stored", text.show(balance.stored_j(), "J"));
  text.line("residual", fmt::format("{:.1e} of the {}", balance.residual_ratio(), balance.largest().text));
}

}  // namespace

std::string summary_text(const FinishedRun& run, UnitStyle style) {
  Text text(style, run.simulation.state().begin.settling_s, run.scenario.start);
  write_head(run, text);
  write_power(run, text);
  write_modes(run, text);
  write_overloads(run, text);
  write_energy(run, text);
  write_costs(run, text);
  write_jobs(run, text);
  write_temperatures(run, text);
  write_loads(run, text);
  text.raw(limits_text(limit_records(run), style, run.scenario.start));
  write_balance(run, text);
  return text.take();
}

}  // namespace wattloop::twin
