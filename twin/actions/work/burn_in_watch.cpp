#include "twin/actions/work/burn_in_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/text/count_text.hpp"
#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"
#include "twin/actions/weather/timeline.hpp"

namespace wattloop::twin {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

bool is_over(double end_s, double time_s) { return time_s > end_s - boundary_slack_s; }

/// Racks of the nodes of a test.
std::vector<std::size_t> racks_of_test(const Plant& plant, const workload::TestedNodes& tested) {
  std::vector<std::size_t> racks;
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
    const std::size_t node = plant.it.racks[rack].first_node;
    if (node >= tested.first_node && node < tested.first_node + tested.test->nodes()) racks.push_back(rack);
  }
  return racks;
}

std::string rack_name(const Plant& plant, std::size_t rack) {
  const std::string node = node_name(plant, plant.it.racks[rack].first_node);
  return node.substr(0, node.rfind('.'));
}

/// [node of the test] bandwidth that its links have.
std::vector<double> link_fractions(const Plant& plant, const workload::TestedNodes& tested) {
  std::vector<double> fractions(tested.test->nodes(), 1.0);
  const auto& stated = tested.test->params().link_fraction;
  for (std::size_t node = 0; node < fractions.size() && !stated.empty(); ++node) {
    const auto link = stated.find(node_name(plant, tested.first_node + node));
    if (link != stated.end()) fractions[node] = link->second;
  }
  return fractions;
}

void note(const std::string& name, double time_ratio, double limit, TestedItem& slowest,
          std::vector<TestedItem>& outliers) {
  if (slowest.name.empty() || time_ratio > slowest.time_ratio) slowest = {name, time_ratio};
  if (time_ratio > limit) outliers.push_back({name, time_ratio});
}

void sort_by_time(std::vector<TestedItem>& items) {
  std::ranges::stable_sort(items, std::greater<>{}, &TestedItem::time_ratio);
}

void add_matrix_findings(const Plant& plant, const workload::TestedNodes& tested, const PlantState& state,
                         TestFindings& found) {
  const double limit = tested.test->params().outlier_time_ratio;
  const std::vector<double>& ratios = state.work.test.time_ratio;
  found.has_gpus = true;
  for (const std::size_t rack : racks_of_test(plant, tested)) {
    const auto first = ratios.begin() + static_cast<std::ptrdiff_t>(plant.it.racks[rack].first_gpu);
    const auto last = first + static_cast<std::ptrdiff_t>(plant.it.gpus_in(rack));
    const double of_rack = workload::median_of({first, last});
    note(rack_name(plant, rack), of_rack, limit, found.slowest_rack, found.racks);
    const double gpu_limit = of_rack > limit && std::isfinite(of_rack) ? limit * of_rack : limit;
    for (auto gpu = first; gpu != last; ++gpu)
      note(gpu_name(plant, static_cast<std::size_t>(gpu - ratios.begin())), *gpu, gpu_limit, found.slowest_gpu,
           found.gpus);
  }
}

void add_node_findings(const Plant& plant, const workload::TestedNodes& tested, TestFindings& found) {
  const std::vector<double> ratios = tested.test->node_time_ratios(link_fractions(plant, tested));
  found.has_nodes = found.has_nodes || !ratios.empty();
  for (std::size_t node = 0; node < ratios.size(); ++node)
    note(node_name(plant, tested.first_node + node), ratios[node], tested.test->params().outlier_time_ratio,
         found.slowest_node, found.nodes);
}

std::string times_the_median(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.3f} of the median time", ratio) : "it did not finish";
}

void report(const std::vector<TestedItem>& outliers, const char* what, double time_s,
            std::vector<EventRecord>& events) {
  for (const TestedItem& item : outliers)
    events.push_back(
        {time_s, "burn_in_outlier", item.name, fmt::format("{}: {}", what, times_the_median(item.time_ratio))});
}

/// "1 GPU, 0 racks and 2 nodes beyond 1.030 of the median".
std::string count_of(const TestFindings& found, double limit) {
  return fmt::format("{}, {} and {} beyond {:.3f} of the median", count_text(found.gpus.size(), "GPU"),
                     count_text(found.racks.size(), "rack"), count_text(found.nodes.size(), "node"), limit);
}

}  // namespace

std::string_view burn_in_word(const TestFindings& found) {
  if (!found.gpus.empty() || !found.racks.empty() || !found.nodes.empty()) return "failed";
  return found.has_gpus && found.has_nodes ? "passed" : "not over";
}

TestFindings test_findings(const Plant& plant, const std::vector<workload::TestedNodes>& tests,
                           const PlantState& state) {
  TestFindings found;
  for (const workload::TestedNodes& tested : tests) {
    if (is_over(tested.test->matrix_end_s(), state.time_s) && !state.work.test.time_ratio.empty())
      add_matrix_findings(plant, tested, state, found);
    if (is_over(tested.test->end_s(), state.time_s)) add_node_findings(plant, tested, found);
  }
  for (std::vector<TestedItem>* items : {&found.racks, &found.gpus, &found.nodes}) sort_by_time(*items);
  return found;
}

void BurnInWatch::prepare(PlantState& state) const {
  if (state.work.test.clock_s.size() == plant_.it.gpu_count()) return;
  state.work.test = {.clock_s = std::vector<double>(plant_.it.gpu_count(), 0.0),
                     .time_ratio = std::vector<double>(plant_.it.gpu_count(), not_known)};
}

/// Clocks as they are now, up to the next reading.
void BurnInWatch::count(const workload::TestedNodes& tested, double from_s, double to_s, PlantState& state) const {
  for (const std::size_t rack : racks_of_test(plant_, tested)) {
    const std::size_t first_node = plant_.it.racks[rack].first_node;
    const double tested_s = tested.test->matrix_span_of_node(first_node - tested.first_node).overlap_s(from_s, to_s);
    if (!(tested_s > 0.0)) continue;
    const std::size_t first_gpu = plant_.it.racks[rack].first_gpu, per_node = plant_.it.group_of(rack).gpus_per_node;
    for (std::size_t k = 0; k < plant_.it.gpus_in(rack); ++k) {
      if (state.work.node_is[first_node + k / per_node] != NodeIs::at_work) continue;
      const std::size_t gpu = first_gpu + k;
      state.work.test.clock_s[gpu] +=
          tested_s * std::min(state.work.clock_fraction[gpu], state.work.capped_clock_fraction[gpu]);
    }
  }
}

void BurnInWatch::find_ratios(const workload::TestedNodes& tested, PlantState& state) const {
  workload::TestState& test = state.work.test;
  std::vector<double> of_all_s;
  for (const std::size_t rack : racks_of_test(plant_, tested)) {
    const auto first = test.clock_s.begin() + static_cast<std::ptrdiff_t>(plant_.it.racks[rack].first_gpu);
    of_all_s.insert(of_all_s.end(), first, first + static_cast<std::ptrdiff_t>(plant_.it.gpus_in(rack)));
  }
  const double median_s = workload::median_of(of_all_s);
  for (const std::size_t rack : racks_of_test(plant_, tested)) {
    const std::size_t first_gpu = plant_.it.racks[rack].first_gpu;
    for (std::size_t gpu = first_gpu; gpu < first_gpu + plant_.it.gpus_in(rack); ++gpu) {
      const double own_s = test.clock_s[gpu];
      test.time_ratio[gpu] = own_s > 0.0 ? median_s / own_s : std::numeric_limits<double>::infinity();
    }
  }
}

void BurnInWatch::act(PlantState& state, std::vector<EventRecord>& events) const {
  const double now_s = state.time_s;
  if (now_s < 0.0) return;
  prepare(state);  // of a state from which another work began
  if (is_multiple(now_s, control_interval_s) && state.work.test.until_s < now_s + boundary_slack_s) {
    const double next_s = next_multiple_s(now_s, control_interval_s);
    for (const workload::TestedNodes& tested : tests_) count(tested, now_s, next_s, state);
    state.work.test.until_s = next_s;
  }
  const auto is_now = [&](double t_s) { return std::abs(t_s - now_s) < boundary_slack_s; };
  for (const workload::TestedNodes& tested : tests_) {
    if (is_now(tested.test->matrix_end_s())) {
      find_ratios(tested, state);
      const TestFindings found = test_findings(plant_, {tested}, state);
      report(found.racks, "matrix products of its GPUs", now_s, events);
      report(found.gpus, "matrix products", now_s, events);
    }
    if (!is_now(tested.test->end_s())) continue;
    const TestFindings found = test_findings(plant_, {tested}, state);
    report(found.nodes, "all-reduces with either neighbour", now_s, events);
    events.push_back(
        {now_s, "burn_in_done",
         plant_.it.groups.size() > 1 ? plant_.it.group_of(racks_of_test(plant_, tested).front()).name : "hall",
         count_of(found, tested.test->params().outlier_time_ratio)});
  }
}

double BurnInWatch::next_s(double time_s) const {
  double next_s = std::numeric_limits<double>::infinity();
  for (const workload::TestedNodes& tested : tests_) {
    const double matrix_end_s = tested.test->matrix_end_s(), end_s = tested.test->end_s();
    if (time_s >= 0.0 && time_s < matrix_end_s)
      next_s = std::min({next_s, matrix_end_s, next_multiple_s(time_s, control_interval_s)});
    if (time_s < end_s) next_s = std::min(next_s, end_s);
  }
  return next_s;
}

}  // namespace wattloop::twin
