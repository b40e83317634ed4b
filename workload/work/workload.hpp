// Work as the step loop sees it: power asked for, sample by sample.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/numbers/lanes.hpp"
#include "workload/nodes/node_split.hpp"
#include "workload/work/job_clock.hpp"
#include "workload/work/placement.hpp"

namespace wattloop::workload {

/// The nodes that do the work; all alike.
struct NodeSet {
  int nodes = 1;
  int gpus_per_node = 8;
  int nodes_per_rack = 8;
  double nameplate_w = std::numeric_limits<double>::infinity();  ///< of a node at its AC inlet
  NodeSplitParams split;
  std::size_t nodes_of_job = 0, gpus_of_job = 0;  ///< where its job has nodes of other sets, too; 0: it has not
  std::size_t first_gpu_of_job = 0;               ///< rank of its first GPU
  int gpus_per_domain = 0;                        ///< that NVLink connects; 0: not known

  std::size_t job_nodes() const { return nodes_of_job > 0 ? nodes_of_job : static_cast<std::size_t>(nodes); }
  std::size_t job_gpus() const {
    return gpus_of_job > 0 ? gpus_of_job : static_cast<std::size_t>(nodes) * static_cast<std::size_t>(gpus_per_node);
  }
};

/// What work asks of some nodes as a whole, to be filled.
struct NodeWatts {
  std::span<double> ac_w;    ///< [node of the range] at the AC inlet, GPUs included
  std::span<double> gpus_w;  ///< [node of the range] all its GPUs together
};

/// What nodes have in common in one sample, so that it is computed once for all of them. Of whoever asks, who may have any number of
/// threads read it; what the numbers are is known to the work that gave them alone.
struct SampleBasis {
  double t_s = 0.0;  ///< an instant at which the sample holds
  JobClock job = {};
  std::vector<double> numbers;
  std::vector<SampleBasis> of_groups =
      {};  ///< where work differs between groups of nodes, or between jobs that come and go
  std::vector<std::uint32_t> slot_of_node = {};  ///< of the latter
};

/// Ranges of so many nodes, beginning at a multiple of it, are cheap for every kind of work.
inline constexpr std::size_t nodes_asked_together = 128;

class JobQueue;
class AcceptanceTest;

/// What the watts that work asks of a node contain already, so that it is not added.
struct WattsContain {
  bool leakage = false;  ///< of dies
  bool fans = false;     ///< at whatever speed they turn
};

/// An acceptance test and the first of the nodes that it tests.
struct TestedNodes {
  const AcceptanceTest* test = nullptr;
  std::size_t first_node = 0;
};

/// Power asked for by the work. Immutable, and remembers nothing: `sample` is a pure function of time, safe to call from any
/// thread, and allocates nothing. Times before zero are before the run: a job goes through its cycle there, a trace through its lead-in.
class Workload {
 public:
  virtual ~Workload() = default;

  /// First sample boundary after `t_s`; infinity where nothing changes any more.
  virtual double next_change_s(double t_s) const = 0;

  /// Mean power of `nodes` over the sample that holds at `t_s`; a boundary belongs to the later sample. The
  /// same to the bit, whatever range a node is asked for in.
  /// gpu_w [node of the range * gpus_per_node + gpu]; node_ac_w [node of the range], at the AC inlet, GPUs
  /// included.
  virtual void sample(double t_s, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const = 0;

  /// Mean power of `nodes` over what comes before the run, again and again: of a job its cycle, of a trace its lead-in.
  virtual void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const {
    sample(0.0, nodes, gpu_w, node_ac_w);
  }
  /// The same where jobs come and go, with their places as `basis` was prepared with.
  virtual void mean_of(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                       std::span<double> node_ac_w) const {
    static_cast<void>(basis);
    mean_before(nodes, gpu_w, node_ac_w);
  }

  /// The jobs that all nodes belong to, each once; none: nodes that do not wait for one another, or jobs that come and go.
  virtual std::vector<JobNodes> jobs() const { return {}; }

  /// The jobs that come and go; null: there are none.
  virtual const JobQueue* queue() const { return nullptr; }

  /// Whether nodes differ in what their watts contain, as where jobs come and go; else the hall was built for it. If so, what those of a node
  /// contain.
  virtual bool has_contents_by_node() const { return false; }
  virtual WattsContain contents(std::size_t node, const Placement& where) const {
    static_cast<void>(node), static_cast<void>(where);
    return {};
  }

  /// Acceptance tests that are done instead of a job.
  virtual std::vector<TestedNodes> tests() const { return {}; }

  /// What the nodes have in common in the sample that holds at `t_s`, where jobs stand as `jobs` says. Allocates only where `basis` has not had
  /// as many numbers.
  virtual void prepare(double t_s, const JobsNow& jobs, SampleBasis& basis) const {
    static_cast<void>(jobs);
    basis.t_s = t_s;
  }
  void prepare(double t_s, SampleBasis& basis) const { prepare(t_s, {}, basis); }

  /// What GPUs of a node do in that sample; nothing else than to compute, where nodes do not wait for one another.
  virtual SampleShares shares(const SampleBasis&, std::size_t node) const {
    static_cast<void>(node);
    return {};
  }

  /// What a GPU of synchronous work asks for while it computes, without noise; no one of its node asks for more than `most_computing_w`.
  virtual double computing_w(std::size_t node, std::size_t gpu, const Placement& where) const {
    static_cast<void>(node), static_cast<void>(gpu), static_cast<void>(where);
    return 0.0;
  }
  virtual double most_computing_w(std::size_t node) const {
    static_cast<void>(node);
    return 0.0;
  }

  /// The sample that `basis` was prepared for by this work, with the sums over GPUs, which some kinds of work know anyway.
  virtual void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                                const NodeWatts& of_nodes) const {
    sample(basis.t_s, nodes, gpu_w, of_nodes.ac_w);
    sum_gpus(nodes, gpu_w, of_nodes);
  }

  /// Ranges that begin and end at multiples of this many nodes are the cheapest.
  virtual std::size_t nodes_at_once() const { return 1; }

  /// The same for all nodes, or the first ones that `node_ac_w` has room for.
  void sample_all(double t_s, std::span<double> gpu_w, std::span<double> node_ac_w) const {
    sample(t_s, {0, node_ac_w.size()}, gpu_w, node_ac_w);
  }

 protected:
  static void sum_gpus(NodeRange nodes, std::span<const double> gpu_w, const NodeWatts& of_nodes) {
    const std::size_t gpus = gpu_w.size() / nodes.count;
    for (std::size_t node = 0; node < nodes.count; ++node)
      of_nodes.gpus_w[node] = sum_of(gpu_w.subspan(node * gpus, gpus));
  }
};

}  // namespace wattloop::workload
