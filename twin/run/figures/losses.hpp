// What a run costs the work of the hall: GPU-time of nodes that do none, when that began and where, and limits that were passed and do more
// than report. A node does none without supply, switched off by its protection, or while it boots.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

class Losses final : public Observer {
 public:
  explicit Losses(const Plant& plant);
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  /// All that it has gathered, to or from the bytes of a checkpoint (twin/run/recording/archive.hpp).
  template <class Archive>
  void keep(Archive& archive) {
    archive(lost_gpu_s, first_s, first, idle_gpus_, seen_s_);
  }

  double lost_gpu_s = 0.0;
  double first_s = std::numeric_limits<double>::infinity();  ///< nodes or switches without work, for the first time
  std::string first{};                                       ///< which, and why

 private:
  double idle_gpus_in(std::size_t rack, const PlantState& state);
  void note(double time_s, const std::string& what);

  const Plant& plant_;
  std::vector<double> gpus_per_node_;  ///< [group of racks]
  double idle_gpus_ = 0.0, seen_s_ = 0.0;
};

/// lost_gpu_time, first_loss_time, first_loss, limits_beyond_log, first_limit_time, first_limit: SI units.
std::vector<NamedValue> loss_figures(const FinishedRun& run, const Losses& losses);

}  // namespace wattloop::twin
