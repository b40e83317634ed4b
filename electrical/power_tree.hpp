// The power tree: the one-line diagram as flat arrays, and the power in every part of it.
//
//   output of a branch = demand of the bus it feeds,   input = output + loss(output) of its modules in service
//   demand of a bus    = its share of the loads + inputs of the branches it feeds
//
// Demands go up the tree once, children before parents: branches are in an order that holds for any switch
// position, unless some of them carry power either way (ties, ring cables): then `energise` finds which way, and the order. Which branches are closed and which sources live is a `SwitchState`; `energise` derives from it,
// at switching times only, which buses are live and how dual-corded loads divide. `evaluate` then is a pure
// function, without allocation. Power of sources and batteries = power of served loads + losses, exactly but
// for rounding, with batteries that recharge counted as negative; verified over random trees in
// tests/properties/power_balance.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/generator.hpp"
#include "electrical/overload.hpp"
#include "electrical/passage.hpp"
#include "electrical/power_flow.hpp"
#include "electrical/utility_feed.hpp"

namespace wattloop::electrical {

inline constexpr int outdoors = -1;   ///< instead of a room: the loss heats no one
inline constexpr int no_bus = -1;     ///< instead of the second bus of a load with one cord
inline constexpr int no_branch = -1;  ///< instead of the branch that one is the bypass of
inline constexpr int not_said = -1;   ///< instead of how many modules may be out

/// The diagram, flattened; does not change. Made by `build_power_tree` (electrical/one_line.hpp).
struct PowerTree {
  std::vector<std::string> bus_name;  ///< [buses], a bus after all that can feed it
  std::vector<double> bus_voltage_v;  ///< [buses], nominal; 0 where it is not known

  std::vector<std::string> branch_name;               ///< [branches], a branch after all that can feed it
  std::vector<std::string_view> branch_kind;          ///< [branches], "transformer", "ups", ...
  std::vector<int> branch_from;                       ///< [branches], bus
  std::vector<int> branch_to;                         ///< [branches], bus
  std::vector<int> branch_room;                       ///< [branches], or `outdoors`
  std::vector<int> branch_modules;                    ///< [branches]
  std::vector<std::size_t> branch_first_module;       ///< [branches], of all modules, numbered branch by branch
  std::vector<std::string> module_name;               ///< [modules]; empty where a branch is one module, named as it is
  std::vector<int> branch_spare_modules;              ///< [branches], that may be out at full load; or `not_said`
  std::vector<double> branch_rated_w;                 ///< [branches], all modules together
  std::vector<OverloadLimit> branch_limit;            ///< [branches], of its loading
  std::vector<FixedStages> branch_stages;             ///< [branches], of the protection of one module
  std::vector<LossCurve> branch_loss;                 ///< [branches], all modules together
  std::vector<TransformerRating> branch_transformer;  ///< [branches], one module; rated for 0 VA: it is none
  std::vector<ZeroSequence> branch_zero_sequence;     ///< [branches], of those that are no transformer
  std::vector<double> branch_reactance_ohm;           ///< [branches], all modules, of those that are no transformer
  std::vector<std::uint8_t>
      branch_makes_voltage;                  ///< [branches], its output has nominal voltage, whatever its input has
  std::vector<double> branch_input_tangent;  ///< [branches], of those: reactive over active power that it draws
  std::vector<double> branch_short_circuit_ratio;  ///< [branches], of inverters: over rated current; 0 of all other
  std::vector<double> branch_breaking_a;  ///< [branches], what breakers behind it interrupt; infinite: not known
  std::vector<double> branch_battery_j;   ///< [branches], all modules together; 0 where there is no battery
  std::vector<double> branch_charger_w;   ///< [branches], into an emptied battery, all modules together
  std::vector<std::uint8_t> branch_shares_battery;   ///< [branches], all modules one; else each has its own
  std::vector<std::uint8_t> branch_normally_closed;  ///< [branches]
  std::vector<std::uint8_t> branch_goes_both_ways;   ///< [branches], carries from either end to the other
  std::vector<int> branch_bypassed;                  ///< [branches], branch that it is the bypass of; or `no_branch`
  std::vector<int> branch_protects;                  ///< [branches], branch that it is the breaker of; or `no_branch`
  std::vector<double>
      branch_return_s;  ///< [branches], of bypasses: after how long what it carries for tries to carry again

  std::vector<int> infeed_begin;  ///< [buses + 1]: branches into bus b are infeed[infeed_begin[b]] and on,
  std::vector<int> infeed;        ///< [branches], as declared, up to infeed[infeed_begin[b + 1] - 1]

  std::vector<std::string> source_name;             ///< [sources], as declared
  std::vector<std::string_view> source_kind;        ///< [sources], "feed", "generator"
  std::vector<int> source_bus;                      ///< [sources]
  std::vector<std::uint8_t> source_is_standby;      ///< [sources], of a kind that stands by: together they are one feed
  std::vector<std::uint8_t> source_normally_live;   ///< [sources]
  std::vector<double> source_rated_w;               ///< [sources], 0 where not known
  std::vector<UtilityFeed::Params> source_feed;     ///< [sources], of utility feeds
  std::vector<Generator::Params> source_generator;  ///< [sources], of generators
  std::vector<OverloadLimit> source_limit;          ///< [sources], of its loading

  std::vector<std::string> load_name;         ///< [loads], as declared
  std::vector<std::array<int, 2>> load_bus;   ///< [loads], the second may be `no_bus`
  std::vector<std::uint8_t> load_transfers;   ///< [loads], takes the first live bus instead of sharing
  std::vector<std::uint8_t> load_needs_both;  ///< [loads], has two buses and is dead while one of them is

  int rooms = 0;
};

inline bool is_transformer(const PowerTree& tree, std::size_t branch) {
  return tree.branch_transformer[branch].rated_va > 0.0;
}

std::optional<std::size_t> find_branch(const PowerTree& tree, std::string_view name);
std::optional<std::size_t> find_source(const PowerTree& tree, std::string_view name);
std::optional<std::size_t> find_load(const PowerTree& tree, std::string_view name);

/// What a branch does in a switch position.
enum class BranchMode : std::uint8_t {
  dead,        ///< open, or fed by a dead bus: no power, no loss
  idle,        ///< energised, but its bus is fed by another branch: the loss at no load
  carrying,    ///< feeds its bus
  on_battery,  ///< feeds its bus from its own battery
};

/// What voltages and reactive power change in a branch, over what it is at nominal voltage and unity power factor.
struct BranchFactors {
  double constant_ratio = 1.0;   ///< of the loss that does not follow the load
  double quadratic_ratio = 1.0;  ///< of the loss that follows the square of what it delivers
  double loading_ratio = 1.0;    ///< of its loading: current over rated current
  double reactive_va =
      0.0;  ///< at nominal voltage, where reactive power is most of what it carries: loss and loading that follow no load
  double link_ratio =
      0.0;  ///< what it delivers over all served loads, of one that closes a loop (electrical/mesh_voltages.hpp)

  bool operator==(const BranchFactors&) const = default;
};

/// Discrete state of the electrical side; a value, part of what a snapshot copies.
struct SwitchState {
  // Decided by events, switching logic and protection:
  std::vector<std::uint8_t> branch_closed;      ///< [branches]
  std::vector<std::uint8_t> source_live;        ///< [sources]
  std::vector<std::uint8_t> battery_ready;      ///< [branches], battery may carry the branch's output
  std::vector<double> branch_in_service_share;  ///< [branches], of its modules: 1 is all, without any it is as if open
  std::vector<std::uint8_t> load_open{};        ///< [loads], switched off at all of its cords; empty: none is
  std::vector<BranchFactors> branch_factors{};  ///< [branches] (electrical/tree_voltages.hpp); empty: all 1
  std::vector<int> branch_tap{};                ///< [branches], steps of tap changers from their middle; empty: all 0
  std::vector<double> load_ratio{};             ///< [loads], what voltage makes of what each asks for; empty: all 1

  // Follows from the above, written by `energise` alone:
  std::vector<std::uint8_t> bus_live;            ///< [buses]
  std::vector<BranchMode> branch_mode;           ///< [branches]
  std::vector<std::uint8_t> branch_is_reversed;  ///< [branches], carries from `branch_to`; empty: none can
  std::vector<std::size_t> branch_order;  ///< [branches], one after all that feed it; empty: as they are numbered
  std::vector<double> source_share;       ///< [sources], fraction of the demand of its bus
  std::vector<std::array<double, 2>> cord_share;  ///< [loads], fraction of the load on each cord; both 0 if it is dead

  bool operator==(const SwitchState&) const = default;
};

/// The normal position, energised; no battery is ready, because nothing here knows its charge.
SwitchState normal_switch_state(const PowerTree& tree);

/// The buses that a branch carries power from and to.
inline std::pair<int, int> ends_of_flow(const PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  const int from = tree.branch_from[branch], to = tree.branch_to[branch];
  if (switches.branch_is_reversed.empty() || switches.branch_is_reversed[branch] == 0) return {from, to};
  return {to, from};
}

/// Whether a branch feeds the bus that it leads to.
inline bool feeds_its_bus(const SwitchState& switches, std::size_t branch) {
  return switches.branch_mode[branch] == BranchMode::carrying || switches.branch_mode[branch] == BranchMode::on_battery;
}

/// Recomputes what follows from the decided part of `switches` (electrical/energise.cpp). Where several closed and live infeeds meet at
/// a bus, a source goes before branches, else the first declared carries; branches that go both ways feed what all others leave dead, from
/// buses that a source feeds. Returns such buses: whoever
/// switched decides what it means. Live sources that stand by are one infeed of their bus; they share its demand in
/// proportion to their ratings, as equal droop makes generators. A battery carries its bus only if nothing else does.
std::vector<int> energise(const PowerTree& tree, SwitchState& switches);

inline bool is_served(const SwitchState& switches, std::size_t load) {
  return switches.cord_share[load][0] + switches.cord_share[load][1] > 0.0;
}

/// What the modules of a branch that are in service may deliver: at the voltage and power factor that it has, where these are known.
inline double rated_in_service_w(const PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  const double rated_w = tree.branch_rated_w[branch] * switches.branch_in_service_share[branch];
  return switches.branch_factors.empty() ? rated_w : rated_w / switches.branch_factors[branch].loading_ratio;
}

/// A flow of the right sizes, all zero.
PowerFlow make_power_flow(const PowerTree& tree);

/// What is asked of the tree, W.
struct PowerDemand {
  std::span<const double> load_w;      ///< [loads], what each draws while served
  std::span<const double> recharge_w;  ///< [branches], what its battery takes while the branch is fed; empty: none does
};

/// Power everywhere. Allocates nothing.
void evaluate(const PowerTree& tree, const PowerDemand& demand, const SwitchState& switches, PowerFlow& out) noexcept;

/// The same while no battery recharges.
inline void evaluate(const PowerTree& tree, std::span<const double> load_w, const SwitchState& switches,
                     PowerFlow& out) noexcept {
  evaluate(tree, PowerDemand{load_w, {}}, switches, out);
}

}  // namespace wattloop::electrical
