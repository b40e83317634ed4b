// Whether a trace fits its nodes: samples beyond the limit of the GPUs are counted, means that no node draws are reported.
#include "workload/replay/replay_levels.hpp"

#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::workload;

namespace {

/// Four samples of two columns.
PowerTrace trace_of(std::vector<double> power_w) {
  PowerTrace trace;
  trace.stamps_s = {0.0, 2.0, 4.0, 6.0};
  trace.names = {"node_1", "node_2"};
  trace.power_w = std::move(power_w);
  trace.interval_s = 2.0;
  return trace;
}

// At the limit of eight GPUs of 700 W such a node draws 1600 + 1.12 x 5600 = 7872 W.
const NodeSet h100{.nodes = 2,
                   .gpus_per_node = 8,
                   .nameplate_w = 10200.0,
                   .split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 72.0, .gpu_limit_w = 700.0}};

ReplayLevels levels_of(const PowerTrace& trace, const std::string& meaning = "node_ac", std::size_t columns = 2) {
  ReplayParams params;
  params.meaning = meaning;
  return replay_levels(trace, trace.power_w, columns, params, h100);
}

}  // namespace

TEST_CASE("samples that ask more of the GPUs than their limit are counted and reported", "[replay]") {
  const PowerTrace trace = trace_of({7872.0, 7000.0, 8072.0, 7000.0, 8272.0, 7972.0, 7000.0, 7000.0});
  const ReplayLevels levels = levels_of(trace);
  CHECK(levels.clamped_sample_share == 3.0 / 8.0);  // 8072, 8272 and 7972 W: 200, 400 and 100 W above
  REQUIRE(levels.notes.size() == 1);
  CHECK(levels.notes[0] ==
        "37.5 % of samples ask more of the GPUs than their limit of 700 W, most in column 'node_1' (50 %); the other "
        "parts of the node draw the power above 7.872 kW, the power of a node at that limit: 233.3 W in the mean of "
        "these samples");
  CHECK(levels_of(trace, "node_ac", 1).clamped_sample_share == 0.5);
  CHECK_THAT(levels_of(trace_of(std::vector<double>(8, 8.0 * 8000.0)), "rack").notes.at(0),
             Catch::Contains("other parts of the rack draw") && Catch::Contains("of a rack at that limit") &&
                 !Catch::Contains("node draw"));
}

TEST_CASE("a trace within the limits of its nodes is replayed without a word", "[replay]") {
  const ReplayLevels levels = levels_of(trace_of(std::vector<double>(8, 6900.0)));
  CHECK(levels.clamped_sample_share == 0.0);
  CHECK(levels.notes.empty());
  CHECK(levels.warnings.empty());
  CHECK(levels_of(trace_of(std::vector<double>(8, 586.0)), "gpu").warnings.empty());
}

TEST_CASE("a trace in kW or in mW is named as what it seems to be", "[replay]") {
  const auto line_of = [](double w, const std::string& meaning) {
    const ReplayLevels levels = levels_of(trace_of(std::vector<double>(8, w)), meaning);
    return levels.warnings.empty() ? std::string() : levels.warnings.back();
  };
  CHECK(line_of(6.9, "node_ac") ==
        "the trace has 6.9 W a node in the mean, less than its parts without GPUs, 1.6 kW: are these values in kW? If "
        "so, write `unit: kW`");
  CHECK(line_of(6.9e6, "node_ac") ==
        "the trace has 6.9 MW a node in the mean, more than its nameplate, 10.2 kW: are these values in mW? If so, "
        "write `unit: mW`");
  CHECK(line_of(11e3, "node_ac") == "the trace has 11 kW a node in the mean, more than its nameplate, 10.2 kW");
  CHECK(line_of(300.0, "node_ac") ==
        "the trace has 300 W a node in the mean, less than its parts without GPUs, 1.6 kW: is this the power of one "
        "GPU? If so, write `meaning: gpu`");
  CHECK(line_of(40e3, "node_ac") ==
        "the trace has 40 kW a node in the mean, more than its nameplate, 10.2 kW: is this the power of a rack with 8 "
        "nodes? If so, write `meaning: rack`");
  CHECK(line_of(40e3, "rack").empty());
  CHECK(line_of(6.9e3, "gpu") ==
        "the trace has 6.9 kW a GPU in the mean, more than its limit, 700 W: is this the power of a node? If so, write "
        "`meaning: node_ac`");
  CHECK(line_of(0.586, "gpu") ==
        "the trace has 0.586 W a GPU in the mean, less than a GPU without work, 72 W: are these values in kW? If so, "
        "write `unit: kW`");
  CHECK(line_of(800.0, "gpu") == "the trace has 800 W a GPU in the mean, more than its limit, 700 W");
  CHECK(line_of(1600.0, "node_ac").empty());
  CHECK(line_of(0.0, "node_ac") == "the trace has 0 W a node in the mean, less than its parts without GPUs, 1.6 kW");
}

TEST_CASE("a column in another unit than the others is named", "[replay]") {
  const auto lines_of = [](std::vector<double> power_w) {
    const ReplayLevels levels = levels_of(trace_of(std::move(power_w)));
    return std::pair(levels.warnings, levels.notes);
  };
  const auto [kilowatts, notes] = lines_of({6900.0, 6.9, 6900.0, 6.9, 6900.0, 6.9, 6900.0, 6.9});
  REQUIRE(kilowatts.size() == 1);
  CHECK(kilowatts[0] ==
        "column 'node_2' has 6.9 W a node in the mean, less than its parts without GPUs, 1.6 kW: are these values in "
        "kW? If so, write `unit: kW`");
  CHECK(notes.empty());
  // Its mean would make that of the trace too high: it is named all the same, and its peaks are reported with the others'.
  const auto [milliwatts, none] = lines_of({6.9e6, 6900.0, 6.9e6, 6900.0, 6.9e6, 6900.0, 6.9e6, 6900.0});
  REQUIRE(milliwatts.size() == 1);
  CHECK(milliwatts[0] ==
        "column 'node_1' has 6.9 MW a node in the mean, more than its nameplate, 10.2 kW: are these values in mW? If "
        "so, write `unit: mW`");
  // A node that rested while the others worked is no mistake.
  const auto [warnings, rested] = lines_of({6900.0, 0.0, 6900.0, 0.0, 6900.0, 0.0, 6900.0, 0.0});
  CHECK(warnings.empty());
  REQUIRE(rested.size() == 1);
  CHECK(rested[0] == "column 'node_2' has 0 W a node in the mean, less than its parts without GPUs, 1.6 kW");
}

TEST_CASE("of many columns of one sort the first is named and the others are counted", "[replay]") {
  PowerTrace trace;
  trace.stamps_s = {0.0, 2.0};
  trace.names = {"a", "b", "c", "d"};
  trace.interval_s = 2.0;
  trace.power_w = {7.0, 7000.0, 7.1, 20e3, 7.0, 7000.0, 7.1, 20e3};
  const ReplayLevels levels = levels_of(trace, "node_ac", 4);
  REQUIRE(levels.warnings.size() == 2);
  CHECK(levels.warnings[0] ==
        "column 'd' has 20 kW a node in the mean, more than its nameplate, 10.2 kW: is this the power of a rack with 8 "
        "nodes? If so, write `meaning: rack`");
  CHECK(levels.warnings[1] ==
        "column 'a' has 7 W a node in the mean, less than its parts without GPUs, 1.6 kW: are these values in kW? If "
        "so, write `unit: kW`; so have 2 of 4 columns");
  CHECK(levels_of(trace, "node_ac", 2).warnings.size() == 1);  // those of columns that are used
}

TEST_CASE("peaks above what a node draws are reported where the mean is plausible", "[replay]") {
  const ReplayLevels levels = levels_of(trace_of({7000.0, 10300.0, 7000.0, 10500.0, 7000.0, 7000.0, 12000.0, 7000.0}));
  REQUIRE(levels.warnings.size() == 1);
  CHECK(levels.warnings[0] ==
        "2 of 8 samples of the trace exceed the nameplate of a node, which is 10.2 kW; the largest is 12 kW: the run "
        "draws the "
        "power of the trace");
  CHECK(levels_of(trace_of({7000.0, 7000.0, 7000.0, 12000.0, 7000.0, 7000.0, 7000.0, 12000.0}), "node_ac", 1)
            .warnings.empty());  // the other column is not used
}
