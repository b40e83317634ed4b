// Whatever fails: no run that ends leaves a temperature or a load beyond its limit without an event and a record. Limits stand here by
// hand, as tables of the results name them; values are read as the recorder reads them.
#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;

namespace {

constexpr int halls = 200;

struct Allowed {
  const char* group;
  const char* column;
  double lowest, highest;
};

constexpr double any = 1e99;
constexpr Allowed allowed[] = {
    {"racks", "inlet_air_temperature", 278.15, 303.15},
    {"loops", "supply_temperature", 283.15, 343.15},
    {"loops", "return_temperature", 283.15, 343.15},
    {"water_systems", "supply_temperature", 278.15, 368.15},
    {"water_systems", "return_temperature", 278.15, 368.15},
    {"cdus", "heat", -any, 121e3},
    {"towers", "heat", -any, 80e3},
    {"chillers", "heat", -any, 15e3},
    {"ups", "loading", -any, 1.0},
    {"pdus", "loading", -any, 1.0},
    {"generators", "loading", -any, 1.0},
    {"transformers", "loading", -any, 1.0},
};

/// How far a value must be beyond to be asked for: an instant is not the mean of its second.
double slack(const char* column) {
  const std::string name(column);
  return name.ends_with("temperature") ? 0.1 : name == "heat" ? 500.0 : 0.01;
}

using Place = std::pair<std::string, std::string>;  // part, column

/// When anything was beyond what is allowed for the first time, and how far it came.
class Watch final : public Observer {
 public:
  explicit Watch(const Plant& plant) : plant_(plant), tables_(recorded_tables(plant, {})) {
    for (const RecordedTable& table : tables_) {
      for (const RecordedColumn& column : table.columns) {
        for (const Allowed& limit : allowed) {
          if (table.spec.group == limit.group && column.spec.name == limit.column)
            watched_.push_back({&limit, &column, &table.spec.items, is_recorded_as_mean(column.spec)});
        }
      }
    }
  }

  void observe(const PlantState& state, const Evaluation& evaluation) override { look(state, evaluation, false); }
  void integrate(const PlantState& state, const Evaluation& evaluation, double) override {
    look(state, evaluation, true);
  }
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  std::map<Place, double> first_s;

 private:
  void look(const PlantState& state, const Evaluation& evaluation, bool at_means) {
    const PlantSnapshot snapshot{plant_, state, evaluation};
    for (const Watched& watched : watched_) {
      if (watched.is_mean != at_means) continue;
      const double by = slack(watched.limit->column);
      values_.resize(watched.items->size());
      watched.column->fill(snapshot, values_);
      for (std::size_t item = 0; item < values_.size(); ++item) {
        const bool is_within =
            values_[item] > watched.limit->lowest - by && values_[item] < watched.limit->highest + by;
        if (!is_within) first_s.try_emplace({(*watched.items)[item], watched.limit->column}, state.time_s);
      }
    }
  }

  struct Watched {
    const Allowed* limit;
    const RecordedColumn* column;
    const std::vector<std::string>* items;
    bool is_mean;
  };

  const Plant& plant_;
  const std::vector<RecordedTable> tables_;
  std::vector<Watched> watched_;
  std::vector<double> values_;
};

/// One to four parts of all kinds fail or open, some come back.
std::vector<EventSpec> failures(std::mt19937& random) {
  static const std::vector<std::vector<std::string>> parts{
      {"cdu_1"},     {"cdu_1.pump_*"},  {"tower_1"},     {"tower_*"},       {"chiller_*"},    {"facility.pumps"},
      {"utility_a"}, {"utility_*"},     {"ups_a"},       {"ups_b"},         {"pdu_a_*"},      {"pdu_b_1"},
      {"chiller_1"}, {"transformer_a"}, {"generator_*"}, {"generator_a_1"}, {"substation_b"}, {"chilled_water.pumps"}};
  std::vector<EventSpec> events;
  const int count = std::uniform_int_distribution(1, 4)(random);
  for (int k = 0; k < count; ++k) {
    std::vector<std::string> targets = parts[std::uniform_int_distribution<std::size_t>(0, parts.size() - 1)(random)];
    if (targets.front().ends_with("pumps")) targets = {targets.front().substr(0, targets.front().size() - 1) + "_*"};
    const double at_s = 5.0 + std::uniform_int_distribution(0, 60)(random);
    const double for_s = std::uniform_int_distribution(0, 2)(random) == 0 ? 60.0 : 0.0;
    events.push_back(tests::event(at_s, Kind::fail, std::move(targets), for_s));
  }
  return events;
}

}  // namespace

TEST_CASE("no run leaves anything beyond its limit without an event, whatever fails", "[limits]") {
  std::mt19937 random(20);
  int ended = 0, beyond = 0;
  for (int hall = 0; hall < halls; ++hall) {
    Scenario scenario = tests::two_sided_scenario();
    scenario.racks.front().count = 8;
    scenario.duration_s = 400.0;
    scenario.power.ups.rated_w = std::uniform_real_distribution(30e3, 120e3)(random);
    scenario.power.generators.generator.rated_w = std::uniform_real_distribution(20e3, 100e3)(random);
    scenario.events = failures(random);
    const Plant plant = build_plant(scenario);
    const tests::ConstantWork work(560.0, 6900.0);
    tests::WorkRun simulation(scenario, plant, work, by_multirate());
    Watch watch(plant);
    try {
      simulation.start();
      simulation.run(scenario.duration_s, {&watch});
    } catch (const SolverError&) {
      continue;  // reported, and no answer given
    }
    ++ended;
    const auto records = limit_records(simulation.finished());
    for (const auto& [place, first_s] : watch.first_s) {
      ++beyond;
      INFO("hall " << hall << ": " << place.first << " " << place.second << " from " << first_s << " s");
      const auto record = std::ranges::find_if(
          records, [&](const LimitRecord& of) { return of.part == place.first && of.quantity == place.second; });
      REQUIRE(record != records.end());
      CHECK(record->first_time_s <= first_s);
      const bool is_reported = std::ranges::any_of(simulation.events(), [&](const EventRecord& event) {
        return event.kind == "limit_exceeded" && event.time_s <= first_s;
      });
      CHECK(is_reported);
    }
    CHECK(std::abs(energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio()) < 1e-6);
  }
  CHECK(ended > halls / 2);
  CHECK(beyond > halls);
}
