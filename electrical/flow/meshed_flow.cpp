#include "electrical/flow/meshed_flow.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "electrical/admittance/per_unit.hpp"

namespace wattloop::electrical {

namespace {

const AcNetwork& checked(const AcNetwork& network) {
  std::vector<std::string> mistakes = mistakes_in(network);
  for (const AcBranch& branch : network.branches) {
    if (branch.resistance_ohm != 0.0 || branch.reactance_ohm != 0.0) continue;
    mistakes.push_back(fmt::format("branch '{}' has no impedance, which a meshed flow needs", branch.name));
  }
  throw_if_mistaken(mistakes);
  return network;
}

/// Derivative of load_current() with respect to e and f.
Block derivative(const BusLoad& load, Complex voltage) {
  const double e = voltage.real(), f = voltage.imag(), square = e * e + f * f, magnitude = std::sqrt(square);
  const double p = load.power.real() / square + load.current.real() / magnitude + load.impedance.real();
  const double q = load.power.imag() / square + load.current.imag() / magnitude + load.impedance.imag();
  // p and q fall with the square of the voltage: by these per unit of it, twice over.
  const double p_slope = (2.0 * load.power.real() / square + load.current.real() / magnitude) / square;
  const double q_slope = (2.0 * load.power.imag() / square + load.current.imag() / magnitude) / square;
  const double real_slope = p_slope * e + q_slope * f, imaginary_slope = p_slope * f - q_slope * e;
  return {p - e * real_slope, q - f * real_slope, -q - e * imaginary_slope, p - f * imaginary_slope};
}

constexpr double enough =
    0.05;  ///< a step that is followed by one of more than this share of it is followed by new factors

double largest_of(std::span<const Complex> change) {
  double largest = 0.0;
  for (const Complex& of : change) largest = std::max({largest, std::abs(of.real()), std::abs(of.imag())});
  return largest;
}

}  // namespace

MeshedFlow::MeshedFlow(const AcNetwork& network)
    : network_(checked(network)), admittance_(network), factors_(admittance_) {
  const std::size_t buses = network.buses.size();
  for (auto* values : {&source_current_, &source_shunt_, &flat_, &voltage_, &tried_, &step_, &next_})
    values->resize(buses);
  is_fixed_.resize(buses);
  load_.resize(buses);
  for (auto* values : {&series_current_, &series_admittance_, &half_shunt_}) values->resize(network.branches.size());
  take_switches();
}

void MeshedFlow::take_switches() {
  admittance_.clear();
  for (std::size_t branch = 0; branch < network_.branches.size(); ++branch) {
    const AcBranch& one = network_.branches[branch];
    if (!one.is_closed) continue;
    const Complex impedance = series_impedance(network_, one), shunt = shunt_admittance(network_, one);
    admittance_.add(branch, two_port(impedance, shunt, one.ratio));
    series_admittance_[branch] = 1.0 / impedance;
    half_shunt_[branch] = 0.5 * shunt;
  }
  is_live_ = live_buses(network_);
  Complex first_voltage(0.0);
  for (std::size_t bus = 0; bus < is_live_.size(); ++bus) is_fixed_[bus] = is_live_[bus] == 0 ? 1 : 0;
  std::ranges::fill(source_current_, Complex(0.0));
  std::ranges::fill(source_shunt_, Complex(0.0));
  for (const AcSource& source : network_.sources) {
    if (!source.is_live) continue;
    if (first_voltage == 0.0) first_voltage = source_voltage(source);
  }
  for (std::size_t bus = 0; bus < is_live_.size(); ++bus) flat_[bus] = is_live_[bus] != 0 ? first_voltage : 0.0;
  for (const AcSource& source : network_.sources) {
    if (!source.is_live) continue;
    if (source.is_behind_impedance()) {
      const Complex admittance = 1.0 / source_impedance(network_, source);
      admittance_.add_shunt(source.bus, admittance);
      source_shunt_[source.bus] += admittance;
      source_current_[source.bus] += admittance * source_voltage(source);
    } else {
      is_fixed_[source.bus] = 1;
      flat_[source.bus] = source_voltage(source);
    }
  }
  start_flat();
}

void MeshedFlow::start_flat() { voltage_ = flat_; }

void MeshedFlow::start_from(std::span<const Complex> voltage) {
  for (std::size_t bus = 0; bus < voltage_.size(); ++bus)
    voltage_[bus] = is_fixed_[bus] != 0 || voltage[bus] == 0.0 ? flat_[bus] : voltage[bus];
}

/// Adds up differences of voltages, branch by branch. A rounding error in a branch of small impedance is subtracted at one end and added at the
/// other,
/// so it changes no other voltage. A product with the matrix would round both ends separately.
void MeshedFlow::residual(std::span<const Complex> voltage, std::vector<Complex>& mismatch) const {
  std::ranges::fill(mismatch, Complex(0.0));
  for (std::size_t number = 0; number < network_.branches.size(); ++number) {
    const AcBranch& branch = network_.branches[number];
    if (!branch.is_closed) continue;
    const double over_ratio = 1.0 / branch.ratio;
    const Complex from = voltage[branch.from] * over_ratio, to = voltage[branch.to];
    const Complex series = product(series_admittance_[number], from - to);
    mismatch[branch.from] += (series + product(half_shunt_[number], from)) * over_ratio;
    mismatch[branch.to] += product(half_shunt_[number], to) - series;
  }
  for (std::size_t bus = 0; bus < mismatch.size(); ++bus) {
    if (is_fixed_[bus] != 0)
      mismatch[bus] = 0.0;
    else
      mismatch[bus] +=
          product(source_shunt_[bus], voltage[bus]) + load_current(load_[bus], voltage[bus]) - source_current_[bus];
  }
}

bool MeshedFlow::factor_at(std::span<const Complex> voltage, bool is_first) {
  factors_.take(admittance_);
  for (std::size_t bus = 0; bus < voltage.size(); ++bus) {
    if (is_fixed_[bus] != 0) {
      factors_.fix(admittance_, bus);
    } else {
      factors_.add(bus, derivative(load_[bus], voltage[bus]));
    }
  }
  return is_first
             ? factors_.factor()
             : factors_.refactor();  // the first is that of no other solution: same answer whatever was solved before
}

/// (dF/dV)^-1 F at these voltages, with the present factors. This is the correction to subtract from the voltages.
void MeshedFlow::correction(std::span<const Complex> voltage, std::vector<Complex>& change) {
  residual(voltage, change);
  factors_.solve(change);
}

/// A step with the present factors. It is shortened until the next step with the same factors is shorter.
MeshedFlow::Step MeshedFlow::step() {
  constexpr double exact = 1e-14, rounding = 1e-9, shortest = 1.0 / 1024.0;
  const double change = largest_of(step_);
  for (double length = 1.0; length >= shortest; length *= 0.5) {
    for (std::size_t bus = 0; bus < voltage_.size(); ++bus) tried_[bus] = voltage_[bus] - length * step_[bus];
    correction(tried_, next_);
    const double next = largest_of(next_);
    const bool is_shorter = next < (1.0 - 1e-4 * length) * change;
    // A small step that no longer becomes shorter is rounding.
    const bool is_last = length == 1.0 && (next < exact || (change < rounding && next >= enough * change));
    if (!is_shorter && !is_last) continue;
    std::swap(voltage_, tried_);
    std::swap(step_, next_);
    return is_last ? Step::last : next < enough * change ? Step::fast : Step::slow;
  }
  return Step::none;
}

FlowEnd MeshedFlow::solve(std::span<const Complex> load_va, AcFlow& flow) {
  constexpr int most_steps = 60;
  FlowEnd end;
  add_up_loads(network_, load_va, load_);
  bool is_good = factor_at(voltage_, true), is_fresh = true;
  if (is_good) correction(voltage_, step_);
  while (is_good && !end.is_solved && end.iterations < most_steps) {
    const Step taken = step();
    ++end.iterations;
    end.is_solved = taken == Step::last;
    const bool is_over = taken == Step::none && is_fresh;
    const bool needs_factors = taken == Step::slow || taken == Step::none;
    is_fresh = needs_factors;
    if (needs_factors && !end.is_solved) {
      is_good = !is_over && factor_at(voltage_, false);
      if (is_good) correction(voltage_, step_);
    }
  }
  find_weakest(voltage_, is_live_, end);
  if (end.is_solved) {
    fill_series_currents();
    fill_flow(network_, load_va, voltage_, series_current_, flow);
  } else {
    start_flat();
  }
  return end;
}

void MeshedFlow::fill_series_currents() {
  for (std::size_t number = 0; number < network_.branches.size(); ++number) {
    const AcBranch& branch = network_.branches[number];
    const Complex drop = voltage_[branch.from] / branch.ratio - voltage_[branch.to];
    series_current_[number] = branch.is_closed ? drop / series_impedance(network_, branch) : Complex(0.0);
  }
}

}  // namespace wattloop::electrical
