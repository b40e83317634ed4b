#include "twin/sizing/power_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "twin/build/templates/cord_plan.hpp"
#include "twin/sizing/cooling_sizes.hpp"

namespace wattloop::twin {

namespace {

constexpr double block_w =
    1.6e6;  ///< IT of a block where there are several: with the others' share two transformers of 2.5 MVA at most
constexpr int most_blocks = 25;  ///< a to z, but r
constexpr int most_alike = 16;   ///< modules in parallel before the next larger ones are taken

int rounded_up(double ratio) { return std::max(1, static_cast<int>(std::ceil(ratio - 1e-9))); }

/// Of the devices that carry a load with no more than `most_alike`, those of the least rating together; else the largest.
PowerCount fewest(double load_w, int spare, const std::vector<PowerFigures>& devices) {
  std::optional<PowerCount> best;
  for (const PowerFigures& device : devices) {
    const int needed = rounded_up(power_margin_ratio * load_w / device.rated_w);
    const PowerCount here{.device = device, .count = needed + spare, .spare = spare, .load_w = load_w};
    const bool is_largest = &device == &devices.back();
    if (needed > most_alike && !(is_largest && !best)) continue;
    if (!best || here.rated_w() < 0.999 * best->rated_w() ||
        (here.rated_w() < 1.001 * best->rated_w() && here.count < best->count))
      best = here;
  }
  return *best;
}

CordPlan cords_of(const BlockPlan& plan) {
  std::vector<std::size_t> numbers(static_cast<std::size_t>(plan.all_blocks()));
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const std::optional<std::size_t> reserve =
      plan.has_reserve() ? std::optional(numbers.back()) : std::optional<std::size_t>{};
  return CordPlan(plan.said(), std::move(numbers), reserve);
}

/// Racks on blocks and on their PDUs with one block out, or none.
struct Laid {
  std::vector<double> blocks;
  std::vector<std::vector<double>> pdus;
};

Laid lay(const BlockPlan& plan, const CordPlan& cords, int pdus, std::optional<std::size_t> out) {
  const auto blocks = static_cast<std::size_t>(plan.all_blocks()), each = static_cast<std::size_t>(pdus);
  Laid laid{std::vector<double>(blocks), std::vector<std::vector<double>>(blocks, std::vector<double>(each))};
  for (int rack = 0; rack < plan.racks; ++rack) {
    std::vector<Cord> live = cords.cords(static_cast<std::size_t>(rack));
    if (out) std::erase_if(live, [&](const Cord& cord) { return cord.block == *out; });
    if (cords.racks_transfer() && live.size() > 1) live.resize(1);  // the reserve waits
    for (const Cord& cord : live) {
      const double share = 1.0 / static_cast<double>(live.size());
      laid.blocks[cord.block] += share;
      laid.pdus[cord.block][cord.pdu_of(each)] += share;
    }
  }
  return laid;
}

double largest(const std::vector<double>& list) { return *std::ranges::max_element(list); }

}  // namespace

std::string BlockPlan::said() const { return redundancy.starts_with("N") ? "single" : redundancy; }

std::vector<std::string> BlockPlan::names() const {
  std::vector<std::string> list;
  for (char name = 'a'; static_cast<int>(list.size()) < blocks; ++name) {
    if (name != 'r') list.emplace_back(1, name);
  }
  if (has_reserve()) list.emplace_back("r");
  return list;
}

BlockPlan plan_blocks(const std::string& redundancy, int racks, double it_w) {
  BlockPlan plan{.redundancy = redundancy, .blocks = 1, .racks = racks};
  if (redundancy == "2N") plan.blocks = 2;
  if (redundancy == "block") plan.blocks = std::clamp(rounded_up(it_w / block_w), 2, most_blocks - 1);
  if (redundancy == "distributed") plan.blocks = std::clamp(rounded_up(it_w / block_w) + 1, 3, most_blocks);
  return plan;
}

WorstRacks worst_racks(const BlockPlan& plan, int pdus) {
  const CordPlan cords = cords_of(plan);
  WorstRacks worst;
  const auto take = [&](const Laid& laid) {
    worst.block_worst = std::max(worst.block_worst, largest(laid.blocks));
    for (const std::vector<double>& of_block : laid.pdus)
      worst.pdu_worst = std::max(worst.pdu_worst, largest(of_block));
  };
  const Laid whole = lay(plan, cords, pdus, {});
  worst.block_whole = largest(whole.blocks);
  take(whole);
  for (std::size_t out = 0; plan.blocks > 1 && out < static_cast<std::size_t>(plan.blocks); ++out)
    take(lay(plan, cords, pdus, out));
  return worst;
}

double worst_share(const BlockPlan& plan) {
  if (plan.has_reserve()) return 1.0 / plan.blocks;
  return 1.0 / std::max(1, plan.blocks - 1);
}

BlockSizes size_ups(const BlockPlan& plan, double rack_w, double motors_w, double largest_w,
                    const LibraryFigures& library) {
  BlockSizes sizes;
  const int spare = plan.redundancy == "N+1" ? 1 : 0;
  const WorstRacks racks = worst_racks(plan, 1);
  // The largest PDU of which there are at least two, so that a path does not end in one box, or the smallest that carries all alone; then as many as
  // the fullest needs.
  bool is_found = false;
  for (const PowerFigures& pdu : library.pdus) {
    const int most_racks = static_cast<int>(pdu.rated_w / (power_margin_ratio * rack_w));
    if (most_racks < 1) continue;
    if (is_found && (sizes.pdus.count == 1 || most_racks * 2 > racks.block_worst)) break;
    sizes.pdus = {.device = pdu, .count = rounded_up(racks.block_worst / most_racks)};
    while (worst_racks(plan, sizes.pdus.count).pdu_worst > most_racks) ++sizes.pdus.count;
    is_found = true;
  }
  sizes.pdus.load_w = worst_racks(plan, sizes.pdus.count).pdu_worst * rack_w;
  const auto with_pdus = [&](double of_racks) {
    const double each_w = of_racks * rack_w / sizes.pdus.count;
    return of_racks * rack_w + sizes.pdus.count * sizes.pdus.device.loss_w(each_w);
  };
  const double worst_w = with_pdus(racks.block_worst) + motors_w * worst_share(plan) + largest_w;
  sizes.pdu_loss_w = with_pdus(racks.block_whole) - racks.block_whole * rack_w;
  sizes.ups = fewest(worst_w, spare, library.ups);
  sizes.ups_loss_w = sizes.ups.device.loss_w(worst_w, sizes.ups.count);
  const double whole_w = with_pdus(racks.block_whole) + motors_w / plan.blocks;
  sizes.ups_loss_whole_w = sizes.ups.device.loss_w(whole_w, sizes.ups.count);
  return sizes;
}

namespace {

/// Short-circuit power of transformers on one bus, together: sqrt(3) 415 V x 150 kA, which breakers interrupt.
constexpr double most_on_a_bus_va = 6.4e6 / 0.06;

bool fits_one_bus(const PowerCount& transformers) {
  return transformers.rated_w() / transformers.device.short_circuit_fraction <= most_on_a_bus_va;
}

/// Few large ones, where many small ones are too many for one bus; the largest where all are: each then has a bus of its own.
PowerCount transformers_for(double load_w, int spare, const std::vector<PowerFigures>& devices) {
  std::vector<PowerFigures> few;
  for (const PowerFigures& device : devices) {
    if (fits_one_bus(fewest(load_w, spare, {device}))) few.push_back(device);
  }
  return fewest(load_w, spare, few.empty() ? std::vector{devices.back()} : few);
}

/// Unit substations where one bus would have too many transformers and none of them is to spare. What is rounded up loses a little more.
void divide_among_buses(BlockSizes& sizes) {
  if (sizes.transformers.spare > 0 || fits_one_bus(sizes.transformers)) return;
  const int buses = sizes.low_voltage_buses = sizes.transformers.count;
  const int modules = sizes.ups.count;
  for (PowerCount* equipment : {&sizes.ups, &sizes.generators, &sizes.pdus})
    equipment->count = (equipment->count + buses - 1) / buses * buses;
  const double more_w = (sizes.ups.count - modules) * sizes.ups.device.loss_w(0.0);
  sizes.ups_loss_w += more_w;
  sizes.ups_loss_whole_w += more_w;
}

}  // namespace

void size_feeds(const BlockPlan& plan, double motors_w, double largest_w, const LibraryFigures& library,
                BlockSizes& sizes) {
  const int spare = plan.redundancy == "N+1" ? 1 : 0;
  const double load_w = sizes.ups.load_w + sizes.ups_loss_w + motors_w * worst_share(plan) + largest_w;
  sizes.transformers = transformers_for(load_w, spare, library.transformers);
  // Generators stand behind the transformers; where there are several, one may not start: `check` leaves each out in turn.
  sizes.generators = fewest(load_w, 0, library.generators);
  if (sizes.generators.count > 1 || plan.redundancy == "N+1") sizes.generators = fewest(load_w, 1, library.generators);
  divide_among_buses(sizes);
}

}  // namespace wattloop::twin
