#include "electrical/admittance/ac_network.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wattloop::electrical {

namespace {

void check_branch(const AcNetwork& network, const AcBranch& branch, std::vector<std::string>& mistakes) {
  const std::size_t buses = network.buses.size();
  if (branch.from >= buses || branch.to >= buses) {
    mistakes.push_back(fmt::format("branch '{}' ends at a bus that does not exist", branch.name));
  } else if (branch.from == branch.to) {
    mistakes.push_back(
        fmt::format("branch '{}' connects bus '{}' with itself", branch.name, network.buses[branch.from].name));
  }
  if (!(branch.ratio > 0.0)) mistakes.push_back(fmt::format("branch '{}': its ratio must be positive", branch.name));
  if (!std::isfinite(branch.resistance_ohm) || !std::isfinite(branch.reactance_ohm) || branch.resistance_ohm < 0.0)
    mistakes.push_back(
        fmt::format("branch '{}': its impedance must be finite, its resistance not negative", branch.name));
}

void check_source(const AcNetwork& network, std::size_t number, std::vector<std::string>& mistakes) {
  const AcSource& source = network.sources[number];
  if (source.bus >= network.buses.size()) {
    mistakes.push_back(fmt::format("source '{}' is at a bus that does not exist", source.name));
    return;
  }
  if (!(source.voltage_ratio > 0.0))
    mistakes.push_back(fmt::format("source '{}': its voltage must be positive", source.name));
  for (std::size_t other = 0; other < number; ++other) {
    const AcSource& before = network.sources[other];
    const bool are_both_live = source.is_live && before.is_live && before.bus == source.bus;
    if (!are_both_live || source.is_behind_impedance() || before.is_behind_impedance()) continue;
    mistakes.push_back(fmt::format("sources '{}' and '{}' both fix the voltage of bus '{}': give one an impedance",
                                   before.name, source.name, network.buses[source.bus].name));
  }
}

void check_load(const AcNetwork& network, const AcLoad& load, std::vector<std::string>& mistakes) {
  constexpr double rounding = 1e-9;  // of shares that are written in percent
  if (load.bus >= network.buses.size())
    mistakes.push_back(fmt::format("load '{}' is at a bus that does not exist", load.name));
  const VoltageShares& shares = load.shares;
  const double sum = shares.power_fraction + shares.current_fraction + shares.impedance_fraction;
  if (!(std::abs(sum - 1.0) < rounding))
    mistakes.push_back(fmt::format("load '{}': its shares of power, current and impedance add up to {:.6g}, not to 1",
                                   load.name, sum));
}

}  // namespace

std::vector<std::string> mistakes_in(const AcNetwork& network) {
  std::vector<std::string> mistakes;
  for (const AcBus& bus : network.buses) {
    if (!(bus.nominal_v > 0.0))
      mistakes.push_back(fmt::format("bus '{}': its nominal voltage must be positive", bus.name));
  }
  for (const AcBranch& branch : network.branches) check_branch(network, branch, mistakes);
  for (const AcLoad& load : network.loads) check_load(network, load, mistakes);
  for (std::size_t source = 0; source < network.sources.size(); ++source) check_source(network, source, mistakes);
  return mistakes;
}

void throw_if_mistaken(const std::vector<std::string>& mistakes) {
  if (!mistakes.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(mistakes, "; ")));
}

std::vector<std::uint8_t> reached_from(const AcNetwork& network, std::span<const std::size_t> buses) {
  std::vector<std::vector<std::size_t>> neighbours(network.buses.size());
  for (const AcBranch& branch : network.branches) {
    if (!branch.is_closed) continue;
    neighbours[branch.from].push_back(branch.to);
    neighbours[branch.to].push_back(branch.from);
  }
  std::vector<std::uint8_t> is_reached(network.buses.size(), 0);
  std::vector<std::size_t> open(buses.begin(), buses.end());
  while (!open.empty()) {
    const std::size_t bus = open.back();
    open.pop_back();
    if (is_reached[bus] != 0) continue;
    is_reached[bus] = 1;
    open.insert(open.end(), neighbours[bus].begin(), neighbours[bus].end());
  }
  return is_reached;
}

std::vector<std::uint8_t> live_buses(const AcNetwork& network) {
  std::vector<std::size_t> fed;
  for (const AcSource& source : network.sources) {
    if (source.is_live) fed.push_back(source.bus);
  }
  return reached_from(network, fed);
}

}  // namespace wattloop::electrical
