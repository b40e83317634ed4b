// Plans at the instant of a repair, the map of racks that are off, and two limits of inlet air. Small made-up files, numbers by hand.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/charts/heat_map.hpp"
#include "twin/report/charts/plan_parts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// One rack of two GPUs before one air handler, which fails at 30 s and is restored at 60 s. The record of 60 s has the state after it.
class Repaired {
 public:
  explicit Repaired(float down_gpus) {
    ResultsWriter writer(folder_ / "x.h5", "2026-01-01T00:00:00");
    writer.write_layout(layout());
    const auto racks = writer.add_table(
        {.group = "racks",
         .item_dimension = "rack",
         .items = {"row_1.rack_1"},
         .columns = {
             {"max_die_temperature", "K", "die"}, {"inlet_air_temperature", "K", "air"}, {"down_gpus", "1", "down"}}});
    const auto limits = writer.add_table({.group = std::string(rack_limits_group),
                                          .item_dimension = "rack",
                                          .items = {"row_1.rack_1"},
                                          .columns = {{"inlet_air_temperature", "K", "air"}}});
    const auto motors = writer.add_table(
        {.group = "motors", .item_dimension = "motor", .items = {"crah_1"}, .columns = {{"state", "1", "state"}}});
    writer.append(limits, 0.0, std::vector<float>{308.15F});
    for (int minute = 0; minute < 3; ++minute) {
      writer.append(racks, 60.0 * minute, std::vector<float>{330.0F, 300.0F, minute == 2 ? down_gpus : 0.0F});
      writer.append(motors, 60.0 * minute, std::vector<float>{1.0F});
    }
    writer.write_events(
        std::vector<EventRecord>{{30.0, "fail", "crah_1", "scenario"}, {60.0, "restore", "crah_1", "scenario"}});
    writer.write_limits(std::vector<LimitRecord>{
        {"row_1.rack_1", "inlet_air_temperature", "K", "hotter than allowed", "log", 299.15, 300.0, 60.0, 60.0, 10.0}});
    writer.finish();
  }
  static std::vector<LayoutBox> layout() {
    return {{"row_1.rack_1", "rack", "", {1.0, 0.0, 1.0}, {0.6, 1.2, 2.2}},
            {"row_1.rack_1.node_1.gpu_1", "gpu", "row_1.rack_1", {1.0, 0.0, 1.0}, {0.1, 0.1, 0.1}},
            {"row_1.rack_1.node_1.gpu_2", "gpu", "row_1.rack_1", {1.2, 0.0, 1.0}, {0.1, 0.1, 0.1}},
            {"crah_1", "crah", "", {4.0, 0.0, 1.0}, {0.9, 2.4, 2.0}}};
  }
  ResultsReader results() const { return ResultsReader(folder_ / "x.h5"); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a plan at the instant of a repair shows the part as failed", "[rack_states]") {
  const Repaired file(0.0F);
  const ResultsReader results = file.results();
  CHECK_THAT(conditions_line(results, Repaired::layout(), 60.0), Contains("Failed: CRAH 1."));
  CHECK(conditions_line(results, Repaired::layout(), 120.0).empty());
}

TEST_CASE("the map of racks over time has a scale, and racks whose nodes are all off have their own grey",
          "[rack_states]") {
  const std::string all_run = temperatures_over_time(RackTemperatures(Repaired(0.0F).results()));
  CHECK_THAT(all_run, Contains("Hottest die of each rack over the run, degC.") && Contains("<svg class='scale'") &&
                          !Contains("Dark grey"));
  const Repaired one(1.0F), both(2.0F);
  const RackTemperatures half(one.results()), off(both.results());
  CHECK(half.is_off == std::vector<std::uint8_t>{0, 0, 0});
  CHECK(off.is_off == std::vector<std::uint8_t>{0, 0, 1});
  CHECK_THAT(temperatures_over_time(off), Contains("Dark grey: all nodes of the rack are off"));
}

TEST_CASE("the table of margins states what happens at the limit and names the other limit of inlet air",
          "[rack_states]") {
  const Repaired file(0.0F);
  const ResultsReader results = file.results();
  CHECK_THAT(plans(results, RackTemperatures(results), 60.0),
             Contains("At the limits of dies and of inlet air in this table, firmware lowers clocks. Inlet air has "
                      "another limit, 26 degC (hotter than allowed): beyond it a run reports an exceeded limit."));
}
