#include "workload/training/training.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/numbers/lanes.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/series.hpp"
#include "workload/training/deviation_pool.hpp"
#include "workload/training/noise_windows.hpp"
#include "workload/training/stage_levels.hpp"
#include "workload/training/training_clock.hpp"
#include "workload/work/work_by_nodes.hpp"

namespace wattloop::workload {

namespace {

enum Stream : std::uint32_t { spread_stream = 1, pool_stream = 2, noise_stream = 3 };

/// Nodes whose random words are drawn together: one word each.
constexpr std::size_t nodes_per_bulk = std::tuple_size_v<PhiloxWords>;
static_assert(nodes_asked_together % nodes_per_bulk == 0);

constexpr double uniform_limit = 1.7320508075688772;  ///< of a uniform deviate, in standard deviations

using Window = NoiseWindow;

class Training final : public WorkByNodes {
 public:
  Training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed,
           std::shared_ptr<const StepWork> steps)
      : params_(params),
        nodes_(nodes),
        clock_(params, nodes.job_gpus(), seed, static_cast<std::size_t>(nodes.gpus_per_node), steps),
        stages_(params, nodes, std::move(steps)),
        noise_key_(random_key(seed, noise_stream)),
        windows_(params.noise_interval_s, (params.pipeline_stages - 1) * params.stage_lag_s, numbers_per_cell()),
        pool_(random_key(seed, pool_stream), numbers_per_cell(), windows_.cells_per_draw()) {
    const RandomKey key = random_key(seed, spread_stream);
    const auto gpus = static_cast<std::uint32_t>(nodes.nodes * nodes.gpus_per_node);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      place_.push_back(2.0 * uniform(philox({gpu, 0, 0, 0}, key)[0]) - 1.0);
    }
  }

  double next_change_s(double t_s) const override {
    return (clock_.sample_index(t_s) + 1.0) * params_.sample_interval_s;
  }

  void sample(double t_s, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const Asked asked{nodes, gpu_w, node_ac_w, {}};
    if (clock_.has_yet_to_begin(t_s)) return wait(asked, nodes_.split.gpu_idle_w);
    std::array<double, most_pipeline_stages * numbers_per_mix> mixes;
    const TrainingClock::Pace pace = clock_.pace_of({}, t_s);
    for_each_window(pace, [&](const Window& window) {
      mix(pace, window, nodes, mixes.data());
      add_window(window, asked, mixes.data());
    });
  }

  /// Whole cycles, without noise, which has no mean.
  void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const Asked asked{nodes, gpu_w, node_ac_w, {}};
    if (params_.ramp_s > 0.0) return wait(asked, nodes_.split.gpu_idle_w);
    std::array<double, most_pipeline_stages * numbers_per_mix> mixes;
    stages_.mix(clock_.pace_of({}, 0.0), 0.0, clock_.cycle_s(), params_.sample_interval_s, nodes, mixes.data());
    const double samples = clock_.cycle_s() / params_.sample_interval_s;
    fill_gpus(asked, [&](std::size_t node, std::size_t gpu) {
      const StageMix of = mix_of(mixes.data(), stages_.stage_of(node));
      const double w = (of.level_w + of.per_place_w * place_[node * per_node() + gpu]) / samples;
      return std::clamp(w, nodes_.split.gpu_idle_w, nodes_.split.gpu_limit_w);
    });
  }

  void prepare(double t_s, const JobsNow& jobs, SampleBasis& basis) const override {
    prepare_nodes(t_s, jobs, {0, static_cast<std::size_t>(nodes_.nodes)}, basis);
  }

  /// Room for mixes of all stages, window by window; filled are those of `nodes`.
  void prepare_nodes(double t_s, const JobsNow& jobs, NodeRange nodes, SampleBasis& basis) const override {
    basis.t_s = t_s;
    basis.job = jobs.clocks.empty() ? JobClock{} : jobs.clocks.front();
    basis.numbers.clear();
    if (clock_.has_yet_to_begin(t_s) || basis.job.is != JobClock::Is::running) return;
    const TrainingClock::Pace pace = clock_.pace_of(basis.job, t_s);
    for_each_window(pace, [&](const Window& window) {
      const std::size_t first = basis.numbers.size();
      basis.numbers.resize(first + numbers_per_window());
      mix(pace, window, nodes, basis.numbers.data() + first);
    });
  }

  SampleShares shares(const SampleBasis& basis, std::size_t node) const override {
    if (!params_.is_coupled()) return {};
    return stages_.shares(clock_, basis.job, basis.t_s, node);
  }

  std::vector<JobNodes> jobs() const override {
    return {{params_.is_coupled() ? &clock_ : nullptr, {{0, static_cast<std::size_t>(nodes_.nodes)}}}};
  }
  double computing_w(std::size_t node, std::size_t gpu, const Placement&) const override {
    return stages_.levels_w()[compute] + params_.gpu_spread_w * uniform_limit * place_[node * per_node() + gpu];
  }
  double most_computing_w(std::size_t) const override {
    return stages_.levels_w()[compute] + params_.gpu_spread_w * uniform_limit;
  }

  void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                        const NodeWatts& of_nodes) const override {
    const Asked asked{nodes, gpu_w, of_nodes.ac_w, of_nodes.gpus_w};
    if (clock_.has_yet_to_begin(basis.t_s) || basis.job.is == JobClock::Is::idle)
      return wait(asked, nodes_.split.gpu_idle_w);
    if (basis.job.is == JobClock::Is::waiting) return wait(asked, stages_.levels_w()[communication]);
    const double* mixes = basis.numbers.data();
    for_each_window(clock_.pace_of(basis.job, basis.t_s), [&](const Window& window) {
      add_window(window, asked, mixes);
      mixes += numbers_per_window();
    });
  }

  std::size_t nodes_at_once() const override { return nodes_per_bulk; }

 private:
  /// Nodes, and where their watts go.
  struct Asked {
    NodeRange nodes;
    std::span<double> gpu_w;      // [node of the range * gpus + gpu]
    std::span<double> node_ac_w;  // [node of the range]
    std::span<double> gpus_w;     // [node of the range] or none

    Asked part(NodeRange part, std::size_t gpus) const {
      const std::size_t first = part.first - nodes.first;
      return {part, gpu_w.subspan(first * gpus, part.count * gpus), node_ac_w.subspan(first, part.count),
              gpus_w.empty() ? gpus_w : gpus_w.subspan(first, part.count)};
    }
  };

  std::size_t per_node() const { return static_cast<std::size_t>(nodes_.gpus_per_node); }

  /// What each GPU draws, `watts(node, gpu)`, and sums of it.
  template <class Watts>
  void fill_gpus(const Asked& asked, const Watts& watts) const {
    for (std::size_t node = 0; node < asked.nodes.count; ++node) {
      double sum_w = 0.0;
      for (std::size_t gpu = 0; gpu < per_node(); ++gpu)
        sum_w += asked.gpu_w[node * per_node() + gpu] = watts(asked.nodes.first + node, gpu);
      asked.node_ac_w[node] = node_from_gpus_w(nodes_.split, sum_w);
      if (!asked.gpus_w.empty()) asked.gpus_w[node] = sum_w;
    }
  }
  void wait(const Asked& asked, double gpu_w) const {
    fill_gpus(asked, [gpu_w](std::size_t, std::size_t) { return gpu_w; });
  }

  std::size_t numbers_per_window() const { return stages_.stages() * numbers_per_mix; }

  /// Deviations that a node has in a cell: its own, and those of its GPUs.
  std::size_t numbers_per_cell() const { return static_cast<std::size_t>(nodes_.gpus_per_node) + 1; }

  /// The windows of a sample, in order.
  template <class Act>
  void for_each_window(const TrainingClock::Pace& pace, const Act& act) const {
    windows_.for_each(pace, clock_.sample_of(pace), act);
  }

  void mix(const TrainingClock::Pace& pace, const Window& window, NodeRange nodes, double* mixes) const {
    const TrainingClock::Span sample = clock_.sample_of(pace);
    const double interval_s = sample.is_part ? sample.end_s - sample.start_s : params_.sample_interval_s;
    stages_.mix(pace, window.start_s, window.end_s, interval_s, nodes, mixes);
  }

  /// Adds what GPUs draw in a window, as a share of the sample.
  void add_window(const Window& window, const Asked& asked, const double* mixes) const {
    if (nodes_.gpus_per_node == 8) {
      add_window_of(std::integral_constant<std::size_t, 8>{}, window, asked, mixes);
    } else {
      add_window_of(static_cast<std::size_t>(nodes_.gpus_per_node), window, asked, mixes);
    }
  }

  /// `gpus` of a node: a constant where it can be, so that compilers vectorise.
  template <class Gpus>
  void add_window_of(Gpus gpus, const Window& window, const Asked& asked, const double* mixes) const {
    PhiloxWords words;
    for (NodeRange left = asked.nodes; left.count > 0;) {
      const std::size_t in_bulk = left.first % nodes_per_bulk;
      const NodeRange nodes{left.first, std::min(left.count, nodes_per_bulk - in_bulk)};
      draw(window.draw, left.first / nodes_per_bulk, words);
      const Asked part = asked.part(nodes, gpus);
      const std::uint32_t* of_nodes = words.data() + in_bulk;
      const bool is_whole = window.is_first && window.is_last;
      is_whole ? add_nodes<true>(window, gpus, part, mixes, of_nodes)
               : add_nodes<false>(window, gpus, part, mixes, of_nodes);
      left = {left.first + nodes.count, left.count - nodes.count};
    }
  }

  /// One random word for each node of a bulk: its high bits say where in the pool the noise of the node and its GPUs begins, cell
  /// by cell over all cells of the draw.
  void draw(std::uint64_t number, std::size_t index, PhiloxWords& words) const {
    philox_bulk<7>(noise_key_, number, static_cast<std::uint32_t>(index * philox_lanes), words);
  }

  /// Adds what nodes of one bulk draw in a window; the last window keeps GPUs between idle and limit. One that is the first and the
  /// last spans the whole sample, as mostly.
  template <bool IsWhole, class Gpus>
  void add_nodes(const Window window, Gpus gpus, const Asked& asked, const double* mixes,
                 const std::uint32_t* words) const {  // by value: no store to watts can change the window
    const NodeSplitParams split = nodes_.split;
    const std::uint8_t* stages = stages_.stages_of_nodes() + asked.nodes.first;
    const double* place = place_.data() + asked.nodes.first * gpus;
    double* gpu_w = asked.gpu_w.data();
    std::size_t node = 0;
    const auto next_node = [&](std::size_t k) {
      return NodeNow{mix_of(mixes, stages[node + k]), words[node + k], place + k * gpus};
    };
    if constexpr (!std::is_integral_v<Gpus>) {  // eight of eight: sums over all of them at once
      static_assert(Gpus::value == lane_count);
      for (; node + lane_count <= asked.nodes.count; node += lane_count) {
        Lanes of_nodes_w[lane_count];
#pragma GCC unroll 8
        for (std::size_t k = 0; k < lane_count; ++k) {
          of_nodes_w[k] = add_gpus<IsWhole, Lanes>(window, split, next_node(k), 0, gpu_w + k * lane_count);
        }
        const Lanes gpus_w = sums_of(of_nodes_w);
        put_lanes(split.base_w + split.overhead_ratio * gpus_w, asked.node_ac_w.data() + node);
        if (!asked.gpus_w.empty()) put_lanes(gpus_w, asked.gpus_w.data() + node);
        place += lane_count * lane_count;
        gpu_w += lane_count * lane_count;
      }
    }
    for (; node < asked.nodes.count; ++node, place += gpus, gpu_w += gpus) {
      const NodeNow now = next_node(0);
      const double gpus_w = sum_by_lanes(gpus, [&]<class Value>(std::size_t gpu, Value& sum_w) {
        sum_w += add_gpus<IsWhole, Value>(window, split, now, gpu, gpu_w);
      });
      asked.node_ac_w[node] = node_from_gpus_w(split, gpus_w);
      if (!asked.gpus_w.empty()) asked.gpus_w[node] = gpus_w;
    }
  }

  /// A node in a window.
  struct NodeNow {
    StageMix mix;
    std::uint32_t word;  // of its own
    const double* place;
  };

  /// Deviations in a window of series that begin at `place`, one or eight side by side: of its cell, or their mean over its cells.
  template <class Value>
  [[gnu::always_inline]] Value deviation(const Window& window, std::size_t place) const {
    const std::size_t numbers = numbers_per_cell();
    Value first, last;
    if (window.cells == 1) {
      read(pool_.at(place + numbers * window.first_cell), first);
      return first;
    }
    read(pool_.sums_at(place + numbers * window.first_cell), first);
    read(pool_.sums_at(place + numbers * (window.first_cell + window.cells)), last);
    return (last - first) * (1.0 / static_cast<double>(window.cells));
  }

  static void read(const double* from, double& value) { value = *from; }
  static void read(const double* from, Lanes& value) { value = lanes_at(from); }
  static void write(double value, double* to) { *to = value; }
  static void write(Lanes value, double* to) { put_lanes(value, to); }

  /// Adds what one GPU of a node (double) or eight (Lanes) draw in a window, to `node_w[gpu]`. Returns their sum so far.
  template <bool IsWhole, class Value>
  [[gnu::always_inline]] Value add_gpus(const Window& window, const NodeSplitParams& split, const NodeNow& node,
                                        std::size_t gpu, double* node_w) const {
    const std::size_t series = node.word >> (32 - DeviationPool::bits);
    const double common_w = node.mix.level_w + node.mix.per_node_noise_w * deviation<double>(window, series);
    const Value of_noise = deviation<Value>(window, series + 1 + gpu);
    Value of_place, before_w;
    read(node.place + gpu, of_place);
    Value w = common_w + node.mix.per_place_w * of_place + node.mix.per_gpu_noise_w * of_noise;
    if (!IsWhole && !window.is_first) {
      read(node_w + gpu, before_w);
      w += before_w;
    }
    if (IsWhole || window.is_last) {
      w = chosen(w > split.gpu_idle_w, w, Value{} + split.gpu_idle_w);
      w = chosen(w < split.gpu_limit_w, w, Value{} + split.gpu_limit_w);
    }
    write(w, node_w + gpu);
    return w;
  }

  TrainingParams params_;
  NodeSet nodes_;
  TrainingClock clock_;
  StageLevels stages_;
  RandomKey noise_key_;
  NoiseWindows windows_;
  DeviationPool pool_;         // of all noise
  std::vector<double> place_;  // [gpu] -1 ... 1: in the spread of GPUs
};

}  // namespace

std::unique_ptr<Workload> make_training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed,
                                        std::shared_ptr<const StepWork> steps) {
  const std::vector<std::string> mistakes = training_mistakes(params, nodes);
  if (!mistakes.empty()) throw std::invalid_argument(mistakes.front());
  return std::make_unique<Training>(params, nodes, seed, std::move(steps));
}

}  // namespace wattloop::workload
