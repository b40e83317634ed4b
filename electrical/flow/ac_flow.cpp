#include "electrical/flow/ac_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "electrical/admittance/per_unit.hpp"

namespace wattloop::electrical {

namespace {

Complex power_of(Complex voltage, Complex current) noexcept {
  const double e = voltage.real(), f = voltage.imag(), a = current.real(), b = current.imag();
  return {e * a + f * b, f * a - e * b};
}

AcPower in_si(const AcBus& bus, Complex voltage, Complex power) noexcept {
  const double magnitude = std::abs(voltage);
  return {.active_w = power.real() * base_va,
          .reactive_var = power.imag() * base_va,
          .current_a = magnitude > 0.0 ? std::abs(power) / magnitude * base_a(bus) : 0.0};
}

void fill_branches(const AcNetwork& network, std::span<const Complex> voltage, std::span<const Complex> series_current,
                   AcFlow& flow) noexcept {
  for (std::size_t number = 0; number < network.branches.size(); ++number) {
    const AcBranch& branch = network.branches[number];
    flow.branch_from[number] = flow.branch_to[number] = {};
    flow.branch_loss_w[number] = 0.0;
    const Complex from = voltage[branch.from] / branch.ratio, to = voltage[branch.to], series = series_current[number];
    if (!branch.is_closed || voltage[branch.from] == 0.0) continue;
    const Complex half = 0.5 * shunt_admittance(network, branch);
    const Complex from_power = power_of(from, series + half * from), to_power = power_of(to, half * to - series);
    flow.branch_from[number] = in_si(network.buses[branch.from], voltage[branch.from], from_power);
    flow.branch_to[number] = in_si(network.buses[branch.to], to, to_power);
    flow.branch_loss_w[number] = (from_power.real() + to_power.real()) * base_va;
  }
}

void fill_loads(const AcNetwork& network, std::span<const Complex> load_va, std::span<const Complex> voltage,
                AcFlow& flow) noexcept {
  for (std::size_t number = 0; number < network.loads.size(); ++number) {
    const AcLoad& load = network.loads[number];
    const double ratio = std::abs(voltage[load.bus]);
    const VoltageShares& shares = load.shares;
    const double drawn = shares.power_fraction + ratio * (shares.current_fraction + ratio * shares.impedance_fraction);
    const Complex power = ratio > 0.0 ? load_va[number] / base_va * drawn : Complex(0.0);
    flow.load[number] = in_si(network.buses[load.bus], voltage[load.bus], power);
  }
}

void subtract(AcPower& from, const AcPower& what) noexcept {
  from.active_w -= what.active_w;
  from.reactive_var -= what.reactive_var;
}

/// A source that fixes the voltage of its bus delivers the remaining power of this bus.
void fill_fixed_source(const AcNetwork& network, std::size_t number, std::span<const Complex> voltage,
                       AcFlow& flow) noexcept {
  const std::size_t bus = network.sources[number].bus;
  AcPower received;
  for (std::size_t branch = 0; branch < network.branches.size(); ++branch) {
    if (network.branches[branch].from == bus) subtract(received, flow.branch_from[branch]);
    if (network.branches[branch].to == bus) subtract(received, flow.branch_to[branch]);
  }
  for (std::size_t load = 0; load < network.loads.size(); ++load) {
    if (network.loads[load].bus == bus) subtract(received, flow.load[load]);
  }
  for (std::size_t other = 0; other < network.sources.size(); ++other) {
    const AcSource& source = network.sources[other];
    if (source.bus != bus || !source.is_behind_impedance()) continue;
    received.active_w += flow.source[other].active_w;
    received.reactive_var += flow.source[other].reactive_var;
  }
  flow.source[number] =
      in_si(network.buses[bus], voltage[bus], Complex(-received.active_w, -received.reactive_var) / base_va);
}

void fill_sources(const AcNetwork& network, std::span<const Complex> voltage, AcFlow& flow) noexcept {
  for (std::size_t number = 0; number < network.sources.size(); ++number) {
    const AcSource& source = network.sources[number];
    flow.source[number] = {};
    if (!source.is_live || !source.is_behind_impedance()) continue;
    const Complex terminal = voltage[source.bus];
    const Complex current = (source_voltage(source) - terminal) / source_impedance(network, source);
    flow.source[number] = in_si(network.buses[source.bus], terminal, power_of(terminal, current));
  }
  for (std::size_t number = 0; number < network.sources.size(); ++number) {
    const AcSource& source = network.sources[number];
    if (source.is_live && !source.is_behind_impedance()) fill_fixed_source(network, number, voltage, flow);
  }
}

double total_w(std::span<const AcPower> parts) noexcept {
  double sum_w = 0.0;
  for (const AcPower& part : parts) sum_w += part.active_w;
  return sum_w;
}

}  // namespace

AcFlow make_ac_flow(const AcNetwork& network) {
  const std::size_t buses = network.buses.size(), branches = network.branches.size();
  AcFlow flow;
  flow.bus_voltage_v.resize(buses);
  flow.bus_angle_rad.resize(buses);
  flow.branch_from.resize(branches);
  flow.branch_to.resize(branches);
  flow.branch_loss_w.resize(branches);
  flow.source.resize(network.sources.size());
  flow.load.resize(network.loads.size());
  return flow;
}

void add_up_loads(const AcNetwork& network, std::span<const Complex> load_va, std::span<BusLoad> at_bus) noexcept {
  std::ranges::fill(at_bus, BusLoad{});
  for (std::size_t number = 0; number < network.loads.size(); ++number) {
    const AcLoad& load = network.loads[number];
    const Complex power = load_va[number] / base_va;
    at_bus[load.bus].power += load.shares.power_fraction * power;
    at_bus[load.bus].current += load.shares.current_fraction * power;
    at_bus[load.bus].impedance += load.shares.impedance_fraction * power;
  }
}

void fill_flow(const AcNetwork& network, std::span<const Complex> load_va, std::span<const Complex> voltage,
               std::span<const Complex> series_current, AcFlow& flow) noexcept {
  for (std::size_t bus = 0; bus < network.buses.size(); ++bus) {
    flow.bus_voltage_v[bus] = std::abs(voltage[bus]) * network.buses[bus].nominal_v;
    flow.bus_angle_rad[bus] = voltage[bus] == 0.0 ? 0.0 : std::arg(voltage[bus]);
  }
  fill_branches(network, voltage, series_current, flow);
  fill_loads(network, load_va, voltage, flow);
  fill_sources(network, voltage, flow);
  flow.source_total_w = total_w(flow.source);
  flow.load_total_w = total_w(flow.load);
  flow.loss_w = 0.0;
  for (const double one_w : flow.branch_loss_w) flow.loss_w += one_w;
}

void find_weakest(std::span<const Complex> voltage, std::span<const std::uint8_t> is_live, FlowEnd& end) noexcept {
  end.weakest_bus = 0;
  end.weakest_ratio = std::numeric_limits<double>::infinity();
  for (std::size_t bus = 0; bus < voltage.size(); ++bus) {
    const double ratio = std::abs(voltage[bus]);
    if (is_live[bus] == 0 || !(ratio < end.weakest_ratio)) continue;
    end.weakest_bus = bus;
    end.weakest_ratio = ratio;
  }
  if (end.weakest_ratio == std::numeric_limits<double>::infinity()) end.weakest_ratio = 0.0;
}

}  // namespace wattloop::electrical
