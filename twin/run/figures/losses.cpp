#include "twin/run/figures/losses.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "twin/plant/state/power_gap.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/unit_costs.hpp"

namespace wattloop::twin {

namespace {

std::string why(NodeIs node) {
  switch (node) {
    case NodeIs::without_supply:
      return "without power";
    case NodeIs::off_by_die:
      return "switched off by hot dies";
    case NodeIs::off_by_inlet:
      return "switched off by hot air";
    case NodeIs::booting:
      return "booting";
    case NodeIs::failed:
      return "failed";
    case NodeIs::idle:
      return "spare";
    case NodeIs::at_work:
      break;
  }
  return "at work";
}

struct FirstLimit {
  std::size_t count = 0;
  double first_s = std::numeric_limits<double>::infinity();
  std::string what{};

  void add(double time_s, const std::string& text) {
    ++count;
    if (!(time_s < first_s)) return;
    first_s = time_s;
    what = text;
  }
};

FirstLimit first_limit(const FinishedRun& run) {
  FirstLimit limit;
  bool has_dies = false;
  for (const LimitRecord& record : limit_records(run)) {
    if (record.beyond == "log") continue;
    has_dies = has_dies || record.beyond == "derate";
    limit.add(record.first_time_s,
              fmt::format("{} {} ({})", record.part, words_of_name(record.quantity), record.limited_by));
  }
  const WorkState& work = run.simulation.state().work;
  if (work.has_throttled && !has_dies)
    limit.add(work.first_throttle_s, first_throttle_gpu(run.simulation) + " below full clock");
  return limit;
}

NamedValue time_figure(std::string name, double time_s, std::string long_name, std::string reason) {
  const bool is_ever = std::isfinite(time_s);
  return {std::move(name), is_ever ? time_s : std::nan(""), "s", std::move(long_name),
          is_ever ? "" : std::move(reason)};
}

}  // namespace

Losses::Losses(const Plant& plant) : plant_(plant) {
  for (const RackGroup& group : plant.it.groups)
    gpus_per_node_.push_back(static_cast<double>(group.gpus_per_rack()) / static_cast<double>(group.nodes_per_rack));
}

void Losses::note(double time_s, const std::string& what) {
  if (std::isfinite(first_s)) return;
  first_s = time_s;
  first = what;
}

double Losses::idle_gpus_in(std::size_t rack, const PlantState& state) {
  const RackPart& part = plant_.it.racks[rack];
  std::size_t idle = 0;
  for (std::size_t node = 0; node < plant_.it.nodes_in(rack); ++node) {
    const NodeIs is = state.work.node_is[part.first_node + node];
    if (is == NodeIs::at_work || is == NodeIs::idle) continue;
    if (idle++ == 0 && !std::isfinite(first_s)) note(state.time_s, fmt::format("{} {}", part.name, why(is)));
  }
  return static_cast<double>(idle) * gpus_per_node_[part.group];
}

void Losses::observe(const PlantState& state, const Evaluation&) {
  lost_gpu_s += idle_gpus_ * (state.time_s - seen_s_);
  seen_s_ = state.time_s;
  idle_gpus_ = 0.0;
  const bool all_work = std::ranges::all_of(
      state.work.node_is, [](NodeIs node) { return node == NodeIs::at_work || node == NodeIs::idle; });
  for (std::size_t rack = 0; !all_work && rack < plant_.it.racks.size(); ++rack)
    idle_gpus_ += idle_gpus_in(rack, state);
  if (std::isfinite(first_s)) return;
  for (const NetworkRackPart& rack : plant_.it.network_racks) {
    if (!electrical::is_served(state.switches, rack.load) && !is_gap_carried(state, plant_.it.switches.hold_up_s))
      note(state.time_s, rack.name + " without power");
  }
  for (const StorageRackPart& rack : plant_.it.storage_racks) {
    if (!electrical::is_served(state.switches, rack.load) && !is_gap_carried(state, plant_.it.appliance.hold_up_s))
      note(state.time_s, rack.name + " without power");
  }
}

std::vector<NamedValue> loss_figures(const FinishedRun& run, const Losses& losses) {
  const FirstLimit limit = first_limit(run);
  const double all_gpu_s = static_cast<double>(run.plant.it.gpu_count()) * run.simulation.state().time_s;
  std::vector<NamedValue> figures{
      {"lost_gpu_time", losses.lost_gpu_s, "s", "GPU-seconds of nodes without power, switched off or booting", ""},
      {"gpu_availability_ratio", all_gpu_s > 0.0 ? 1.0 - losses.lost_gpu_s / all_gpu_s : std::nan(""), "1",
       "time of all GPUs minus lost_gpu_time, divided by the time of all GPUs",
       all_gpu_s > 0.0 ? "" : "without GPUs or time"}};
  if (const auto by_unit = unit_costs(run))
    figures.push_back({"lost_gpu_cost", losses.lost_gpu_s * by_unit->per_gpu_s, run.scenario.economics.tariff.currency,
                       "cost of lost_gpu_time at cost_per_gpu_time", ""});
  const std::vector<NamedValue> others{
      time_figure("first_loss_time", losses.first_s, "time at which the first node or switch was off; NaN if none was",
                  "no node and no switch was off"),
      {"first_loss", losses.first, "", "its name and the reason; empty if none was off", ""},
      {"limits_beyond_log", static_cast<std::int64_t>(limit.count), "", "number of exceeded limits that change the run",
       ""},
      time_figure("first_limit_time", limit.first_s,
                  "time at which the first of these limits was exceeded; NaN if none",
                  "no limit was exceeded that changes the run"),
      {"first_limit", limit.what, "", "name of this limit; empty if none", ""}};
  figures.insert(figures.end(), others.begin(), others.end());
  return figures;
}

}  // namespace wattloop::twin
