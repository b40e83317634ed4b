// Every column of a results file, item by item, against what it must hold: an observer of its own follows the run, looks up
// temperatures, flows, states and loads by the names of the components (tests/verification/integration/expected_columns.hpp) and takes means
// itself. A column that no one expects fails the test, and so does an expectation without a column.

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/work_run.hpp"
#include "tests/verification/integration/expected_columns.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::Expected;

namespace {

/// By docs/results_format.md.
bool is_mean(const std::string& group, const ColumnSpec& column) {
  if (group == "gpus") return false;
  const std::string& name = column.name;
  return column.unit == "W" || column.unit == "kg/s" || name == "loading" || name == "pue" || name == "cop";
}

struct FollowedColumn {
  std::string group;
  ColumnSpec spec;
  std::vector<std::string> items;
  Expected value;
  double interval_s = 0.0;
  std::vector<double> sums = {};               ///< [item] since the last record, times s
  std::vector<std::vector<double>> rows = {};  ///< [record][item]
};

std::vector<std::string> items_of(const TableSpec& table) {
  if (!table.items.empty() || table.item_dimension.empty())
    return table.items.empty() ? std::vector<std::string>{""} : table.items;
  std::vector<std::string> numbers;
  for (std::size_t item = 1; item <= table.numbered_items; ++item) numbers.push_back(std::to_string(item));
  return numbers;
}

/// Follows a run and keeps what each record must hold.
class Follower final : public Observer {
 public:
  Follower(const Plant& plant, std::vector<FollowedColumn> follows)
      : columns(std::move(follows)), names_(plant), last_units_(initial_state(plant)) {
    for (FollowedColumn& column : columns) column.sums.resize(column.items.size());
  }

  /// What is not present between instants: the power of single GPUs.
  static bool is_of_units(const FollowedColumn& column) {
    return column.group == "facility" && column.spec.name == "gpu_power";
  }

  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) override {
    const tests::Instant now{names_, state, evaluation};
    for (FollowedColumn& column : columns) {
      if (!column.spec.is_mean || is_of_units(column)) continue;
      for (std::size_t i = 0; i < column.items.size(); ++i)
        column.sums[i] += duration_s * column.value(now, column.items[i]);
    }
  }

  void observe(const PlantState& state, const Evaluation& evaluation) override {
    const tests::Instant now{names_, state, evaluation};
    for (FollowedColumn& column : columns) {
      if (is_of_units(column)) add_units(now, column);
      if (is_multiple(state.time_s, column.interval_s)) keep(now, column);
    }
    last_units_ = state;
  }

  std::vector<FollowedColumn> columns;

 private:
  void keep(const tests::Instant& now, FollowedColumn& column) {
    const bool has_interval = column.spec.is_mean && now.state.time_s > 0.0;
    std::vector<double> row;
    for (std::size_t i = 0; i < column.items.size(); ++i)
      row.push_back(has_interval ? column.sums[i] / column.interval_s : column.value(now, column.items[i]));
    column.rows.push_back(row);
    std::fill(column.sums.begin(), column.sums.end(), 0.0);
  }

  /// Loads hold from instant to instant, dies move on nearly a line.
  void add_units(const tests::Instant& now, FollowedColumn& column) {
    const double duration_s = now.state.time_s - last_units_.time_s;
    PlantState end = now.state;
    end.inputs = last_units_.inputs;
    const double begin_w = column.value({names_, last_units_, now.evaluation}, "");
    column.sums[0] += 0.5 * duration_s * (begin_w + column.value({names_, end, now.evaluation}, ""));
  }

  tests::Names names_;
  PlantState last_units_;
};

std::vector<FollowedColumn> followed_columns(const Plant& plant, const Scenario& scenario,
                                             tests::ExpectedColumns expected) {
  std::vector<FollowedColumn> columns;
  for (const RecordedTable& table : recorded_tables(plant, scenario.record)) {
    for (const RecordedColumn& recorded : table.columns) {
      const std::string name = table.spec.group + "/" + recorded.spec.name;
      INFO(name << ": nobody has said what this column must hold");
      REQUIRE(expected.count(name) == 1);
      ColumnSpec spec = recorded.spec;
      spec.is_mean = is_mean(table.spec.group, spec);
      columns.push_back({table.spec.group, spec, items_of(table.spec), expected.at(name), table.interval_s});
      expected.erase(name);
    }
  }
  for (const auto& [name, value] : expected) FAIL_CHECK("no hall records " << name);
  return columns;
}

/// pue and cop: of means, not means of ratios.
void divide(std::vector<FollowedColumn>& columns) {
  const auto rows_of = [&](const std::string& group, const std::string& name) -> FollowedColumn& {
    return *std::ranges::find_if(columns, [&](const auto& c) { return c.group == group && c.spec.name == name; });
  };
  for (const auto& [group, ratio, above, below] :
       {std::array<std::string, 4>{"facility", "pue", "power", "it_power"}, {"chillers", "cop", "heat", "power"}}) {
    FollowedColumn& column = rows_of(group, ratio);
    for (std::size_t row = 1; row < column.rows.size(); ++row) {
      for (std::size_t i = 0; i < column.items.size(); ++i) {
        const double denominator = rows_of(group, below).rows[row][i];
        const bool is_on_battery = ratio == "pue" && rows_of("facility", "battery_power").rows[row][i] > 0.0;
        column.rows[row][i] =
            denominator > 0.0 && !is_on_battery ? rows_of(group, above).rows[row][i] / denominator : std::nan("");
      }
    }
  }
}

/// What differs most between a column of the file and what it must hold, in words; empty where nothing does.
std::string difference(const ResultsReader& results, const FollowedColumn& column, double tolerance_ratio) {
  const std::vector<float> recorded = results.column(column.group, column.spec.name);
  if (recorded.size() != column.rows.size() * column.items.size()) return "another number of values";
  std::string worst;
  double largest = 1.0;
  for (std::size_t row = 0; row < column.rows.size(); ++row) {
    for (std::size_t i = 0; i < column.items.size(); ++i) {
      const auto is = static_cast<double>(recorded[row * column.items.size() + i]);
      const double must = column.rows[row][i];
      if (std::isnan(is) && std::isnan(must)) continue;
      const double off = std::abs(is - must) / (tolerance_ratio * std::abs(must) + 1e-6);
      if (off <= largest) continue;  // false for what is not a number
      largest = off;
      worst = fmt::format("{} at {} s: {} instead of {}", column.items[i], static_cast<double>(row) * column.interval_s,
                          is, must);
    }
    for (std::size_t i = 0; i < column.items.size(); ++i) {
      const bool is_nan = std::isnan(recorded[row * column.items.size() + i]);
      if (is_nan != std::isnan(column.rows[row][i])) return fmt::format("{}: not a number", column.items[i]);
    }
  }
  return worst;
}

struct LivelyRun {
  explicit LivelyRun(const std::filesystem::path& file, bool is_multirate)
      : scenario(tests::lively_hall_scenario()), plant(build_plant(scenario)) {
    const tests::UnevenWork work;
    tests::WorkRun simulation(scenario, plant, work, is_multirate ? by_multirate() : by_monolithic());
    tests::ExpectedColumns expected;
    std::vector<std::string> racks;
    for (const RackPart& rack : plant.it.racks) racks.push_back(rack.name);
    const tests::HallByName hall = tests::hall_by_name(scenario, racks);
    expect_power(hall, expected);
    expect_water(hall, expected);
    expect_hall(hall, expected);
    Follower follower(plant, followed_columns(plant, scenario, expected));
    ResultsWriter writer(file, scenario.start);
    Recorder recorder(plant, scenario.record, writer);
    simulation.start();
    simulation.run(scenario.duration_s, {&recorder, &follower});
    writer.finish();
    columns = std::move(follower.columns);
    divide(columns);
  }

  const Scenario scenario;
  const Plant plant;
  std::vector<FollowedColumn> columns;
};

/// Sums over the recorded values themselves, six seconds at a time: intervals of groups differ.
class Sums {
 public:
  explicit Sums(const ResultsReader& results) : results_(results) {}

  /// Of all items whose name begins so: their sum at the end of the window, or of its records the mean.
  double at(const std::string& column, const std::string& prefix, std::size_t window) {
    const std::size_t records = recorded(column).records;
    return sum(column, prefix, window * records, window * records + 1);
  }
  double mean(const std::string& column, const std::string& prefix, std::size_t window) {
    if (window == 0) return at(column, prefix, 0);
    const std::size_t count = recorded(column).records;
    return sum(column, prefix, (window - 1) * count + 1, window * count + 1) / static_cast<double>(count);
  }
  static constexpr std::size_t windows = static_cast<std::size_t>(tests::lively_s / 6.0) + 1;  ///< the start is one

 private:
  struct Recorded {
    std::vector<std::string> items;
    std::vector<float> values;
    std::size_t records;  ///< in six seconds
  };

  const Recorded& recorded(const std::string& column) {
    const std::string group = column.substr(0, column.find('/'));
    const auto [found, is_new] = recorded_.try_emplace(column);
    if (is_new) {
      found->second = {items_of(results_.table(group)), results_.column(group, column.substr(group.size() + 1)),
                       static_cast<std::size_t>(std::lround(6.0 / results_.times_s(group)[1]))};
    }
    return found->second;
  }

  double sum(const std::string& column, const std::string& prefix, std::size_t from, std::size_t to) {
    const auto& [items, values, records] = recorded(column);
    double total = 0.0;
    for (std::size_t k = from * items.size(); k < to * items.size(); ++k)
      total += items[k % items.size()].starts_with(prefix) ? values[k] : 0.0f;
    return total;
  }

  const ResultsReader& results_;
  std::map<std::string, Recorded> recorded_;
};

void check_flows(Sums& sums, std::size_t w) {
  for (const std::string cdu : {"cdu_1", "cdu_2", "cdu_3", "cdu_4"})
    CHECK(sums.mean("pumps/flow", cdu + ".", w) == Approx(sums.mean("cdus/flow", cdu, w)).epsilon(1e-6));
  CHECK(sums.mean("pumps/flow", "facility.", w) == Approx(sums.mean("cdus/facility_flow", "", w)).epsilon(1e-6));
  CHECK(sums.mean("pumps/flow", "chilled_water.", w) ==
        Approx(sums.mean("water_systems/flow", "chilled_water", w)).epsilon(1e-6));
  CHECK(sums.mean("racks/flow", "", w) == Approx(sums.mean("loops/flow", "", w)).epsilon(1e-6));
  CHECK(sums.mean("cdus/flow", "", w) == Approx(sums.mean("loops/flow", "", w)).epsilon(1e-6));
  CHECK(sums.mean("racks/airflow", "", w) + sums.mean("network/airflow", "", w) ==
        Approx(sums.mean("rows/airflow", "", w)).epsilon(1e-6));
}

void check_powers(Sums& sums, std::size_t w) {
  const double outdoors_w = sums.mean("feeders/loss", "substation", w) + sums.mean("feeders/loss", "transformer", w);
  const double loss_w = sums.mean("facility/electrical_loss", "", w);
  CHECK(sums.mean("rooms/electrical_loss", "", w) + outdoors_w == Approx(loss_w).epsilon(1e-6));
  CHECK(sums.mean("feeders/loss", "", w) + sums.mean("ups/loss", "", w) == Approx(loss_w).epsilon(1e-6));
  CHECK(sums.mean("racks/it_power", "", w) == Approx(sums.mean("facility/node_power", "", w)).epsilon(1e-6));
  const double used_w = sums.mean("facility/it_power", "", w) + sums.mean("facility/cooling_power", "", w) + loss_w;
  CHECK(sums.mean("facility/power", "", w) + sums.mean("facility/battery_power", "", w) ==
        Approx(used_w).epsilon(1e-6));
}

void check_heat(Sums& sums, std::size_t w, double coolant_j_per_kg_k) {
  for (const std::string loop : {"loop_1", "loop_2"}) {  // products of means are means of products at the start alone
    const double rise_k = sums.at("loops/return_temperature", loop, w) - sums.at("loops/supply_temperature", loop, w);
    const double by_hand_w = sums.mean("loops/flow", loop, w) * coolant_j_per_kg_k * rise_k;
    CHECK(sums.mean("loops/heat", loop, w) == Approx(by_hand_w).epsilon(w == 0 ? 1e-5 : 0.1));
  }
  const double mean_k = sums.at("facility/mean_die_temperature", "", w);
  CHECK(sums.at("racks/mean_die_temperature", "", w) / 7.0 == Approx(mean_k).epsilon(1e-7));
  CHECK(sums.at("gpus/die_temperature", "", w) / 448.0 == Approx(mean_k).epsilon(1e-7));
}

}  // namespace

TEST_CASE("every recorded column holds what its name says, for the item that it names, and sums agree", "[columns]") {
  const bool is_multirate = GENERATE(false, true);
  INFO((is_multirate ? "multirate" : "monolithic"));
  const tests::TemporaryFolder folder;
  const LivelyRun run(folder / "lively.h5", is_multirate);
  const ResultsReader results(folder / "lively.h5");
  std::size_t values = 0;
  for (const FollowedColumn& column : run.columns) {
    const double tolerance_ratio = Follower::is_of_units(column) ? 2e-4 : 1e-6;
    INFO(column.group << "/" << column.spec.name);
    CHECK(difference(results, column, tolerance_ratio) == "");
    values += column.rows.size() * column.items.size();
  }
  Sums sums(results);
  for (std::size_t window = 0; window < Sums::windows; ++window) {
    INFO("until " << 6 * window << " s");
    check_flows(sums, window);
    check_powers(sums, window);
    check_heat(sums, window, tests::hall_by_name(run.scenario, {}).coolant_j_per_kg_k);
  }
  CHECK(results.tables().size() == 18);
  const std::vector<float> pues = results.column("facility", "pue");
  CHECK(std::ranges::count_if(pues, [](float pue) { return std::isnan(pue); }) >= 3);  // on battery from 14 s to 22 s
  CHECK(std::ranges::count_if(pues, [](float pue) { return pue > 1.0f; }) > 20);
  CHECK(values > 30000);
}
