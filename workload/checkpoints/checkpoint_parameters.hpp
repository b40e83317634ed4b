// What a training job saves, when and how, and the storage that it saves to.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "core/parts/field.hpp"

namespace wattloop::workload {

/// Storage of a job, or that jobs share. Documented in docs/models/checkpoints.md.
struct StorageParams {
  bool is_given = false;
  bool is_shared = false;  ///< with other jobs of the run
  double read_b_per_s = required;
  double write_b_per_s = required;
  double per_node_b_per_s = 40e9;

  static constexpr auto fields() {
    using P = StorageParams;
    return std::array{
        Field<P>{&P::read_b_per_s, "read", "B/s", Range::positive, "Read bandwidth of all nodes together."},
        Field<P>{&P::write_b_per_s, "write", "B/s", Range::positive, "Write bandwidth of all nodes together."},
        Field<P>{&P::per_node_b_per_s, "per_node", "B/s", Range::positive,
                 "Highest bandwidth of one node, for reads and for writes; the default is an estimate for one adapter "
                 "of 400 Gbit/s."},
    };
  }
};

/// What is saved, and when. Documented in docs/models/checkpoints.md.
struct CheckpointParams {
  /// Stands for a stall that follows from `copy_rate`; no one can write it.
  static constexpr double by_copy_rate_s = std::numeric_limits<double>::infinity();

  bool is_given = false;
  double parameters = required;
  std::string precision = "bf16";
  std::string optimizer = "adam";
  std::string contents = "all";
  int ranks = 0;
  std::string mode = "blocking";
  double copy_rate_b_per_s = 50e9;
  double stall_s = by_copy_rate_s;
  std::string interval = "15 min";  ///< or a rule: young, daly
  double interval_s = 900.0;        ///< the same as a number, where it is no rule

  bool is_asynchronous() const { return mode == "asynchronous"; }
  bool has_rule() const { return interval == "young" || interval == "daly"; }

  static constexpr auto fields() {
    using P = CheckpointParams;
    return std::array{
        Field<P>{&P::parameters, "parameters", "1", Range::positive, "Number of parameters of the model: 405e9."},
        Field<P>{&P::precision, "precision", "bf16|fp16|fp32|fp8",
                 "Number format of the weights: 2, 2, 4 or 1 B each."},
        Field<P>{&P::optimizer, "optimizer", "adam|sgd|none",
                 "Optimizer, which keeps in fp32 a copy of the weights and two moments (adam) or one moment (sgd)."},
        Field<P>{&P::contents, "contents", "all|weights|optimizer",
                 "Saved data: the weights and the optimizer state, or one of the two."},
        Field<P>{&P::ranks, "ranks", Range::non_negative,
                 "Number of GPUs that save equal shares, on as few nodes as possible; 0: all GPUs of the job."},
        Field<P>{&P::interval, "interval", "",
                 "Time between saves, in whole steps; or `young` or `daly`: computed from the failures of the job."},
        Field<P>{&P::mode, "mode", "blocking|asynchronous",
                 "blocking: GPUs wait until all data are written. asynchronous: GPUs wait until the data are copied to "
                 "the memory of their nodes."},
        Field<P>{&P::copy_rate_b_per_s, "copy_rate", "B/s", Range::positive,
                 "With `mode: asynchronous`: rate at which a GPU copies its share to the memory of its node; estimate "
                 "for PCIe 5 x16."},
        Field<P>{&P::stall_s, "stall", "s", Range::non_negative,
                 "With `mode: asynchronous`: time for which GPUs wait; if it is not given, the share of a GPU over "
                 "`copy_rate`."},
    };
  }
};

}  // namespace wattloop::workload
