#include "electrical/fault/short_circuit.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "electrical/admittance/admittance_matrix.hpp"
#include "electrical/admittance/per_unit.hpp"

namespace wattloop::electrical {

namespace {

/// The impedances to use: the normal ones, or those for the peak, with reactances at another frequency and other resistances.
struct Seen {
  double frequency_fraction;
  bool is_for_peak;
};
constexpr Seen as_they_are{1.0, false}, for_peak{0.4, true};

FaultBranch seen_of(const FaultCase& fault, std::size_t branch) {
  return fault.branches.empty() ? FaultBranch{} : fault.branches[branch];
}

Complex impedance_of(const AcNetwork& network, const FaultSource& source, const Seen& seen) {
  const double resistance_ohm = seen.is_for_peak ? source.resistance_for_peak_ohm : source.resistance_ohm;
  return Complex(resistance_ohm, source.reactance_ohm * seen.frequency_fraction) * source.factor /
         base_ohm(network.buses[source.bus]);
}

void assemble(const AcNetwork& network, const FaultCase& fault, const Seen& seen, AdmittanceMatrix& matrix) {
  matrix.clear();
  for (std::size_t number = 0; number < network.branches.size(); ++number) {
    const AcBranch& branch = network.branches[number];
    if (!branch.is_closed) continue;
    const FaultBranch of_branch = seen_of(fault, number);
    const Complex series = series_impedance(network, branch) * of_branch.factor;
    const Complex impedance(series.real() * of_branch.resistance_ratio, series.imag() * seen.frequency_fraction);
    matrix.add(number, two_port(impedance, 0.0, of_branch.ratio));
  }
  for (const FaultSource& source : fault.sources)
    matrix.add_shunt(source.bus, 1.0 / impedance_of(network, source, seen));
}

/// Impedances between a bus and all others, one column at a time.
class Impedances {
 public:
  Impedances(const AcNetwork& network, std::span<const std::uint8_t> is_fed)
      : network_(network), is_fed_(is_fed), matrix_(network), factors_(matrix_), column_(network.buses.size()) {}

  void take(const FaultCase& fault, const Seen& seen) {
    assemble(network_, fault, seen, matrix_);
    factors_.take(matrix_);
    for (std::size_t bus = 0; bus < is_fed_.size(); ++bus) {
      if (is_fed_[bus] == 0) factors_.fix(matrix_, bus);
    }
    if (!factors_.factor())
      throw std::invalid_argument("impedances of the network cancel out: no fault level can be computed");
  }

  /// Z_jk per unit, for all buses j; valid until the next one.
  std::span<const Complex> column(std::size_t bus) {
    std::ranges::fill(column_, Complex(0.0));
    column_[bus] = 1.0;
    factors_.solve(column_);
    return column_;
  }

 private:
  const AcNetwork& network_;
  std::span<const std::uint8_t> is_fed_;
  AdmittanceMatrix matrix_;
  AdmittanceFactors factors_;
  std::vector<Complex> column_;
};

/// All values except the peak, which needs impedances at another frequency.
FaultLevel initial_level(const AcNetwork& network, const FaultCase& fault, std::size_t bus,
                         std::span<const Complex> column) {
  const AcBus& at = network.buses[bus];
  const Complex own_ohm = column[bus] * base_ohm(at);
  FaultLevel level{.resistance_ohm = own_ohm.real(), .reactance_ohm = own_ohm.imag()};
  for (const FaultConverter& converter : fault.converters) {
    const double share = std::abs(column[converter.bus]) / std::abs(column[bus]);
    level.converters_a += share * converter.current_a / base_a(network.buses[converter.bus]) * base_a(at);
  }
  level.current_a =
      fault.voltage_factor[bus] * at.nominal_v / (std::numbers::sqrt3 * std::abs(own_ohm)) + level.converters_a;
  return level;
}

void add_peak(FaultLevel& level, Complex own_impedance) {
  const double ratio = own_impedance.real() / own_impedance.imag() * for_peak.frequency_fraction;
  const double of_impedances_a = level.current_a - level.converters_a;
  level.peak_a = std::numbers::sqrt2 * (peak_factor(ratio) * of_impedances_a + level.converters_a);
}

/// The fault case for a short circuit at the terminals of the generator of a power station unit.
FaultCase at_terminals(const AcNetwork& network, const FaultCase& fault, const PowerStationUnit& unit) {
  FaultCase changed = fault;
  if (changed.branches.empty()) changed.branches.resize(network.branches.size());
  FaultSource& generator = changed.sources[unit.source];
  generator.factor = unit.terminal_factor;
  changed.voltage_factor[generator.bus] *= unit.rated_v / network.buses[generator.bus].nominal_v;
  changed.branches[unit.branch].factor = 1.0;
  changed.units.clear();
  return changed;
}

void check_sizes(const AcNetwork& network, const FaultCase& fault, std::vector<std::string>& mistakes) {
  const auto expect = [&](std::size_t count, std::size_t expected, const char* what) {
    if (count != expected) mistakes.push_back(fmt::format("{} {} for {} of the network", count, what, expected));
  };
  expect(fault.voltage_factor.size(), network.buses.size(), "voltage factors");
  if (!fault.branches.empty()) expect(fault.branches.size(), network.branches.size(), "branches of a short circuit");
  for (const PowerStationUnit& unit : fault.units) {
    if (unit.source >= fault.sources.size() || unit.branch >= network.branches.size())
      mistakes.push_back("a power station unit has a source or a branch that does not exist");
  }
}

void check(const AcNetwork& network, const FaultCase& fault) {
  std::vector<std::string> mistakes = mistakes_in(network);
  check_sizes(network, fault, mistakes);
  for (const AcBranch& branch : network.branches) {
    if (branch.resistance_ohm == 0.0 && branch.reactance_ohm == 0.0)
      mistakes.push_back(fmt::format("branch '{}' has no impedance, which a fault level needs", branch.name));
  }
  for (const FaultSource& source : fault.sources) {
    if (source.bus >= network.buses.size())
      mistakes.push_back(fmt::format("source '{}' is at a bus that does not exist", source.name));
    if (!(source.reactance_ohm > 0.0) || !(source.factor > 0.0))
      mistakes.push_back(fmt::format("source '{}' needs a positive reactance and factor", source.name));
  }
  for (const FaultConverter& converter : fault.converters) {
    if (converter.bus >= network.buses.size())
      mistakes.push_back(fmt::format("converter '{}' is at a bus that does not exist", converter.name));
  }
  throw_if_mistaken(mistakes);
}

std::vector<std::uint8_t> fed_buses(const AcNetwork& network, const FaultCase& fault) {
  std::vector<std::size_t> fed;
  for (const FaultSource& source : fault.sources) fed.push_back(source.bus);
  return reached_from(network, fed);
}

std::vector<double> factors_of(const AcNetwork& network, LowVoltageTolerance tolerance,
                               double VoltageFactors::*wanted) {
  std::vector<double> factors;
  for (const AcBus& bus : network.buses) factors.push_back(voltage_factors(bus.nominal_v, tolerance).*wanted);
  return factors;
}

}  // namespace

double line_to_earth_current_a(double voltage_factor, double nominal_v, const FaultLevel& positive,
                               const FaultLevel& zero) {
  const double resistance_ohm = 2.0 * positive.resistance_ohm + zero.resistance_ohm;
  const double reactance_ohm = 2.0 * positive.reactance_ohm + zero.reactance_ohm;
  return std::numbers::sqrt3 * voltage_factor * nominal_v / std::hypot(resistance_ohm, reactance_ohm);
}

std::vector<double> largest_voltage_factors(const AcNetwork& network, LowVoltageTolerance tolerance) {
  return factors_of(network, tolerance, &VoltageFactors::largest);
}

std::vector<double> smallest_voltage_factors(const AcNetwork& network, LowVoltageTolerance tolerance) {
  return factors_of(network, tolerance, &VoltageFactors::smallest);
}

FaultSource feeder_source(std::string name, std::size_t bus, const Feeder60909& feeder) {
  const double impedance_ohm = feeder.voltage_factor * feeder.nominal_v * feeder.nominal_v / feeder.short_circuit_va;
  const double reactance_ohm = impedance_ohm / std::hypot(1.0, feeder.resistance_over_reactance);
  const double resistance_ohm = feeder.resistance_over_reactance * reactance_ohm;
  return {std::move(name), bus, resistance_ohm, reactance_ohm, resistance_ohm};
}

FaultSource generator_source(std::string name, std::size_t bus, const GeneratorRating& generator, double factor) {
  return {std::move(name),
          bus,
          generator.resistance_ohm,
          subtransient_reactance_ohm(generator),
          resistance_for_peak_ohm(generator),
          factor};
}

std::vector<FaultLevel> fault_levels(const AcNetwork& network, const FaultCase& fault) {
  check(network, fault);
  const std::vector<std::uint8_t> is_fed = fed_buses(network, fault);
  std::vector<FaultLevel> levels(network.buses.size());
  Impedances impedances(network, is_fed), peak_impedances(network, is_fed);
  const auto fill = [&](const FaultCase& as_seen, std::size_t bus) {
    if (is_fed[bus] == 0) return;
    levels[bus] = initial_level(network, as_seen, bus, impedances.column(bus));
    add_peak(levels[bus], peak_impedances.column(bus)[bus]);
  };
  impedances.take(fault, as_they_are);
  peak_impedances.take(fault, for_peak);
  for (std::size_t bus = 0; bus < levels.size(); ++bus) fill(fault, bus);
  for (const PowerStationUnit& unit : fault.units) {
    const FaultCase changed = at_terminals(network, fault, unit);
    impedances.take(changed, as_they_are);
    peak_impedances.take(changed, for_peak);
    fill(changed, changed.sources[unit.source].bus);
  }
  return levels;
}

}  // namespace wattloop::electrical
