// What `power.flow` makes of a plant: nominal voltages, impedances, and how loads draw.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "electrical/admittance/transformer_fit.hpp"
#include "twin/build/templates/one_line_templates.hpp"

namespace wattloop::twin {

namespace {

Mention mention_of_drawn(const PowerSpec& power, const std::string& branch) {
  const auto drawn =
      std::ranges::find_if(power.one_line.branches, [&](const DrawnBranch& one) { return one.branch.name == branch; });
  return drawn == power.one_line.branches.end() ? Mention{} : drawn->mention;
}

/// Of shorthand no buses are written: transformers in a row must fit each other. What is drawn was checked when it was read.
void check_ratios(const electrical::PowerTree& tree, const electrical::VoltageModel& model, Problems& problems) {
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const auto at = [&](int bus) { return model.nominal_v[static_cast<std::size_t>(bus)]; };
    auto problem = electrical::misfit(tree.branch_name[branch], tree.branch_transformer[branch],
                                      at(tree.branch_from[branch]), at(tree.branch_to[branch]));
    if (problem) problems.add(std::move(*problem));
  }
}

electrical::FlowMethod method_of(const std::string& flow) {
  if (flow == "radial") return electrical::FlowMethod::radial;
  return flow == "meshed" ? electrical::FlowMethod::meshed : electrical::FlowMethod::automatic;
}

/// A changer whose band is narrower than its step would never rest; one without voltages does nothing.
void check_tap_changers(const electrical::PowerTree& tree, const PowerSpec& power, Problems& problems) {
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const electrical::TapChangerRating& changer = tree.branch_transformer[branch].changer;
    if (changer.range_fraction == 0.0) continue;
    const std::string& name = tree.branch_name[branch];
    const Mention mention = mention_of_drawn(power, name);
    if (power.flow == "watts")
      problems.add(
          {mention.place,
           fmt::format("the tap changer of {} controls a voltage, but `flow: watts` computes no voltages", name),
           "write power: { flow: auto }", mention.excerpt});
    if (!(changer.dead_band_ratio > changer.step_fraction * changer.target_ratio))
      problems.add({mention.place,
                    fmt::format("tap changer of {}: its dead band of {:g} % is not wider than its step of {:g} %", name,
                                100.0 * changer.dead_band_ratio, 100.0 * changer.step_fraction),
                    "write a larger tap_changer_dead_band: twice the step is usual", mention.excerpt});
  }
}

}  // namespace

void declare_voltages(Diagram& diagram, const PowerSpec& power, Problems& problems) {
  check_tap_changers(diagram.power_tree, power, problems);
  if (power.flow == "watts") return;
  std::vector<double> tangents;
  std::vector<electrical::VoltageShares> shares;
  bool any_follows = false;
  for (const DeclaredLoad& load : diagram.loads) {
    const bool is_rack = load.at == SupplyPoint::rack_pdus;
    tangents.push_back(electrical::tangent_of(is_rack ? power.rack_power_factor : power.motor_power_factor));
    shares.emplace_back();
    if (load.at != SupplyPoint::drawn_bus) continue;
    const DrawnLoad& drawn = *std::ranges::find(power.one_line.loads, load.name, &DrawnLoad::name);
    tangents.back() =
        drawn.has_reactive ? drawn.reactive_va / drawn.power_w : electrical::tangent_of(drawn.power_factor);
    const double current = drawn.constant_current_fraction, impedance = drawn.constant_impedance_fraction;
    shares.back() = {1.0 - current - impedance, current, impedance};
    any_follows = any_follows || drawn.follows_voltage();
  }
  diagram.voltages = electrical::make_voltage_model(diagram.power_tree, std::move(tangents));
  if (any_follows) diagram.voltages->load_shares = std::move(shares);
  diagram.voltages->method = method_of(power.flow);
  check_ratios(diagram.power_tree, *diagram.voltages, problems);
}

}  // namespace wattloop::twin
