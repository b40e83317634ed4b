#include "twin/summary.hpp"

#include <cmath>

#include <fmt/format.h>

#include "twin/energy_balance.hpp"

namespace wattloop::twin {

namespace {

NamedValue number(std::string name, double value, std::string unit, std::string long_name) {
  return {std::move(name), value, std::move(unit), std::move(long_name)};
}

NamedValue text(std::string name, std::string value, std::string long_name) {
  return {std::move(name), std::move(value), "", std::move(long_name)};
}

void add_energies(const Plant& plant, const PlantState& state, double initial_energy_j, std::vector<NamedValue>& values) {
  const Meters& meters = plant.meters;
  const EnergyBalance balance = energy_balance(plant, state, initial_energy_j);
  const double node_j = state.states[meters.energy[index(LoadUse::node)]];
  values.push_back(number("node_energy", node_j, "J", "energy at the AC inlets of the nodes"));
  values.push_back(number("it_energy", node_j, "J", "energy of all IT equipment"));
  values.push_back(number("cooling_energy", state.states[meters.energy[index(LoadUse::cdu_pump)]], "J", "energy of the CDU pumps"));
  values.push_back(number("electrical_loss_energy", state.states[meters.electrical_loss], "J",
                          "loss in transformers, UPS and PDUs"));
  values.push_back(number("facility_energy", balance.feed_j, "J", "energy drawn from the utility"));
  values.push_back(number("rejected_energy", balance.rejected_j, "J", "heat to facility water, door water and outdoors"));
  values.push_back(number("stored_energy", balance.stored_j, "J", "heat stored at the end less at the start"));
  values.push_back(number("energy_residual", balance.residual_ratio(), "1",
                          "facility less rejected less stored energy, over facility energy"));
  values.push_back(number("pue", balance.feed_j / node_j, "1",
                          "facility over IT energy; making facility water is not part of it"));
}

}  // namespace

std::vector<NamedValue> summarise(const Plant& plant, const Simulation& simulation, const Statistics& statistics,
                                  double wall_time_s) {
  const PlantState& state = simulation.state();
  const UnitGroup& gpus = *plant.groups[plant.hall.gpu_group];
  std::vector<NamedValue> values;
  add_energies(plant, state, simulation.initial_energy_j(), values);
  values.push_back(number("mean_node_power", state.states[plant.meters.energy[index(LoadUse::node)]] / state.time_s, "W",
                          "mean power of all nodes together"));
  values.push_back(number("peak_node_power", statistics.node_w.highest, "W", "highest power of all nodes together"));
  values.push_back(number("peak_facility_power", statistics.facility_w.highest, "W", "highest power at the feed"));
  values.push_back(number("peak_die_temperature", statistics.die_k.highest, "K", "hottest die of the run"));
  values.push_back(text("peak_die_gpu", gpus.unit_names[statistics.die_k.highest_item], "GPU of the hottest die"));
  values.push_back(number("peak_die_time", statistics.die_k.highest_at_s, "s", "when it was hottest"));
  values.push_back(number("lowest_supply_temperature", statistics.supply_k.lowest, "K", "coldest supply header"));
  values.push_back(number("highest_supply_temperature", statistics.supply_k.highest, "K", "warmest supply header"));
  values.push_back(number("largest_supply_error", std::max(statistics.supply_error_k.highest, -statistics.supply_error_k.lowest),
                          "K", "largest distance of a CDU's supply temperature from its set-point"));
  values.push_back(number("highest_return_temperature", statistics.return_k.highest, "K", "warmest return header"));
  values.push_back(number("highest_room_temperature", statistics.room_k.highest, "K", "warmest room"));
  values.push_back(number("highest_loading", statistics.branch_loading.highest, "1", "power over rating"));
  values.push_back(text("highest_loading_of", plant.power_tree.branch_name[statistics.branch_loading.highest_item],
                        "equipment with the highest loading"));
  const double first_throttle_s =
      state.work.has_throttled ? state.work.first_throttle_s : std::numeric_limits<double>::quiet_NaN();
  values.push_back(number("first_throttle_time", first_throttle_s, "s", "first GPU below full clock; NaN if none"));
  values.push_back(number("throttled_gpu_time", state.work.throttled_gpu_s, "s", "GPU-seconds below full clock"));
  values.push_back({"most_throttled_gpus", static_cast<std::int64_t>(statistics.most_throttled), "",
                    "GPUs below full clock at the same time"});
  values.push_back(number("simulated_time", state.time_s, "s", "simulated time"));
  values.push_back(number("wall_time", wall_time_s, "s", "time the run took"));
  return values;
}

std::string summary_text(const Plant& plant, const Scenario& scenario, const Simulation& simulation,
                         const Statistics& statistics, double wall_time_s, UnitStyle style) {
  const PlantState& state = simulation.state();
  const Meters& meters = plant.meters;
  const EnergyBalance balance = energy_balance(plant, state, simulation.initial_energy_j());
  const auto show = [&](double value, std::string_view unit) { return format_quantity(value, unit, style); };
  const double node_j = state.states[meters.energy[index(LoadUse::node)]];
  const double margin_k = scenario.racks.hardware.protection.throttle_k - statistics.die_k.highest;
  std::string out;
  const auto line = [&](std::string_view name, std::string value) { out += fmt::format("  {:<18} {}\n", name, value); };

  out += fmt::format("{}\n", scenario.title.empty() ? scenario.name : scenario.title);
  out += fmt::format("{}; {} simulated in {}\n\n", size_text(plant.hall), show(state.time_s, "s"),
                     show(wall_time_s, "s"));
  out += "Power\n";
  line("nodes", fmt::format("{} mean, {} peak", show(node_j / state.time_s, "W"), show(statistics.node_w.highest, "W")));
  line("at the feed", fmt::format("{} mean, {} peak", show(balance.feed_j / state.time_s, "W"),
                                  show(statistics.facility_w.highest, "W")));
  line("CDU pumps", show(state.states[meters.energy[index(LoadUse::cdu_pump)]] / state.time_s, "W") + " mean");
  line("electrical losses", show(state.states[meters.electrical_loss] / state.time_s, "W") + " mean");
  line("highest loading", fmt::format("{:.1f} % of {}", 100.0 * statistics.branch_loading.highest,
                                      plant.power_tree.branch_name[statistics.branch_loading.highest_item]));
  line("partial PUE", fmt::format("{:.4f} (facility water and door water come from outside)", balance.feed_j / node_j));
  out += "\nTemperatures\n";
  line("hottest die", fmt::format("{} at {} ({})", show(statistics.die_k.highest, "K"),
                                  show(statistics.die_k.highest_at_s, "s"),
                                  plant.groups[plant.hall.gpu_group]->unit_names[statistics.die_k.highest_item]));
  line("margin", margin_k > 0.0 ? fmt::format("{:.1f} K to throttling", margin_k)
                                : fmt::format("none: {:.1f} K above throttling", -margin_k));
  line("coolant supply", fmt::format("{} to {}", show(statistics.supply_k.lowest, "K"), show(statistics.supply_k.highest, "K")));
  line("coolant return", fmt::format("{} at most", show(statistics.return_k.highest, "K")));
  line("room", fmt::format("{} to {}", show(statistics.room_k.lowest, "K"), show(statistics.room_k.highest, "K")));
  if (state.work.has_throttled) {
    line("throttling", fmt::format("from {}, {} GPUs at most, {:.0f} GPU-seconds", show(state.work.first_throttle_s, "s"),
                                   statistics.most_throttled, state.work.throttled_gpu_s));
  }
  out += "\nEnergy balance\n";
  line("from the utility", show(balance.feed_j, "J"));
  line("  to the nodes", show(node_j, "J"));
  line("to the sky", show(balance.rejected_j, "J"));
  line("stored", show(balance.stored_j, "J"));
  line("residual", fmt::format("{:.1e} of the energy in", balance.residual_ratio()));
  return out;
}

}  // namespace wattloop::twin
