#include "workload/training.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "core/random.hpp"
#include "core/series.hpp"
#include "workload/deviation_pool.hpp"
#include "workload/training_schedule.hpp"

namespace wattloop::workload {

namespace {

constexpr int most_stages = 64;
constexpr int most_gpus_per_node = 255;
enum Stream : std::uint32_t { spread_stream = 1, pool_stream = 2, noise_stream = 3 };

/// Nodes whose random words are drawn together: one word each.
constexpr std::size_t nodes_per_bulk = std::tuple_size_v<PhiloxWords>;

/// Mean share of a window: what GPUs of one pipeline stage draw without deviations, and what each adds.
struct StageMix {
  double level_w = 0.0;
  double per_node_count_w = 0.0;  // of the noise of the node
  double per_gpu_noise_w = 0.0;   // of the noise of the GPU, in standard deviations
  double per_place_w = 0.0;       // of the place of the GPU in the spread
};

/// Two GPUs in one register: g++ does not find out by itself that those of a node are computed alike.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

/// One GPU (double) or two (Pair) from an array.
template <class Lanes>
Lanes lanes_at(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

using Levels = std::array<double, phase_count>;

Levels phase_levels_w(const TrainingParams& p, const NodeSet& nodes) {
  const double share = p.communication_fraction;
  const double step_gpu_w = p.compute_gpu_w * (1.0 - share) + p.communication_gpu_w * share;
  const double evaluation_node_w =
      p.evaluation_ratio * node_from_gpus_w(nodes.split, step_gpu_w * nodes.gpus_per_node);
  const double evaluation_gpu_w =
      (evaluation_node_w - nodes.split.base_w) / nodes.split.overhead_ratio / nodes.gpus_per_node;
  return {p.compute_gpu_w, p.communication_gpu_w, evaluation_gpu_w, p.checkpoint_gpu_w,
          nodes.split.gpu_idle_w};
}

class Training final : public Workload {
 public:
  Training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed)
      : params_(params),
        nodes_(nodes),
        schedule_(make_schedule(params)),
        levels_w_(phase_levels_w(params, nodes)),
        noise_key_(random_key(seed, noise_stream)),
        pool_(random_key(seed, pool_stream), nodes.gpus_per_node) {
    const RandomKey key = random_key(seed, spread_stream);
    const auto gpus = static_cast<std::uint32_t>(nodes.nodes * nodes.gpus_per_node);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      place_.push_back(2.0 * uniform(philox({gpu, 0, 0, 0}, key)[0]) - 1.0);
    }
  }

  double next_change_s(double t_s) const override {
    return (sample_index(t_s) + 1.0) * params_.sample_interval_s;
  }

  void sample(double t_s, NodeRange nodes, std::span<double> gpu_w,
              std::span<double> node_ac_w) const override {
    const Asked asked{nodes, gpu_w, node_ac_w};
    if (nodes_.gpus_per_node == 8) {
      sample_nodes(t_s, std::integral_constant<std::size_t, 8>{}, asked);
    } else {
      sample_nodes(t_s, static_cast<std::size_t>(nodes_.gpus_per_node), asked);
    }
  }

  std::size_t nodes_at_once() const override { return nodes_per_bulk; }

 private:
  /// Nodes, and where their watts go.
  struct Asked {
    NodeRange nodes;
    std::span<double> gpu_w;      // [node of the range * gpus + gpu]
    std::span<double> node_ac_w;  // [node of the range]
  };

  /// Part of a sample within one noise interval.
  struct Window {
    std::uint64_t cell;
    double start_s, end_s;
    bool is_first, is_last;  // of the sample: the first sets what others add to, the last closes
  };

  /// `gpus` of a node: a constant where it can be, so that compilers vectorise.
  template <class Gpus>
  void sample_nodes(double t_s, Gpus gpus, const Asked& asked) const {
    const double from_s = std::max(0.0, sample_index(t_s)) * params_.sample_interval_s;
    const double to_s = from_s + params_.sample_interval_s;
    bool is_first = true;
    auto cell = static_cast<std::uint64_t>(from_s / params_.noise_interval_s);
    for (double start_s = from_s; start_s < to_s; ++cell) {
      const double end_s = std::min(to_s, static_cast<double>(cell + 1) * params_.noise_interval_s);
      if (end_s > start_s) {
        add_window({cell, start_s, end_s, is_first, end_s == to_s}, gpus, asked);
        start_s = end_s;
        is_first = false;
      }
    }
  }

  double sample_index(double t_s) const {
    return std::floor((t_s + boundary_slack_s) / params_.sample_interval_s);
  }

  StageMix mix(int stage, double start_s, double end_s) const {
    const double lead_s = (params_.pipeline_stages - 1 - stage) * params_.stage_lag_s;
    const PhaseSeconds before = phase_seconds(schedule_, start_s + lead_s);
    const PhaseSeconds after = phase_seconds(schedule_, end_s + lead_s);
    StageMix mix;
    double busy_weight = 0.0;        // computing, communicating, evaluating
    double checkpoint_weight = 0.0;  // waiting for a checkpoint
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
      const double weight = (after[phase] - before[phase]) / params_.sample_interval_s;
      mix.level_w += weight * levels_w_[phase];
      if (phase == checkpoint) checkpoint_weight = weight;
      if (phase < checkpoint) busy_weight += weight;
    }
    constexpr double uniform_limit = 1.7320508075688772;  // of a uniform deviate, in standard deviations
    const double band_w = checkpoint_weight * params_.checkpoint_band_w;
    mix.per_node_count_w = busy_weight * params_.node_noise_w / triangular_deviation;
    mix.per_gpu_noise_w = busy_weight * params_.gpu_noise_w + band_w / (3.0 * DeviationPool::largest);
    mix.per_place_w = busy_weight * params_.gpu_spread_w * uniform_limit + band_w * (2.0 / 3.0);
    return mix;
  }

  /// Adds what GPUs draw in a window, as a share of the sample.
  template <class Gpus>
  void add_window(const Window& window, Gpus gpus, const Asked& asked) const {
    std::array<StageMix, most_stages> mixes;
    const int stages = std::min(params_.pipeline_stages, nodes_.nodes);
    for (int stage = 0; stage < stages; ++stage) mixes[stage] = mix(stage, window.start_s, window.end_s);

    PhiloxWords words;
    auto stage = static_cast<int>(asked.nodes.first % static_cast<std::size_t>(params_.pipeline_stages));
    for (std::size_t k = 0; k < asked.nodes.count; ++k) {
      const std::size_t node = asked.nodes.first + k;
      const std::size_t in_bulk = node % nodes_per_bulk;
      if (k == 0 || in_bulk == 0) draw(window.cell, node / nodes_per_bulk, words);
      const StageMix& mix = mixes[stage];
      const NodeDraw of_node{mix, mix.level_w + mix.per_node_count_w * triangular_count(words[in_bulk]),
                             place_.data() + node * gpus, pool_.at(words[in_bulk] >> (32 - DeviationPool::bits)),
                             asked.gpu_w.data() + k * gpus};
      const double gpus_w = add_node(window, of_node, gpus);
      if (window.is_last) asked.node_ac_w[k] = node_from_gpus_w(nodes_.split, gpus_w);
      if (++stage == params_.pipeline_stages) stage = 0;
    }
  }

  /// One random word for each node of a bulk: its low half is the noise of the node, its high half says where
  /// in the pool the noise of its GPUs begins.
  void draw(std::uint64_t cell, std::size_t index, PhiloxWords& words) const {
    philox_bulk<7>(noise_key_, cell, static_cast<std::uint32_t>(index * philox_lanes), words);
  }

  /// The GPUs of one node in one window.
  struct NodeDraw {
    const StageMix& mix;
    double common_w;      // without what tells GPUs apart
    const double* place;  // [gpu] in the spread
    const double* noise;  // [gpu] in standard deviations
    double* gpu_w;        // [gpu] out
  };

  /// Adds what a node's GPUs draw in a window; the last window keeps them between idle and limit. Returns
  /// their sum: even and odd ones apart.
  template <class Gpus>
  double add_node(const Window& window, const NodeDraw& of, Gpus gpus) const {
    const bool is_first = window.is_first, is_last = window.is_last;
    const double idle_w = nodes_.split.gpu_idle_w, limit_w = nodes_.split.gpu_limit_w;
    const StageMix mix = of.mix;
    const auto add_gpus = [&]<class Lanes>(std::size_t gpu, Lanes& sum_w) {
      Lanes w = of.common_w + mix.per_place_w * lanes_at<Lanes>(of.place + gpu) +
                mix.per_gpu_noise_w * lanes_at<Lanes>(of.noise + gpu);
      if (!is_first) w += lanes_at<Lanes>(of.gpu_w + gpu);
      if (is_last) {
        w = w > idle_w ? w : idle_w;
        w = w < limit_w ? w : limit_w;
      }
      std::memcpy(of.gpu_w + gpu, &w, sizeof w);
      sum_w += w;
    };
    Pair pair_w{};
    double last_w = 0.0;
    for (std::size_t gpu = 0; gpu + 1 < gpus; gpu += 2) add_gpus(gpu, pair_w);
    if (gpus % 2 == 1) add_gpus(gpus - 1, last_w);
    return pair_w[0] + last_w + pair_w[1];
  }

  TrainingParams params_;
  NodeSet nodes_;
  TrainingSchedule schedule_;
  Levels levels_w_;
  RandomKey noise_key_;
  DeviationPool pool_;         // of the noise of GPUs
  std::vector<double> place_;  // [gpu] -1 ... 1: in the spread of GPUs
};

}  // namespace

std::vector<std::string> training_mistakes(const TrainingParams& p, const NodeSet& nodes) {
  std::vector<std::string> mistakes;
  const auto check_level = [&](std::string_view name, double level_w) {
    if (level_w < nodes.split.gpu_idle_w || level_w > nodes.split.gpu_limit_w) {
      mistakes.push_back(
          fmt::format("{}: {:.0f} W is not between idle power {:.0f} W and limit {:.0f} W of a GPU", name,
                      level_w, nodes.split.gpu_idle_w, nodes.split.gpu_limit_w));
    }
  };
  const Levels levels_w = phase_levels_w(p, nodes);
  check_level("compute_gpu_power", levels_w[compute]);
  check_level("communication_gpu_power", levels_w[communication]);
  check_level("evaluation_power_ratio", levels_w[evaluation]);
  check_level("checkpoint_gpu_power", levels_w[checkpoint]);
  if (p.pipeline_stages < 1 || p.pipeline_stages > most_stages) {
    mistakes.push_back(
        fmt::format("pipeline_stages: {} is not between 1 and {}", p.pipeline_stages, most_stages));
  }
  if (nodes.gpus_per_node < 1 || nodes.gpus_per_node > most_gpus_per_node) {
    mistakes.push_back(
        fmt::format("{} GPUs in a node: not between 1 and {}", nodes.gpus_per_node, most_gpus_per_node));
  }
  if (p.evaluation_s >= p.evaluation_interval_s) {
    mistakes.push_back("evaluation_time: an evaluation is no shorter than the interval between them");
  }
  if (p.checkpoint_s >= p.checkpoint_interval_s) {
    mistakes.push_back("checkpoint_time: a checkpoint is no shorter than the interval between them");
  }
  return mistakes;
}

std::unique_ptr<Workload> make_training(const TrainingParams& params, const NodeSet& nodes,
                                        std::uint64_t seed) {
  const std::vector<std::string> mistakes = training_mistakes(params, nodes);
  if (!mistakes.empty()) throw std::invalid_argument(mistakes.front());
  return std::make_unique<Training>(params, nodes, seed);
}

}  // namespace wattloop::workload
