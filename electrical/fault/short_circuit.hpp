// Three-phase short circuits at every bus by the equivalent voltage source at the short circuit, of IEC 60909-0.
//
//   I''_k = c U_n / (sqrt(3) |Z_kk|) + sum over converters |Z_kj| / |Z_kk| I_j,      Z = Y^-1
//   I''_k1 = sqrt(3) c U_n / |2 Z_1 + Z_0|,                                         Z_0 by a network of the zero sequence
//   i_p   = kappa sqrt(2) c U_n / (sqrt(3) |Z_kk|) + sqrt(2) sum ...,               kappa by R/X of Z_kk at 0.4 of the frequency (method c)
//
// Y has the series impedances of closed branches and the impedances of sources, times their factors (electrical/fault/correction_factors.hpp);
// loads, capacitances and magnetising branches are left out, and taps are in the middle. It is the matrix of flows,
// electrical/admittance/admittance_matrix.hpp. Source: [iec_60909_0] clauses 4.2, 6, 7.2, 8.1.
// Verified in tests/verification/power/short_circuit.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "electrical/admittance/ac_network.hpp"
#include "electrical/fault/correction_factors.hpp"

namespace wattloop::electrical {

/// Network feeder, generator or motor as a short circuit sees it: an impedance of one phase.
struct FaultSource {
  std::string name;
  std::size_t bus;
  double resistance_ohm;
  double reactance_ohm;
  double resistance_for_peak_ohm;
  double factor = 1.0;  ///< on the impedance: that of its generator or unit
};

/// Converter, as an inverter of a UPS: delivers a limited current, whatever the voltage is.
struct FaultConverter {
  std::string name;
  std::size_t bus;
  double current_a;
};

/// What a short circuit sees of a branch of the network.
struct FaultBranch {
  double factor = 1.0;            ///< on the impedance: that of its transformer or unit
  double resistance_ratio = 1.0;  ///< on the resistance: of a hot conductor
  double ratio = 1.0;             ///< rated, as AcBranch::ratio
};

/// A generator with its transformer: for a short circuit at its terminals it has other factors.
struct PowerStationUnit {
  std::size_t source;
  std::size_t branch;
  double terminal_factor;
  double rated_v;  ///< of the generator
};

struct FaultCase {
  std::vector<double> voltage_factor = {};  ///< [buses], c
  std::vector<FaultSource> sources = {};
  std::vector<FaultConverter> converters = {};
  std::vector<FaultBranch> branches = {};  ///< [branches], or empty: all as they are
  std::vector<PowerStationUnit> units = {};
};

struct FaultLevel {
  double current_a = 0.0;       ///< I''_k, initial symmetrical, effective; 0 where no source is reached
  double peak_a = 0.0;          ///< i_p
  double converters_a = 0.0;    ///< part of I''_k
  double resistance_ohm = 0.0;  ///< of Z_kk
  double reactance_ohm = 0.0;
};

/// Line-to-earth short circuit I''_k1 of a bus, effective: [iec_60909_0] clause 7.5. Levels of the positive and of the zero sequence.
double line_to_earth_current_a(double voltage_factor, double nominal_v, const FaultLevel& positive,
                               const FaultLevel& zero);

/// Voltage factors of all buses, for the largest short circuits.
std::vector<double> largest_voltage_factors(const AcNetwork& network, LowVoltageTolerance tolerance);
/// The same for the smallest.
std::vector<double> smallest_voltage_factors(const AcNetwork& network, LowVoltageTolerance tolerance);

/// How a network feeder is given its impedance.
struct Feeder60909 {
  double nominal_v;
  double short_circuit_va;  ///< S''_k = sqrt(3) U_n I''_k
  double resistance_over_reactance;
  double voltage_factor = 1.1;  ///< c of its short-circuit power; 1 where that was computed as U^2 / Z
};
FaultSource feeder_source(std::string name, std::size_t bus, const Feeder60909& feeder);

/// A generator; `factor`: generator_factor(), unit_factor(), or 1 for the smallest short circuit.
FaultSource generator_source(std::string name, std::size_t bus, const GeneratorRating& generator, double factor);

/// [buses]. Throws std::invalid_argument for what mistakes_in() finds, for branches and sources without impedance and for wrong sizes.
std::vector<FaultLevel> fault_levels(const AcNetwork& network, const FaultCase& fault);

}  // namespace wattloop::electrical
