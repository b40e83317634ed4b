#include "twin/build/templates/cord_plan.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

using Turns = std::vector<std::vector<std::size_t>>;

Turns one_each(const std::vector<std::size_t>& blocks) {
  Turns turns;
  for (const std::size_t block : blocks) turns.push_back({block});
  return turns;
}

/// All pairs, those of neighbours first: any round of as many turns as there are blocks puts as much on each.
Turns pairs_of(const std::vector<std::size_t>& blocks) {
  Turns turns;
  const std::size_t count = blocks.size();
  for (std::size_t apart = 1; 2 * apart <= count; ++apart) {
    const std::size_t pairs = 2 * apart == count ? count / 2 : count;
    for (std::size_t first = 0; first < pairs; ++first)
      turns.push_back({blocks[first], blocks[(first + apart) % count]});
  }
  return turns;
}

/// Each of the others with the reserve behind it.
Turns with_reserve(const std::vector<std::size_t>& blocks, std::size_t reserve) {
  Turns turns;
  for (const std::size_t block : blocks) {
    if (block != reserve) turns.push_back({block, reserve});
  }
  return turns.empty() ? one_each(blocks) : turns;
}

/// Those, and then the same the other way round.
Turns both_ways(const Turns& turns) {
  Turns both = turns;
  for (const auto& turn : turns) both.emplace_back(turn.rbegin(), turn.rend());
  return both;
}

}  // namespace

CordPlan::CordPlan(std::string_view redundancy, std::vector<std::size_t> blocks, std::optional<std::size_t> reserve)
    : racks_transfer_(redundancy == "block") {
  if (redundancy == "block" && reserve) {
    turns_ = with_reserve(blocks, *reserve);
    motor_turns_ = turns_;
    return;
  }
  const bool is_in_pairs = (redundancy == "2N" || redundancy == "distributed") && blocks.size() > 1;
  turns_ = is_in_pairs ? pairs_of(blocks) : one_each(blocks);
  motor_turns_ = is_in_pairs ? both_ways(turns_) : turns_;
}

std::vector<Cord> CordPlan::cords(std::size_t rack) const {
  std::vector<Cord> cords;
  const std::size_t round = rack / turns_.size(), place = rack % turns_.size();
  for (const std::size_t block : turns_[place]) {
    const auto goes_there = [block](const Turn& turn) { return std::ranges::find(turn, block) != turn.end(); };
    const auto begin = turns_.begin(), here = begin + static_cast<std::ptrdiff_t>(place);
    cords.push_back({.block = block,
                     .turn = round,
                     .slot = static_cast<std::size_t>(std::count_if(begin, here, goes_there)),
                     .slots = static_cast<std::size_t>(std::count_if(begin, turns_.end(), goes_there))});
  }
  return cords;
}

std::vector<std::size_t> CordPlan::motor_blocks(std::size_t motor) const {
  return motor_turns_[motor % motor_turns_.size()];
}

std::vector<std::string> named_blocks(const PowerSpec& power, std::span<const std::string> on) {
  std::vector<std::string> names;
  const std::vector<PowerBlockSpec> blocks = power.blocks();
  for (const PowerBlockSpec& block : blocks) {
    if (std::ranges::find(on, block.name) != on.end()) names.push_back(block.name);
  }
  return names.size() == blocks.size() ? std::vector<std::string>{} : names;
}

CordPlan cord_plan(const PowerSpec& power, std::span<const std::string> on) {
  const std::vector<PowerBlockSpec> blocks = power.blocks();
  std::vector<std::size_t> numbers;
  std::optional<std::size_t> reserve;
  for (std::size_t number = 0; number < blocks.size(); ++number) {
    const std::string& name = blocks[number].name;
    const bool is_reserve = power.laid_out_as() == "block" && name == power.reserve;
    if (is_reserve) reserve = number;
    if (on.empty() || std::ranges::find(on, name) != on.end()) numbers.push_back(number);
  }
  return CordPlan(power.laid_out_as(), std::move(numbers), reserve);
}

}  // namespace wattloop::twin
