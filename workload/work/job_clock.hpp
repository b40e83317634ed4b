// The clock of a job. A synchronous job has a schedule of its own, in seconds; its GPUs wait for the slowest one.
//
//   position(t) = position + (t - since)      while it runs
//
// The schedule is that of steps whose computing share takes 1 / clock_fraction as long as at full clock, and whose communication takes
// communication_ratio times as long as over the sound network. On fewer nodes than the job is made for, the same computing takes
// 1 / size_fraction as long. Each save takes save_wait longer than one that has the storage for itself. A job changes its clock, stops and goes
// on at instants only. Documented in docs/models/job_coupling.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "workload/checkpoints/checkpoint_parameters.hpp"
#include "workload/transformer/step_exchanges.hpp"

namespace wattloop::workload {

struct NodeRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Where a job stands. A value.
struct JobClock {
  enum class Is : std::uint8_t {
    running,
    waiting,  ///< for a node that is lost: all GPUs draw what they draw in communication
    idle,     ///< stopped, or loading its checkpoint
  };
  Is is = Is::running;
  double since_s = 0.0;         ///< instant of the run from which this holds
  double position_s = 0.0;      ///< of its schedule at that instant
  double clock_fraction = 1.0;  ///< of its slowest GPU while it computes
  double save_age_s =
      std::numeric_limits<double>::infinity();  ///< at that instant: since GPUs went on after the last save
  double communication_ratio = 1.0;             ///< time of communication over that of the sound fabric
  double size_fraction = 1.0;                   ///< nodes that do the work, of those that it is made for
  double save_wait_s = 0.0;     ///< by which a save takes longer than alone, because others use the storage
  double write_fraction = 1.0;  ///< rate at which it writes to a storage that jobs share, over its rate alone
  bool begins_sample = true;    ///< at that instant; else what nodes draw in the sample under way is not another
};

/// What a job asks of the network in a step, where it knows.
struct NetworkUse {
  std::vector<StepExchange> exchanges = {};  ///< empty: rings of neighbours that take `busy_fraction` of a step
  double step_s = 0.0;                       ///< at full clock, over the sound network
  double busy_fraction = 0.0;                ///< of a step: communication that computing waits for
};

/// How far a job has come.
struct JobProgress {
  double steps = 0.0;     ///< whole ones
  double gained_s = 0.0;  ///< time that it would have taken at full clock, without stops
  double saving_s = 0.0;  ///< of it, for which GPUs waited for checkpoints
  double storage_wait_s =
      0.0;  ///< besides, for which they waited for storage, if each save had waited as its clock says
};

/// What a job moves to and from a storage that jobs share. Times are those that it takes alone.
struct StorageUse {
  StorageParams storage;
  double write_s = 0.0, read_s = 0.0;
  double write_b_per_s = 0.0, read_b_per_s = 0.0;  ///< rates then
  double nodes = 1.0;                              ///< that read or write at once
};

/// A write of a job to a storage that jobs share, if it goes on as its clock says.
struct StorageWrite {
  double begin_s = std::numeric_limits<double>::infinity();  ///< instant; infinity: it writes nothing
  double end_s = std::numeric_limits<double>::infinity();
  double left_s = 0.0;  ///< time that what is left takes alone; all of it where it has not begun
};

class FailureProcess;

/// Work of nodes that wait for one another.
class SynchronousJob {
 public:
  virtual ~SynchronousJob() = default;

  /// The same position from `t_s` on, at another clock of the slowest GPU.
  virtual JobClock at_clock(const JobClock& job, double t_s, double clock_fraction) const = 0;

  /// The same position from `t_s` on, where communication takes so many times as long as over the sound network. Of a job whose steps do not
  /// follow the network, the same schedule.
  virtual JobClock at_network(const JobClock& job, double t_s, double communication_ratio) const {
    static_cast<void>(t_s);
    JobClock other = job;
    other.communication_ratio = communication_ratio;
    return other;
  }
  /// The same position from `t_s` on, where its work is done by this share of its nodes.
  virtual JobClock at_size(const JobClock& job, double t_s, double size_fraction) const {
    static_cast<void>(t_s);
    JobClock other = job;
    other.size_fraction = size_fraction;
    return other;
  }
  /// The same position from `t_s` on, where each save takes so much longer than alone.
  virtual JobClock at_save_wait(const JobClock& job, double t_s, double save_wait_s) const {
    static_cast<void>(t_s), static_cast<void>(save_wait_s);
    return job;
  }
  /// By how much longer work from one progress to another (`gained_s`) takes on this share of its nodes, at full clock.
  virtual double longer_s(double from_s, double to_s, double size_fraction) const {
    static_cast<void>(from_s), static_cast<void>(to_s), static_cast<void>(size_fraction);
    return 0.0;
  }
  /// When its next checkpoint is whole, if it goes on as its clock says; infinity: it saves nothing.
  virtual double next_save_s(const JobClock& job, double t_s) const {
    static_cast<void>(job), static_cast<void>(t_s);
    return std::numeric_limits<double>::infinity();
  }
  /// Of a job that shares its storage with others; null: it does not.
  virtual const StorageUse* storage_use() const { return nullptr; }
  /// What it writes at `t_s`, else what it will write next.
  virtual StorageWrite write_at(const JobClock& job, double t_s) const {
    static_cast<void>(job), static_cast<void>(t_s);
    return {};
  }
  /// Next begin of a save or of a write at which its clock has to be set for it; infinity: it need not be.
  virtual double next_storage_change_s(const JobClock& job, double t_s) const {
    static_cast<void>(job), static_cast<void>(t_s);
    return std::numeric_limits<double>::infinity();
  }
  /// The same position from `t_s` on, where it writes at this share of its rate alone. Without a write under way, or any change, the same clock.
  virtual JobClock at_storage(const JobClock& job, double t_s, double write_fraction) const {
    static_cast<void>(t_s), static_cast<void>(write_fraction);
    return job;
  }
  /// Least share of its nodes with which it goes on where others are lost; 1: it waits for all.
  virtual double least_share_fraction() const { return 1.0; }
  virtual NetworkUse network_use() const { return {}; }
  /// Time of a step over these links that a clock does not shorten; 0: it follows from `network_use`.
  virtual double communication_s(const CommunicationTimes&) const { return 0.0; }

  /// From `t_s` on, running at the end of its last whole checkpoint; without any, at its begin.
  virtual JobClock from_checkpoint(const JobClock& job, double t_s) const = 0;

  virtual JobProgress progress(const JobClock& job, double t_s) const = 0;

  /// Whether its GPUs wait for the slowest one, and it waits for lost nodes; else a lost node ends what it has done so far.
  virtual bool is_coupled() const { return true; }
  virtual double detection_s() const = 0;  ///< how long GPUs wait before a lost node is noticed
  virtual std::size_t spare_nodes() const = 0;
  virtual const FailureProcess* failures() const = 0;     ///< null: nothing fails by chance
  virtual double restart_s() const = 0;                   ///< from all nodes at work to the first step
  virtual double tokens_per_step() const { return 0.0; }  ///< 0: not known
  virtual double step_s() const { return 0.0; }           ///< at full clock; 0: it has no steps
  virtual double step_at_peak_s() const {
    return 0.0;
  }  ///< that a step would take at the peak of its GPUs; 0: not known
};

/// Nodes of one job; `program` is none where nodes do not wait for one another.
struct JobNodes {
  const SynchronousJob* program = nullptr;
  std::vector<NodeRange> nodes;
};

/// What GPUs of a node do in a sample of synchronous work: by shares of its time.
struct SampleShares {
  double busy_fraction = 1.0;     ///< computing, at full clock
  double busy_above_w = 0.0;      ///< by which a GPU draws more while it computes than in the mean of the sample
  double waiting_fraction = 0.0;  ///< waiting for the slowest, at full clock
  double waiting_w = 0.0;         ///< a GPU draws meanwhile
  double slowest_fraction = 1.0;  ///< clock of the slowest GPU
};

}  // namespace wattloop::workload
