// Jobs on a modelled fabric: how much longer each communicates than alone on the sound fabric, and what it sends over the links.
//
//   ratio = time of communication now / of the same nodes alone on the sound fabric
//           exchanges known: sum of count x time; else a ring of neighbours over all GPUs, whose chunks pass all levels at once: the slowest level
//   traffic of a switch = mean over its ports and over a step of what jobs that run send
//
// Solved anew where the health of the fabric, the nodes of jobs, or which of them run have changed. Documented in docs/models/fabric.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "twin/actions/work/fabric_times.hpp"
#include "twin/actions/work/jobs_on_racks.hpp"

namespace wattloop::twin {

inline constexpr double blocked_ratio = 1e6;  ///< while what a job sends is lost: its next communication does not end

class JobsOnFabric {
 public:
  /// Of a plant with a modelled fabric, which must outlive it.
  explicit JobsOnFabric(const Plant& plant);

  /// Communication times of all jobs as they are placed now. True where any changed.
  bool set_paces(std::span<const JobRacks::Job> jobs, PlantState& state);

  /// Writes what jobs that run send now.
  void set_traffic(std::span<const JobRacks::Job> jobs, PlantState& state);

  /// What was written last, link by link; empty before.
  const network::LinkLoads& link_loads() const { return link_loads_; }

  /// Nodes of a job that the others do not reach.
  static std::size_t cut_nodes(const JobRacks::Job& job, const PlantState& state);

 private:
  /// A job with the nodes that do its work.
  struct PlacedJob {
    std::size_t number = 0;
    const workload::SynchronousJob* program = nullptr;
    std::vector<RankPlace> ranks = {};
    workload::NetworkUse use = {};
    double sound_s = 0.0;  ///< communication alone on the sound fabric, by its own measure
    double ratio = 1.0;

    bool is_same(const PlacedJob& other) const {
      return number == other.number && program == other.program && ranks == other.ranks;
    }
  };
  bool place(std::span<const JobRacks::Job> jobs, const PlantState& state);
  std::vector<workload::StepExchange> exchanges_of(const PlacedJob& job) const;
  double communication_s(const PlacedJob& job, const FabricNow& fabric, std::vector<network::Flow> others) const;
  bool is_blocked(const PlacedJob& job, const PlantState& state) const;
  void find_ratios(const PlantState& state);
  std::vector<std::uint8_t> running_now(const PlantState& state) const;

  const Plant& plant_;
  FabricNow sound_;
  std::optional<FabricNow> now_;  ///< none: sound
  std::vector<PlacedJob> placed_;
  bool has_looked_ = false;
  std::uint64_t fabric_stamp_ = 0, queue_stamp_ = 0;
  std::vector<std::vector<std::uint8_t>> members_;  ///< [placed job] of its nodes when it was placed
  std::vector<std::uint8_t> was_running_;           ///< [placed job] when the traffic was written
  std::vector<std::uint8_t> sends_;                 ///< [placed job] whether it runs, when shares were found
  bool is_traffic_due_ = true;
  network::LinkLoads link_loads_;  ///< of jobs that run; without NVLink
};

}  // namespace wattloop::twin
