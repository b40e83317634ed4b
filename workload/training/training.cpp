#include "workload/training/training.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "core/numbers/lanes.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/series.hpp"
#include "workload/training/deviation_pool.hpp"
#include "workload/training/stage_mix.hpp"
#include "workload/training/training_clock.hpp"
#include "workload/training/training_levels.hpp"
#include "workload/work/work_by_nodes.hpp"

namespace wattloop::workload {

namespace {

enum Stream : std::uint32_t { spread_stream = 1, pool_stream = 2, noise_stream = 3 };

/// Nodes whose random words are drawn together: one word each.
constexpr std::size_t nodes_per_bulk = std::tuple_size_v<PhiloxWords>;
static_assert(nodes_asked_together % nodes_per_bulk == 0);

constexpr double uniform_limit = 1.7320508075688772;  ///< of a uniform deviate, in standard deviations

class Training final : public WorkByNodes {
 public:
  Training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed)
      : params_(params),
        nodes_(nodes),
        clock_(params, nodes.job_gpus(), seed, static_cast<std::size_t>(nodes.gpus_per_node)),
        levels_w_(phase_levels_w(params, nodes)),
        noise_key_(random_key(seed, noise_stream)),
        cells_per_draw_(cells_for(numbers_per_cell())),
        pool_(random_key(seed, pool_stream), numbers_per_cell(), cells_per_draw_) {
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
      mix(pace, window.start_s, window.end_s, nodes, mixes.data());
      add_window(window, asked, mixes.data());
    });
  }

  /// Whole cycles, without noise, which has no mean.
  void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const Asked asked{nodes, gpu_w, node_ac_w, {}};
    if (params_.ramp_s > 0.0) return wait(asked, nodes_.split.gpu_idle_w);
    std::array<double, most_pipeline_stages * numbers_per_mix> mixes;
    mix(clock_.pace_of({}, 0.0), 0.0, clock_.cycle_s(), nodes, mixes.data());
    const double samples = clock_.cycle_s() / params_.sample_interval_s;
    const auto stages = static_cast<std::size_t>(params_.pipeline_stages);
    fill_gpus(asked, [&](std::size_t node, std::size_t gpu) {
      const StageMix of = mix_of(mixes.data(), node % stages);
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
      mix(pace, window.start_s, window.end_s, nodes, basis.numbers.data() + first);
    });
  }

  SampleShares shares(const SampleBasis& basis, std::size_t node) const override {
    if (!params_.is_coupled()) return {};
    const int stage = static_cast<int>(node % static_cast<std::size_t>(params_.pipeline_stages));
    return clock_.shares(levels_w_, basis.job, basis.t_s, stage);
  }

  std::vector<JobNodes> jobs() const override {
    return {{params_.is_coupled() ? &clock_ : nullptr, {{0, static_cast<std::size_t>(nodes_.nodes)}}}};
  }
  double computing_w(std::size_t node, std::size_t gpu, const Placement&) const override {
    return levels_w_[compute] + params_.gpu_spread_w * uniform_limit * place_[node * per_node() + gpu];
  }
  double most_computing_w(std::size_t) const override {
    return levels_w_[compute] + params_.gpu_spread_w * uniform_limit;
  }

  void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                        const NodeWatts& of_nodes) const override {
    const Asked asked{nodes, gpu_w, of_nodes.ac_w, of_nodes.gpus_w};
    if (clock_.has_yet_to_begin(basis.t_s) || basis.job.is == JobClock::Is::idle)
      return wait(asked, nodes_.split.gpu_idle_w);
    if (basis.job.is == JobClock::Is::waiting) return wait(asked, levels_w_[communication]);
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

  /// Part of a sample: within one noise interval ("cell"), or so many whole ones over which all nodes are busy.
  struct Window {
    std::uint64_t draw;             // number of the draw that its cells share
    std::size_t first_cell, cells;  // among those of the draw
    double start_s, end_s;
    bool is_first, is_last;  // of the sample: the first sets what others add to, the last closes
  };

  /// The windows of a sample, in order.
  template <class Act>
  void for_each_window(const TrainingClock::Pace& pace, const Act& act) const {
    const auto [from_s, to_s, is_part] = clock_.sample_of(pace);
    bool is_first = true;
    auto cell = static_cast<std::uint64_t>(from_s / params_.noise_interval_s);
    for (double start_s = from_s; start_s < to_s;) {
      const std::uint64_t draw = cell / cells_per_draw_;
      const std::size_t first = cell % cells_per_draw_, cells = cells_together(pace, cell, start_s, to_s);
      cell += cells;
      const double end_s = std::min(to_s, begin_of(cell));
      if (end_s > start_s) {
        act(Window{draw, first, cells, start_s, end_s, is_first, end_s == to_s});
        start_s = end_s;
        is_first = false;
      }
    }
  }

  double begin_of(std::uint64_t cell) const { return static_cast<double>(cell) * params_.noise_interval_s; }

  /// Deviations that a node has in a cell: its own, and those of its GPUs.
  std::size_t numbers_per_cell() const { return static_cast<std::size_t>(nodes_.gpus_per_node) + 1; }

  /// So few that the pool has many such series.
  static std::size_t cells_for(std::size_t numbers) {
    constexpr std::size_t most = 32;
    return std::clamp<std::size_t>(std::bit_floor(DeviationPool::size / (16 * numbers)), 1, most);
  }

  /// How many cells from one on can be taken together: one, or several of one draw with all nodes busy all the time.
  std::size_t cells_together(const TrainingClock::Pace& pace, std::uint64_t cell, double start_s, double to_s) const {
    std::size_t cells = cells_per_draw_ - cell % cells_per_draw_;
    if (start_s != begin_of(cell)) return 1;
    while (cells > 1 && (begin_of(cell + cells) > to_s || !is_busy(pace, start_s, begin_of(cell + cells)))) cells /= 2;
    return cells;
  }

  /// Whether no stage waits for a checkpoint, or has yet to begin, between two instants.
  bool is_busy(const TrainingClock::Pace& pace, double start_s, double end_s) const {
    constexpr double noticeable_s = 1e-9;
    const TrainingSchedule& schedule = pace.others;
    const double first_s = start_s + pace.shift_s;
    const double last_s = end_s + pace.shift_s + (params_.pipeline_stages - 1) * params_.stage_lag_s;
    const double step = step_at(schedule, first_s, step_near(schedule, first_s));
    const PhaseSeconds before = phase_seconds(schedule, first_s, step);
    const PhaseSeconds after = phase_seconds(schedule, last_s, step_at(schedule, last_s, step));
    return after[checkpoint] - before[checkpoint] < noticeable_s && after[idle] - before[idle] < noticeable_s;
  }

  std::size_t numbers_per_window() const { return static_cast<std::size_t>(params_.pipeline_stages) * numbers_per_mix; }

  /// Mixes of the stages of `nodes` between two instants, each at its place among those of all stages.
  void mix(const TrainingClock::Pace& pace, double start_s, double end_s, NodeRange nodes, double* mixes) const {
    const TrainingSchedule& schedule = pace.others;
    double step = step_near(schedule, start_s + pace.shift_s);
    const auto seconds_until = [&](double t_s) {  // steps of all stages are near one another
      step = step_at(schedule, t_s, step);
      return phase_seconds(schedule, t_s, step);
    };
    const TrainingClock::Span sample = clock_.sample_of(pace);
    const double interval_s = sample.is_part ? sample.end_s - sample.start_s : params_.sample_interval_s;
    const auto stages = static_cast<std::size_t>(params_.pipeline_stages);
    std::size_t stage = nodes.first % stages;
    for (std::size_t count = std::min(nodes.count, stages); count > 0; --count) {
      const int stages_behind = params_.pipeline_stages - 1 - static_cast<int>(stage);
      const double lead_s = stages_behind * params_.stage_lag_s + pace.shift_s;
      const PhaseSeconds before = seconds_until(start_s + lead_s);
      put_mix(mix(before, seconds_until(end_s + lead_s), interval_s), mixes + stage * numbers_per_mix);
      if (++stage == stages) stage = 0;
    }
  }

  /// Of the seconds that were spent in each phase at the begin and the end of a window.
  StageMix mix(const PhaseSeconds& before, const PhaseSeconds& after, double interval_s) const {
    StageMix mix{};
    double busy_weight = 0.0;        // computing, communicating, evaluating
    double checkpoint_weight = 0.0;  // waiting for a checkpoint
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
      const double weight = (after[phase] - before[phase]) / interval_s;
      mix.level_w += weight * levels_w_[phase];
      if (phase == checkpoint) checkpoint_weight = weight;
      if (phase < checkpoint) busy_weight += weight;
    }
    const double band_w = checkpoint_weight * params_.checkpoint_band_w;
    mix.per_node_noise_w = busy_weight * params_.node_noise_w;
    mix.per_gpu_noise_w = busy_weight * params_.gpu_noise_w + band_w / (3.0 * DeviationPool::largest);
    mix.per_place_w = busy_weight * params_.gpu_spread_w * uniform_limit + band_w * (2.0 / 3.0);
    return mix;
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
    const auto stages = static_cast<std::size_t>(params_.pipeline_stages);
    const double* place = place_.data() + asked.nodes.first * gpus;
    double* gpu_w = asked.gpu_w.data();
    std::size_t stage = asked.nodes.first % stages;
    std::size_t node = 0;
    const auto next_node = [&](std::size_t k) {
      const NodeNow now{mix_of(mixes, stage), words[node + k], place + k * gpus};
      if (++stage == stages) stage = 0;
      return now;
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
  PhaseLevels levels_w_;
  RandomKey noise_key_;
  std::size_t cells_per_draw_;
  DeviationPool pool_;         // of all noise
  std::vector<double> place_;  // [gpu] -1 ... 1: in the spread of GPUs
};

}  // namespace

std::unique_ptr<Workload> make_training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed) {
  const std::vector<std::string> mistakes = training_mistakes(params, nodes);
  if (!mistakes.empty()) throw std::invalid_argument(mistakes.front());
  return std::make_unique<Training>(params, nodes, seed);
}

}  // namespace wattloop::workload
