#include "workload/training.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "core/random.hpp"
#include "core/series.hpp"
#include "workload/training_schedule.hpp"

namespace wattloop::workload {

namespace {

constexpr int most_stages = 64;
constexpr int most_gpus_per_node = 255;
constexpr int nodes_at_a_time = 32;  // of 8 GPUs each: one bulk of random words
enum Stream : std::uint32_t { spread_stream = 1, gpu_noise_stream = 2, node_noise_stream = 3 };

/// Random words of one bulk hold two deviations each: the low halves first, then the high ones.
constexpr std::size_t bulk = 2 * std::tuple_size_v<PhiloxWords>;

/// Deviations `index * bulk` and following of one noise interval, in counts of `triangular_count`.
void draw_bulk(RandomKey key, std::uint64_t cell, std::size_t index, std::int32_t* counts) {
  PhiloxWords words;
  philox_bulk<7>(key, cell, static_cast<std::uint32_t>(index * philox_lanes), words);
  for (std::size_t i = 0; i < words.size(); ++i) counts[i] = triangular_count(words[i]);
  for (std::size_t i = 0; i < words.size(); ++i) counts[words.size() + i] = triangular_count(words[i] >> 16);
}

/// Mean share of a window: what GPUs of one pipeline stage draw without deviations, and what each adds.
struct StageMix {
  double level_w = 0.0;
  double per_node_count_w = 0.0;  // of the noise of the node
  double per_gpu_count_w = 0.0;   // of the noise of the GPU
  double per_deviation_w = 0.0;   // of the place of the GPU in the spread
};

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
        gpu_noise_key_(random_key(seed, gpu_noise_stream)),
        node_noise_key_(random_key(seed, node_noise_stream)) {
    const RandomKey key = random_key(seed, spread_stream);
    const auto gpus = static_cast<std::uint32_t>(nodes.nodes * nodes.gpus_per_node);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      deviation_.push_back(static_cast<float>(2.0 * uniform(philox({gpu, 0, 0, 0}, key)[0]) - 1.0));
    }
  }

  double next_change_s(double t_s) const override {
    return (sample_index(t_s) + 1.0) * params_.sample_interval_s;
  }

  void sample(double t_s, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const double from_s = std::max(0.0, sample_index(t_s)) * params_.sample_interval_s;
    const double to_s = from_s + params_.sample_interval_s;
    bool is_first = true;
    auto cell = static_cast<std::uint64_t>(from_s / params_.noise_interval_s);
    for (double start_s = from_s; start_s < to_s; ++cell) {
      const double end_s = std::min(to_s, static_cast<double>(cell + 1) * params_.noise_interval_s);
      if (end_s > start_s) {
        const Window window{cell, start_s, end_s, is_first};
        if (nodes_.gpus_per_node == 8) {
          add_window(window, std::integral_constant<std::size_t, 8>{}, gpu_w);
        } else {
          add_window(window, static_cast<std::size_t>(nodes_.gpus_per_node), gpu_w);
        }
        start_s = end_s;
        is_first = false;
      }
    }
    if (nodes_.gpus_per_node == 8) {
      close(std::integral_constant<std::size_t, 8>{}, gpu_w, node_ac_w);
    } else {
      close(static_cast<std::size_t>(nodes_.gpus_per_node), gpu_w, node_ac_w);
    }
  }

 private:
  /// Part of a sample within one noise interval.
  struct Window {
    std::uint64_t cell;
    double start_s, end_s;
    bool is_first;  // of the sample: sets what others add to
  };

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
    mix.per_gpu_count_w =
        (busy_weight * params_.gpu_noise_w + band_w / (3.0 * triangular_limit)) / triangular_deviation;
    mix.per_deviation_w = busy_weight * params_.gpu_spread_w * uniform_limit + band_w * (2.0 / 3.0);
    return mix;
  }

  /// Adds what GPUs draw in a window, as a share of the sample. `gpus` of a node: a constant where it can be.
  template <class Gpus>
  void add_window(const Window& window, Gpus gpus, std::span<double> gpu_w) const {
    std::array<StageMix, most_stages> mixes;
    const int stages = std::min(params_.pipeline_stages, nodes_.nodes);
    for (int stage = 0; stage < stages; ++stage) mixes[stage] = mix(stage, window.start_s, window.end_s);

    std::array<std::int32_t, bulk> node_noise;
    std::array<std::int32_t, nodes_at_a_time * most_gpus_per_node + 2 * bulk> gpu_noise;
    int stage = 0;
    for (int first = 0; first < nodes_.nodes; first += nodes_at_a_time) {
      const int end = std::min(first + nodes_at_a_time, nodes_.nodes);
      if (first % bulk == 0) draw_bulk(node_noise_key_, window.cell, first / bulk, node_noise.data());
      const std::size_t drawn = draw_gpus(window.cell, first * gpus, end * gpus, gpu_noise.data());
      for (int node = first; node < end; ++node) {
        const std::size_t gpu = node * gpus;
        const StageMix& mix = mixes[stage];
        const double common_w = mix.level_w + mix.per_node_count_w * node_noise[node % bulk];
        const NodeDeviations of_gpus{common_w, deviation_.data() + gpu, gpu_noise.data() + (gpu - drawn)};
        if (window.is_first) {
          set_node(mix, of_gpus, gpus, gpu_w.data() + gpu);
        } else {
          add_node(mix, of_gpus, gpus, gpu_w.data() + gpu);
        }
        if (++stage == params_.pipeline_stages) stage = 0;
      }
    }
  }

  /// Noise of GPUs `first` to `end`, in whole bulks; returns the GPU with which the first bulk begins.
  std::size_t draw_gpus(std::uint64_t cell, std::size_t first, std::size_t end, std::int32_t* counts) const {
    const std::size_t first_bulk = first / bulk;
    for (std::size_t index = first_bulk; index * bulk < end; ++index, counts += bulk) {
      draw_bulk(gpu_noise_key_, cell, index, counts);
    }
    return first_bulk * bulk;
  }

  struct NodeDeviations {
    double common_w;
    const float* place;         // [gpu] in the spread
    const std::int32_t* count;  // [gpu] of noise
    double gpu_w(const StageMix& mix, std::size_t gpu) const {
      return common_w + mix.per_deviation_w * static_cast<double>(place[gpu]) + mix.per_gpu_count_w * count[gpu];
    }
  };

  template <class Gpus>
  static void set_node(const StageMix& mix, const NodeDeviations& of, Gpus gpus, double* gpu_w) {
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) gpu_w[gpu] = of.gpu_w(mix, gpu);
  }

  template <class Gpus>
  static void add_node(const StageMix& mix, const NodeDeviations& of, Gpus gpus, double* gpu_w) {
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) gpu_w[gpu] += of.gpu_w(mix, gpu);
  }

  /// Keeps GPUs between idle and limit, then sums up nodes: even and odd GPUs apart.
  template <class Gpus>
  void close(Gpus gpus, std::span<double> gpu_w, std::span<double> node_ac_w) const {
    const double idle_w = nodes_.split.gpu_idle_w, limit_w = nodes_.split.gpu_limit_w;
    for (std::size_t node = 0; node < node_ac_w.size(); ++node) {
      double* const w = gpu_w.data() + node * gpus;
      for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
        const double least_w = w[gpu] > idle_w ? w[gpu] : idle_w;
        w[gpu] = least_w < limit_w ? least_w : limit_w;
      }
      double even_w = 0.0, odd_w = 0.0;
      for (std::size_t gpu = 0; gpu + 1 < gpus; gpu += 2) {
        even_w += w[gpu];
        odd_w += w[gpu + 1];
      }
      if (gpus % 2 == 1) even_w += w[gpus - 1];
      node_ac_w[node] = node_from_gpus_w(nodes_.split, even_w + odd_w);
    }
  }

  TrainingParams params_;
  NodeSet nodes_;
  TrainingSchedule schedule_;
  Levels levels_w_;
  RandomKey gpu_noise_key_, node_noise_key_;
  std::vector<float> deviation_;  // [gpu] -1 ... 1: its place in the spread of GPUs
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
