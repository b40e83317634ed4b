// A three-phase network as its positive sequence sees it: buses, branches, loads and sources, in SI units of one phase.
//
//            ratio : 1         Z
//   from o----)||(-----+----[####]----+----o to           Z and Y at the nominal voltage of `to`
//                     Y/2            Y/2
//
//   load     S(V) = S_n (a_P + a_I V/V_n + a_Z (V/V_n)^2)
//   source   a voltage, behind an impedance or at its bus
//
// A line, a cable and a breaker have the ratio 1. The ratio of a transformer is its turns over the nominal voltages of its buses:
// (V_from,turns / V_to,turns) / (V_from,nominal / V_to,nominal). Phase shifts of vector groups are left out: they turn all angles behind a
// transformer alike. Source: [grainger1994] ch. 9. Verified in tests/verification/power/ac_flow.cpp.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wattloop::electrical {

using Complex = std::complex<double>;

struct AcBus {
  std::string name;
  double nominal_v;  ///< between phases
};

struct AcBranch {
  std::string name;
  std::size_t from;  ///< bus
  std::size_t to;    ///< bus
  double resistance_ohm = 0.0;
  double reactance_ohm = 0.0;
  double conductance_s = 0.0;  ///< iron of a transformer
  double susceptance_s = 0.0;  ///< positive for a cable, negative for the magnetising current of a transformer
  double ratio = 1.0;
  bool is_closed = true;
};

/// How the power of a load follows its voltage; the shares add up to 1.
struct VoltageShares {
  double power_fraction = 1.0;      ///< does not follow it
  double current_fraction = 0.0;    ///< in proportion: the current and the power factor stay
  double impedance_fraction = 0.0;  ///< as its square
};

struct AcLoad {
  std::string name;
  std::size_t bus;
  VoltageShares shares = {};
};

struct AcSource {
  std::string name;
  std::size_t bus;
  double voltage_ratio = 1.0;  ///< over the nominal voltage of its bus, at no load
  double angle_rad = 0.0;
  double resistance_ohm = 0.0;  ///< at the nominal voltage of its bus
  double reactance_ohm = 0.0;   ///< both 0: the bus has the voltage of the source, whatever it delivers
  bool is_live = true;

  bool is_behind_impedance() const { return resistance_ohm != 0.0 || reactance_ohm != 0.0; }
};

struct AcNetwork {
  std::vector<AcBus> buses = {};
  std::vector<AcBranch> branches = {};
  std::vector<AcLoad> loads = {};
  std::vector<AcSource> sources = {};
};

/// What no flow can be computed of, a sentence each: names what is wrong. Empty if nothing is.
std::vector<std::string> mistakes_in(const AcNetwork& network);

/// Throws std::invalid_argument with all of them, if there is any.
void throw_if_mistaken(const std::vector<std::string>& mistakes);

/// [buses] 1 where closed branches lead to one of these buses.
std::vector<std::uint8_t> reached_from(const AcNetwork& network, std::span<const std::size_t> buses);

/// [buses] 1 where a live source is reached; all other buses have no voltage.
std::vector<std::uint8_t> live_buses(const AcNetwork& network);

}  // namespace wattloop::electrical
