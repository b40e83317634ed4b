// CVODE [hindmarsh2005] (BDF, modified Newton, KLU) behind our own types: one system of rates with a sparse Jacobian, from a start on
// as far as it is asked.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "twin/integration/core/integrator.hpp"
#include "twin/integration/core/jacobian.hpp"

namespace wattloop::twin {

/// What CVODE integrates.
class CvodeSystem {
 public:
  virtual ~CvodeSystem() = default;

  /// Rates at `states`. Where they are not finite, CVODE tries a smaller step.
  virtual void fill_rates(std::span<const double> states, std::span<double> rates) = 0;

  /// The Jacobian where rates were filled last.
  virtual const Jacobian& assemble_jacobian() = 0;

  /// Heights above zero through which to fall stops CVODE, as many as it was given.
  virtual void fill_heights(std::span<const double> /*states*/, std::span<double> /*heights*/) {}
};

struct CvodeOptions {
  double relative_tolerance_ratio = 0.0;
  std::vector<double> tolerances;         ///< [state], absolute
  std::size_t heights = 0;                ///< how many
  bool orders_by_minimum_degree = false;  ///< AMD, for patterns that are nearly symmetric; else COLAMD
  bool has_small_corrections =
      false;  ///< Newton's iteration goes on until its last correction is far below the tolerance
};

/// Absolute tolerance of a meter: so large that meters have no say in step size or convergence.
inline constexpr double cvode_meter_tolerance = 1e30;

class Cvode {
 public:
  /// `system` and `pattern`, of its Jacobian, must outlive it. SolverError where CVODE refuses, here and below.
  Cvode(CvodeSystem& system, const Jacobian& pattern, const CvodeOptions& options);
  ~Cvode();

  /// Where it begins, and where it has come to.
  std::span<double> states();

  /// Begins anew at `states()`.
  void start(double time_s);
  bool is_started() const;

  /// The next start is, to the byte, the first: CVODE keeps its first pivots and much else over others.
  void forget();

  /// Does not step over this instant, as it may otherwise.
  void stop_at(double time_s);

  struct Reached {
    double time_s;
    bool has_fallen;      ///< through a height
    std::string failure;  ///< empty: none
  };
  Reached advance(double end_s);

  /// [height] whether it was fallen through when `advance` stopped last.
  std::span<const int> fallen();

  SolverStatistics statistics() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace wattloop::twin
