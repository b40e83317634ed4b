// What `wattloop check` says a hall carries at nameplate load, against runs of it: the shipped scenarios under a constant
// load, whole and with one thing out from the start.
//
// The run has a day to come to rest, since fans of air handlers take hours, and ends at the weather it began with; it goes through the step loop, firmware, staging of pumps and chillers, switching,
// batteries that recharge. Tolerance 1 % of the load, and 0.1 % of the rating, for loads near nothing.
#include "tests/support/catch.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/rated_loads.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";

/// The hall of a shipped scenario. Its trace is not asked for: the load is a constant one.
Scenario hall_of(const std::string& name, double duration_s) {
  Scenario scenario =
      read_scenario(scenarios / (name + ".yaml"), {"workload=null", "workload.kind=constant", "events=null"});
  scenario.duration_s = duration_s;
  const auto forget_batteries = [](PowerBlockSpec& block) {
    block.ups.battery_j_per_k = 0.0;
  };  // a day is short for them
  forget_batteries(scenario.power);
  std::ranges::for_each(scenario.power.named_blocks, forget_batteries);
  for (RacksSpec& racks : scenario.racks) racks.workload.reset();
  scenario.network.traffic_fraction = 1.0;
  scenario.record = {
      .facility_s = 60.0, .racks_s = 600.0, .gpus_s = 600.0, .gpu_fields = {}};  // no instants for records
  return scenario;
}

/// The same in a run with that out at time zero, until its end.
class Run {
 public:
  Run(const Scenario& scenario, const Outage& outage)
      : scenario_(scenario), plant_(build_plant(scenario_)), work_(make_work(scenario_)), run_method_(by_multirate()) {
    scenario_.events = outage.events;
    simulation_ = std::make_unique<tests::WorkRun>(scenario_, plant_, *work_.workload, run_method_);
    omp_set_num_threads(1);  // tests run side by side
    simulation_->start();
    simulation_->run(scenario_.duration_s, {});
  }

  PlantSnapshot snapshot() const { return {plant_, simulation_->state(), simulation_->evaluation()}; }
  std::vector<LoadAtRating> loads() const { return loads_at_rating(scenario_, snapshot()); }

 private:
  Scenario scenario_;
  Plant plant_;
  Work work_;
  RunMethod run_method_;
  std::unique_ptr<tests::WorkRun> simulation_;
};

/// What is rated by the air or the condenser water of the moment: the table of the run reports it over the same as the list of `check`.
/// @return of how many parts
std::size_t compare_with_tables(const std::vector<LoadAtRating>& loads, const PlantSnapshot& snapshot) {
  std::size_t compared = 0;
  for (const PartKind& kind : part_kinds()) {
    const auto is_left = [](const RatedColumn& rating) { return rating.is_left_in_part; };
    const bool is_reported_by_room = kind.table.group == "crahs";
    if (std::ranges::none_of(kind.ratings, is_left) || is_reported_by_room) continue;
    for (const RatedLoad& rated : rated_loads(snapshot.plant)) {
      if (rated.kind != kind.table.item) continue;
      const auto load = std::ranges::find_if(loads, [&](const LoadAtRating& of) {
        return of.equipment == rated.name || of.equipment.starts_with(rated.name + " of ") ||
               of.equipment.starts_with(rated.name + ",");
      });
      INFO(rated.name);
      REQUIRE(load != loads.end());
      CHECK(load->load / load->rating ==
            Approx(snapshot.reported(kind.table.group, rated.name, "loading")).epsilon(1e-6).margin(1e-9));
      ++compared;
    }
  }
  return compared;
}

/// Of the kinds that say so in their headers.
std::size_t parts_rated_by_what_leaves(const Plant& plant) {
  std::size_t count = 0;
  for (const std::string_view group : {"dry_coolers", "chillers", "air_cooled_chillers", "towers", "in_row_units"}) {
    const auto kind = std::ranges::find(part_kinds(), group, [](const PartKind& of) { return of.table.group; });
    REQUIRE(kind != part_kinds().end());
    count += plant.components[static_cast<std::size_t>(kind - part_kinds().begin())]->names().size();
  }
  return count;
}

/// Weather goes on in the ten minutes of a run: by some hundredths of a kelvin, of the two between the wet bulb and a set-point.
constexpr double of_ten_minutes = 0.03;
bool of_weather(const LoadAtRating& reported) {
  return reported.must_carry.find(" at a wet bulb of ") != std::string::npos;
}

void compare(const std::string& name, const Scenario& scenario, const Outage& outage, NameplateHall& hall) {
  hall.settle(outage);
  const std::vector<LoadAtRating> reported = loads_at_rating(hall.scenario(), hall.snapshot());
  const Run whole(scenario, outage);
  const std::vector<LoadAtRating> run = whole.loads();
  CHECK(compare_with_tables(run, whole.snapshot()) == parts_rated_by_what_leaves(whole.snapshot().plant));
  REQUIRE(reported.size() == run.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < reported.size(); ++k) {
    INFO(name << ", out: " << outage.text << "; " << reported[k].equipment << ": " << reported[k].must_carry);
    CHECK(reported[k].equipment == run[k].equipment);
    CHECK(reported[k].rating == Approx(run[k].rating).epsilon(of_weather(reported[k]) ? of_ten_minutes : 1e-9));
    CHECK(reported[k].load == Approx(run[k].load).epsilon(0.01).margin(0.001 * reported[k].rating));
    if (run[k].load > 0.01 * reported[k].rating)
      largest = std::max(largest, std::abs(reported[k].load / run[k].load - 1.0));
  }
  UNSCOPED_INFO(fmt::format("{}, {}: {:.2e}", name, outage.text, largest));
}

/// All of it with the hall whole; and with everything out that may be, each by itself.
void compare_all(const std::string& name) {
  const Scenario short_run = hall_of(name, 600.0), long_run = hall_of(name, 86400.0);
  NameplateHall hall(short_run);
  for (const Outage& outage : outages(hall.plant())) {
    compare(name, outage.events.empty() ? short_run : long_run, outage, hall);
  }
}

}  // namespace

TEST_CASE("what check says of the reference hall is what a run at nameplate carries, whole and with one thing out",
          "[ratings]") {
  compare_all("h100_10k");
}

TEST_CASE("what check says of the other shipped scenarios is what a run at nameplate carries", "[ratings]") {
  static_cast<void>(wattloop::tests::reference_data());  // two of them replay a trace
  for (const char* name : {"one_rack", "one_rack_gpt3", "replay_gpt3"}) compare_all(name);
}

TEST_CASE("what check says of the scenarios of failures is what a run at nameplate carries", "[ratings]") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scenarios)) {
    const std::string folder = entry.path().parent_path().filename();
    if (entry.path().extension() != ".yaml" || (folder != "pump_failure" && folder != "utility_loss")) continue;
    const std::string name = folder + "/" + entry.path().stem().string();
    const Scenario scenario = hall_of(name, 600.0);
    NameplateHall hall(scenario);
    compare(name, scenario, {}, hall);
  }
}

TEST_CASE("what check says of the halls is what a run at nameplate carries", "[ratings][halls]") {
  const bool has_data = std::getenv("WATTLOOP_REFERENCE_DATA") != nullptr;
  int halls = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scenarios / "halls")) {
    const std::string name = "halls/" + entry.path().stem().string();
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = tests::file_text(entry.path());
    if (!has_data && text.find("WATTLOOP_REFERENCE_DATA") != std::string::npos) continue;
    if (text.find("imposed_heat") != std::string::npos)
      continue;  // of measured heat check takes the largest of the run
    const Scenario scenario = hall_of(name, 600.0);
    NameplateHall hall(scenario);
    compare(name, scenario, {}, hall);
    // What air handlers are asked for is what their room has: nothing else makes it much colder.
    for (const RoomPart& room : hall.plant().rooms) {
      INFO(name << ", " << room.name);
      if (room.set_point_input != no_part)
        CHECK(hall.snapshot().node_k(room.node) > hall.snapshot().input(room.set_point_input) - 2.0);
    }
    ++halls;
  }
  CHECK(halls >= 7);
}
