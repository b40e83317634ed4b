// The parts of a step, by what GPUs do, in the order in which people are shown them.
#pragma once

#include <array>
#include <string_view>

#include "workload/transformer/step_time.hpp"

namespace wattloop::workload {

struct StepPart {
  enum class Kind { computing, communication, waiting, optimizer };

  std::string_view key;
  std::string_view words;
  double StepTime::*time_s;
  Kind kind;
};

/// They add up to `StepTime::step_s`.
inline constexpr std::array step_parts{
    StepPart{"matrix_products", "matrix products", &StepTime::matrix_s, StepPart::Kind::computing},
    StepPart{"attention", "attention", &StepTime::attention_s, StepPart::Kind::computing},
    StepPart{"memory", "norms, activations", &StepTime::memory_s, StepPart::Kind::computing},
    StepPart{"recompute", "computed anew", &StepTime::recompute_s, StepPart::Kind::computing},
    StepPart{"tensor", "tensor communication", &StepTime::tensor_s, StepPart::Kind::communication},
    StepPart{"context", "context communication", &StepTime::context_s, StepPart::Kind::communication},
    StepPart{"expert", "expert communication", &StepTime::expert_s, StepPart::Kind::communication},
    StepPart{"pipeline", "pipeline messages", &StepTime::pipeline_s, StepPart::Kind::communication},
    StepPart{"data", "gradients and weights", &StepTime::data_s, StepPart::Kind::communication},
    StepPart{"scaling", "FP8 scaling factors", &StepTime::scaling_s, StepPart::Kind::communication},
    StepPart{"imbalance", "wait for largest stage", &StepTime::imbalance_s, StepPart::Kind::waiting},
    StepPart{"bubble", "pipeline bubble", &StepTime::bubble_s, StepPart::Kind::waiting},
    StepPart{"jitter", "wait for slowest GPU", &StepTime::jitter_s, StepPart::Kind::waiting},
    StepPart{"host", "wait for hosts", &StepTime::host_s, StepPart::Kind::waiting},
    StepPart{"launch", "wait for kernel launches", &StepTime::launch_s, StepPart::Kind::waiting},
    StepPart{"optimizer", "optimizer", &StepTime::optimizer_s, StepPart::Kind::optimizer}};

}  // namespace wattloop::workload
