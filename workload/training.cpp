#include "workload/training.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/random.hpp"
#include "core/series.hpp"
#include "workload/training_schedule.hpp"

namespace wattloop::workload {

namespace {

constexpr int most_stages = 64;
constexpr int most_gpus_per_node = 255;
constexpr int nodes_at_a_time = 16;            // a multiple of 4: their random words fill whole blocks
constexpr std::size_t most_words = 128;        // of one node: two deviations in each
enum Stream : std::uint32_t { spread_stream = 1, noise_stream = 2 };

/// Mean share of a window: what GPUs of one pipeline stage draw without deviations, and how much of each applies.
struct StageMix {
  double level_w = 0.0;
  double busy_weight = 0.0;        // computing, communicating, evaluating
  double checkpoint_weight = 0.0;  // waiting for a checkpoint
};

using Levels = std::array<double, phase_count>;

Levels phase_levels_w(const TrainingParams& p, const NodeSet& nodes) {
  const double share = p.communication_fraction;
  const double step_gpu_w = p.compute_gpu_w * (1.0 - share) + p.communication_gpu_w * share;
  const double evaluation_node_w =
      p.evaluation_ratio * node_from_gpus_w(nodes.split, step_gpu_w * nodes.gpus_per_node);
  const double evaluation_gpu_w =
      (evaluation_node_w - nodes.split.base_w) / nodes.split.overhead_ratio / nodes.gpus_per_node;
  return {p.compute_gpu_w, p.communication_gpu_w, evaluation_gpu_w, p.checkpoint_gpu_w, nodes.split.gpu_idle_w};
}

class Training final : public Workload {
 public:
  Training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed)
      : params_(params),
        nodes_(nodes),
        schedule_(make_schedule(params)),
        levels_w_(phase_levels_w(params, nodes)),
        noise_key_(random_key(seed, noise_stream)),
        words_per_node_(static_cast<std::size_t>(nodes.gpus_per_node) / 2 + 1) {
    const RandomKey key = random_key(seed, spread_stream);
    const auto gpus = static_cast<std::uint32_t>(nodes.nodes * nodes.gpus_per_node);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      deviation_.push_back(static_cast<float>(2.0 * uniform(philox({gpu, 0, 0, 0}, key)[0]) - 1.0));
    }
  }

  double next_change_s(double t_s) const override { return (sample_index(t_s) + 1.0) * params_.sample_interval_s; }

  void sample(double t_s, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const double from_s = std::max(0.0, sample_index(t_s)) * params_.sample_interval_s;
    const double to_s = from_s + params_.sample_interval_s;
    std::fill(gpu_w.begin(), gpu_w.end(), 0.0);
    auto cell = static_cast<std::uint64_t>(from_s / params_.noise_interval_s);
    for (double start_s = from_s; start_s < to_s; ++cell) {
      const double end_s = std::min(to_s, static_cast<double>(cell + 1) * params_.noise_interval_s);
      if (end_s > start_s) {
        add_window(cell, start_s, end_s, gpu_w);
        start_s = end_s;
      }
    }
    close(gpu_w, node_ac_w);
  }

 private:
  double sample_index(double t_s) const { return std::floor((t_s + boundary_slack_s) / params_.sample_interval_s); }

  StageMix mix(int stage, double start_s, double end_s) const {
    const double lead_s = (params_.pipeline_stages - 1 - stage) * params_.stage_lag_s;
    const PhaseSeconds before = phase_seconds(schedule_, start_s + lead_s);
    const PhaseSeconds after = phase_seconds(schedule_, end_s + lead_s);
    StageMix mix;
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
      const double weight = (after[phase] - before[phase]) / params_.sample_interval_s;
      mix.level_w += weight * levels_w_[phase];
      if (phase == checkpoint) mix.checkpoint_weight = weight;
      if (phase < checkpoint) mix.busy_weight += weight;
    }
    return mix;
  }

  /// Adds what GPUs draw from `start_s` to `end_s`, within one noise interval, as a share of the sample.
  void add_window(std::uint64_t cell, double start_s, double end_s, std::span<double> gpu_w) const {
    std::array<StageMix, most_stages> mixes;
    const int stages = std::min(params_.pipeline_stages, nodes_.nodes);
    for (int stage = 0; stage < stages; ++stage) mixes[stage] = mix(stage, start_s, end_s);

    std::array<float, 2 * nodes_at_a_time * most_words> noise;
    for (int first = 0; first < nodes_.nodes; first += nodes_at_a_time) {
      draw(cell, first, noise);
      for (int node = first; node < std::min(first + nodes_at_a_time, nodes_.nodes); ++node) {
        add_node(mixes[node % params_.pipeline_stages], node, noise.data() + (node - first) * 2 * words_per_node_, gpu_w);
      }
    }
  }

  /// Deviations of `nodes_at_a_time` nodes: each its own, then those of its GPUs.
  void draw(std::uint64_t cell, int first_node, std::span<float> noise) const {
    std::array<std::uint32_t, nodes_at_a_time * most_words> words;
    const std::size_t count = nodes_at_a_time * words_per_node_;
    const auto first_block = static_cast<std::uint32_t>(first_node * words_per_node_ / 4);
    philox_fill<7>(noise_key_, cell, first_block, std::span(words).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      noise[2 * i] = triangular(words[i]);
      noise[2 * i + 1] = triangular(words[i] >> 16);
    }
  }

  void add_node(const StageMix& mix, int node, const float* noise, std::span<double> gpu_w) const {
    constexpr double uniform_limit = 1.7320508075688772;  // of a uniform deviate, in standard deviations
    const double common_w = mix.level_w + mix.busy_weight * params_.node_noise_w * static_cast<double>(noise[0]);
    const double band_w = mix.checkpoint_weight * params_.checkpoint_band_w;
    const double per_deviation_w = mix.busy_weight * params_.gpu_spread_w * uniform_limit + band_w * (2.0 / 3.0);
    const double per_noise_w = mix.busy_weight * params_.gpu_noise_w + band_w / (3.0 * triangular_limit);
    const auto gpus = static_cast<std::size_t>(nodes_.gpus_per_node);
    double* out_w = gpu_w.data() + node * gpus;
    const float* deviation = deviation_.data() + node * gpus;
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
      out_w[gpu] += common_w + per_deviation_w * static_cast<double>(deviation[gpu]) +
                    per_noise_w * static_cast<double>(noise[1 + gpu]);
    }
  }

  /// Keeps GPUs between idle and limit, then sums up nodes.
  void close(std::span<double> gpu_w, std::span<double> node_ac_w) const {
    const auto gpus = static_cast<std::size_t>(nodes_.gpus_per_node);
    for (std::size_t node = 0; node < node_ac_w.size(); ++node) {
      double sum_w = 0.0;
      for (double& w : gpu_w.subspan(node * gpus, gpus)) {
        w = std::clamp(w, nodes_.split.gpu_idle_w, nodes_.split.gpu_limit_w);
        sum_w += w;
      }
      node_ac_w[node] = node_from_gpus_w(nodes_.split, sum_w);
    }
  }

  TrainingParams params_;
  NodeSet nodes_;
  TrainingSchedule schedule_;
  Levels levels_w_;
  RandomKey noise_key_;
  std::size_t words_per_node_;    // of random bits: a half for the node, one for each GPU
  std::vector<float> deviation_;  // [gpu] -1 ... 1: its place in the spread of GPUs
};

}  // namespace

std::vector<std::string> training_mistakes(const TrainingParams& p, const NodeSet& nodes) {
  std::vector<std::string> mistakes;
  const auto check_level = [&](std::string_view name, double level_w) {
    if (level_w < nodes.split.gpu_idle_w || level_w > nodes.split.gpu_limit_w) {
      mistakes.push_back(fmt::format("{}: {:.0f} W is not between idle power {:.0f} W and limit {:.0f} W of a GPU",
                                     name, level_w, nodes.split.gpu_idle_w, nodes.split.gpu_limit_w));
    }
  };
  const Levels levels_w = phase_levels_w(p, nodes);
  check_level("compute_gpu_power", levels_w[compute]);
  check_level("communication_gpu_power", levels_w[communication]);
  check_level("evaluation_power_ratio", levels_w[evaluation]);
  check_level("checkpoint_gpu_power", levels_w[checkpoint]);
  if (p.pipeline_stages < 1 || p.pipeline_stages > most_stages) {
    mistakes.push_back(fmt::format("pipeline_stages: {} is not between 1 and {}", p.pipeline_stages, most_stages));
  }
  if (nodes.gpus_per_node < 1 || nodes.gpus_per_node > most_gpus_per_node) {
    mistakes.push_back(fmt::format("{} GPUs in a node: not between 1 and {}", nodes.gpus_per_node, most_gpus_per_node));
  }
  if (p.evaluation_s >= p.evaluation_interval_s) {
    mistakes.push_back("evaluation_time: an evaluation is no shorter than the interval between them");
  }
  if (p.checkpoint_s >= p.checkpoint_interval_s) {
    mistakes.push_back("checkpoint_time: a checkpoint is no shorter than the interval between them");
  }
  return mistakes;
}

std::unique_ptr<Workload> make_training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed) {
  const std::vector<std::string> mistakes = training_mistakes(params, nodes);
  if (!mistakes.empty()) throw std::invalid_argument(mistakes.front());
  return std::make_unique<Training>(params, nodes, seed);
}

}  // namespace wattloop::workload
