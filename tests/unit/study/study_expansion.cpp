// expand(): counts and strata against closed forms, order, and mistakes with their places.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "twin/study/draws/samples.hpp"
#include "twin/study/plan/expander.hpp"
#include "twin/study/plan/expansion.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

/// n CDUs with two pumps each, and feeds.
std::vector<PartRow> parts_of_hall(int cdus) {
  std::vector<PartRow> parts;
  for (int i = 1; i <= cdus; ++i) {
    const std::string name = "cdu_" + std::to_string(i);
    parts.push_back({name, "cdu", {}, {"fail", "restore"}});
    for (const char* pump : {".pump_a", ".pump_b"}) parts.push_back({name + pump, "pump", {}, {"fail", "restore"}});
  }
  for (const char* feed : {"utility_a", "utility_b"}) parts.push_back({feed, "feed", {}, {"open", "close"}});
  return parts;
}

const std::string head = "base: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\nkeep: pue\n";

Expansion expanded(const std::string& text, Problems& problems, int cdus = 12) {
  const Study study = read_study_text(head + text, "study.yaml", problems);
  if (!problems.empty()) return {};
  return expand(study, parts_of_hall(cdus), problems);
}

Expansion good(const std::string& text, int cdus = 12) {
  Problems problems;
  Expansion expansion = expanded(text, problems, cdus);
  for (const Problem& problem : problems.all()) UNSCOPED_INFO(format_problem(problem));
  REQUIRE(problems.empty());
  return expansion;
}

std::string mistakes(const std::string& text) {
  Problems problems;
  expanded(text, problems);
  std::string all;
  for (const Problem& problem : problems.all()) all += format_problem(problem) + "\n";
  return all;
}

std::vector<std::string> cells(const Expansion& expansion, std::size_t run) { return expansion.run(run).cells; }

using Cells = std::vector<std::string>;

Cells column_names(const Expansion& expansion) {
  Cells names;
  for (const StudyColumn& column : expansion.columns()) names.push_back(column.name);
  return names;
}

const std::string two_changes =
    "changes:\n"
    "  supply: { path: hall.cooling.loops.supply_temperature, range: { from: 30 degC, to: 40 degC, steps: 5 } }\n"
    "  nodes: { path: hall.racks.nodes, values: [2, 4, 8] }\n";

}  // namespace

TEST_CASE("a grid has every combination once, the last change the fastest", "[study]") {
  const Expansion grid = good(two_changes);
  CHECK(grid.size() == 15);
  CHECK(grid.product_text() == "5 x 3 = 15 runs");
  CHECK(cells(grid, 1) == Cells{"30", "2"});
  CHECK(cells(grid, 2) == Cells{"30", "4"});
  CHECK(cells(grid, 4) == Cells{"32.5", "2"});
  CHECK(cells(grid, 15) == Cells{"40", "8"});
  std::set<Cells> all;
  for (std::size_t run = 1; run <= grid.size(); ++run) all.insert(cells(grid, run));
  CHECK(all.size() == 15);
  const std::vector<StudyColumn> columns = grid.columns();
  CHECK((columns[0].name == "supply" && columns[0].unit == "degC" && columns[0].is_number));
  const StudyRun run = grid.run(5);
  REQUIRE(run.changes.size() == 2);
  CHECK(run.changes[0].path == "hall.cooling.loops.supply_temperature");
  CHECK(run.changes[0].value.text == "32.5 degC");
  CHECK(run.changes[1].value.text == "4");
}

TEST_CASE("changes together go side by side, and a list of values has one for each path", "[study]") {
  const Expansion together = good(
      "changes:\n"
      "  a: { path: hall.racks.nodes, values: [2, 4, 8] }\n"
      "  b: { path: [power.ups.modules, power.pdus.count], values: [[1, 10], [2, 20], [3, 30]] }\n"
      "  c: { path: seed, values: [1, 2] }\n"
      "combine: [ { together: [a, b] }, c ]\n");
  CHECK(together.size() == 6);
  CHECK(cells(together, 3) == Cells{"4", "2", "20", "1"});
  const StudyRun run = together.run(6);
  CHECK(run.cells == Cells{"8", "3", "30", "2"});
  REQUIRE(run.changes.size() == 4);
  CHECK(run.changes[2].path == "power.pdus.count");
  CHECK(column_names(together) == Cells{"a", "b_modules", "b_count", "c"});
  const Expansion waters = good(
      "changes:\n"
      "  water: { path: [hall.cooling.loops.supply_temperature, hall.cooling.facility.supply_temperature], values: "
      "[[40 degC, 30 degC], [45 degC, 35 degC]] }\n"
      "  sizes: { path: [hall.racks.count, power.pdus.count], values: [[1, 2], [3, 4]] }\n");
  CHECK(column_names(waters) == Cells{"water_loops", "water_facility", "sizes_racks", "sizes_pdus"});
  CHECK(run.changes[2].value.text == "30");
}

TEST_CASE("parts lost one by one, in pairs, and while another is maintained are as many as they must be", "[study]") {
  for (const int n : {1, 2, 3, 12}) {
    const auto each = [&](const std::string& combine) {
      Problems problems;
      return expanded("combine: { " + combine + " }\n", problems, n).size();
    };
    const auto count = static_cast<std::size_t>(n);
    CHECK(each("each_part: { of: \"cdu_*\", at: 60 s }") == count);
    CHECK(each("each_part: { of: \"cdu_*\", at: 60 s, or_none: true }") == count + 1);
    CHECK(each("each_part: { of: [\"cdu_*\", \"cdu_*.pump_*\", cdu_1], at: 60 s }") == 3 * count);
    CHECK(each("each_pair: { of: \"cdu_*\", at: 60 s }") == count * (count - 1) / 2);
    CHECK(each("maintain_each: { of: \"cdu_*\", at: 0 s, then: { of: \"cdu_*\", at: 60 s } }") == count * count);
  }
  const Expansion pairs = good("combine: { each_pair: { of: \"cdu_*\", at: 60 s, for: 5 min } }\n", 4);
  std::set<std::set<std::string>> unordered;
  for (std::size_t run = 1; run <= pairs.size(); ++run) {
    const Cells two = cells(pairs, run);
    CHECK(two[0] != two[1]);
    unordered.insert({two[0], two[1]});
  }
  CHECK(unordered.size() == 6);
  const StudyRun run = pairs.run(6);
  REQUIRE(run.changes.size() == 2);
  CHECK((run.changes[0].path == "events" && run.changes[0].appends));
  CHECK(find(run.changes[1].value, "fail")->text == "cdu_4");
  CHECK(find(run.changes[1].value, "at")->text == "60 s");
  CHECK(find(run.changes[1].value, "for")->text == "5 min");
  CHECK(good("combine: { each_part: { event: open, of: \"utility_*\", at: 1 s } }\n").size() == 2);
}

TEST_CASE("without a failure a run has no event, and its cell is empty", "[study]") {
  const Expansion parts = good("combine: { each_part: { of: \"cdu_*\", at: 60 s, or_none: true } }\n");
  CHECK(parts.run(1).changes.empty());
  CHECK(cells(parts, 1) == Cells{""});
  CHECK(cells(parts, 2) == Cells{"cdu_1"});
  const Expansion maintained =
      good("combine: { maintain_each: { of: \"cdu_*\", at: 0 s, then: { of: \"cdu_*\", at: 60 s } } }\n", 2);
  CHECK(cells(maintained, 1) == Cells{"cdu_1", ""});
  CHECK(maintained.run(1).changes.size() == 1);
  CHECK(cells(maintained, 2) == Cells{"cdu_1", "cdu_2"});
}

TEST_CASE("an event of a change says the value where it says value", "[study]") {
  const Expansion events = good(
      "changes:\n"
      "  lost: { event: { at: 60 s, fail: value }, of: \"cdu_*\" }\n"
      "  when: { event: { at: value, open: utility_a }, values: [1 min, 2 min] }\n"
      "  speed: { event: { at: 0 s, set: loop_1.pump_speed, to: value }, values: [60 %] }\n");
  CHECK(events.size() == 24);
  const StudyRun run = events.run(24);
  CHECK(run.cells == Cells{"cdu_12", "2", "60"});
  CHECK(find(run.changes[0].value, "fail")->text == "cdu_12");
  CHECK(find(run.changes[1].value, "at")->text == "2 min");
  CHECK(find(run.changes[2].value, "to")->text == "60 %");
}

TEST_CASE("a latin hypercube has each stratum of each change once", "[study]") {
  for (const std::size_t n : {1u, 2u, 7u, 1000u, 100000u}) {
    for (const std::uint32_t stream : {0u, 1u}) {
      std::vector<int> hits(n);
      for (const double sample : stratified_samples(n, 5, stream)) {
        REQUIRE((sample >= 0.0 && sample < 1.0));
        ++hits[static_cast<std::size_t>(sample * static_cast<double>(n))];
      }
      CHECK(std::ranges::all_of(hits, [](int hit) { return hit == 1; }));
    }
  }
  const Expansion cube = good(two_changes + "combine: { latin_hypercube: { runs: 30, seed: 4 } }\n");
  CHECK(cube.size() == 30);
  std::set<int> strata;
  std::map<std::string, int> nodes;
  for (std::size_t run = 1; run <= 30; ++run) {
    const Cells both = cells(cube, run);
    strata.insert(static_cast<int>((std::stod(both[0]) - 30.0) * 3.0));
    ++nodes[both[1]];
  }
  CHECK(strata.size() == 30);
  CHECK(nodes == std::map<std::string, int>{{"2", 10}, {"4", 10}, {"8", 10}});
}

TEST_CASE("streams of samples have no correlation, and a seed is always the same runs", "[study]") {
  constexpr std::size_t n = 10000;
  const std::vector<double> a = stratified_samples(n, 5, 0), b = stratified_samples(n, 5, 1),
                            c = random_samples(n, 5, 0);
  const auto correlation = [](const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - 0.5) * (y[i] - 0.5);
    return 12.0 * sum / static_cast<double>(x.size());
  };
  CHECK(std::abs(correlation(a, b)) < 0.05);  // five standard deviations
  CHECK(std::abs(correlation(a, c)) < 0.05);
  CHECK(correlation(c, c) == Approx(1.0).margin(0.05));
  CHECK(a == stratified_samples(n, 5, 0));
  CHECK(a != stratified_samples(n, 6, 0));
  const std::string text = two_changes + "combine: { random: { runs: 20, seed: 9 } }\n";
  const Expansion once = good(text), again = good(text);
  for (std::size_t run = 1; run <= 20; ++run) CHECK(cells(once, run) == cells(again, run));
}

TEST_CASE("samples without a seed are those of seed 1, as the reference says", "[study]") {
  for (const char* kind : {"random", "latin_hypercube"}) {
    const auto drawn = [&](const std::string& seed) {
      const Expansion made = good(two_changes + "combine: { " + kind + ": { runs: 12" + seed + " } }\n");
      std::vector<Cells> all;
      for (std::size_t run = 1; run <= 12; ++run) all.push_back(cells(made, run));
      return all;
    };
    CHECK(drawn("") == drawn(", seed: 1"));
    CHECK(drawn("") != drawn(", seed: 0"));
  }
}

TEST_CASE("samples of some changes are combined with all parts", "[study]") {
  const Expansion both = good(two_changes +
                              "combine: [ { latin_hypercube: { runs: 10, of: [supply] } }, nodes,\n"
                              "           { each_part: { of: \"cdu_*\", at: 60 s } } ]\n");
  CHECK(both.product_text() == "10 x 3 x 12 = 360 runs");
}

TEST_CASE("too many runs are refused with their product, before any is made", "[study][mistakes]") {
  const std::string ranges =
      "changes:\n"
      "  a: { path: seed, range: { from: 1, to: 1000, steps: 1000 } }\n"
      "  b: { path: hall.racks.nodes, range: { from: 1, to: 1000, steps: 1000 } }\n"
      "  c: { path: hall.racks.count, range: { from: 1, to: 1000, steps: 1000 } }\n";
  CHECK_THAT(mistakes(ranges), Contains("1,000 x 1,000 x 1,000 = 1,000,000,000 runs, expected at most 1,000,000"));
  CHECK_THAT(mistakes(two_changes + "combine: { latin_hypercube: { runs: 1000000000 } }\n"),
             Contains("1,000,000,000 = 1,000,000,000 runs, expected at most 1,000,000"));
}

TEST_CASE("mistakes of a study have their place, and the nearest name", "[study][mistakes]") {
  const auto reported = [](const std::string& text, const std::string& what) {
    CHECK_THAT(mistakes(text), Contains(what));
  };
  reported("combine: { each_part: { of: \"cbu_*\", at: 60 s } }\n",
           "study.yaml:3:29: no part of the base is called 'cbu_*'");
  reported("combine: { each_part: { event: open, of: \"cdu_*\", at: 60 s } }\n",
           "no part that is called 'cdu_*' has an event 'open'");
  reported("combine: { each_pair: { of: cdu_1, at: 60 s } }\n", "the study has no runs");
  reported(two_changes + "combine: [supply, node]\n", "there is no change 'node'");
  reported(two_changes + "combine: [supply, node]\n", "did you mean 'nodes'?");
  reported(two_changes + "combine: [supply]\n", "combine does not use 'nodes'");
  reported(two_changes + "combine: [supply, nodes, supply]\n", "combine uses 'supply' 2 times");
  reported(two_changes + "combine: { together: [supply, nodes] }\n", "together: 3 and 5 values");
  reported(two_changes + "combine: { gird: [supply, nodes] }\n", "did you mean 'grid'?");
  reported("changes: { a: { path: seed, values: [1] }, b: { path: seed, values: [2] } }\n",
           "'a' and 'b' both change seed");
  reported("changes: { a: { path: seed, values: [] } }\n", "values is an empty list");
  reported("changes: { a: { path: seed, range: { from: 1, to: 1, steps: 3 } } }\n", "the range is empty");
  reported("changes: { a: { path: seed, range: { from: 1 K, to: 1 degC, steps: 3 } } }\n",
           "write both ends in one unit");
  reported("changes: { a: { path: seed, range: { from: 1, to: 2 } } }\n", "the range of 'a' has no steps");
  reported("changes: { a: { path: seed } }\n", "change a has no values");
  reported("changes: { a: { values: [1] } }\n", "change a changes nothing");
  reported("changes: { run: { path: seed, values: [1] } }\n", "'run' is not a valid name for a change");
  reported("changes: { a: { path: [seed, title], values: [[1, 2, 3]] } }\n", "3 values for 2 paths");
  reported("changs: { a: { path: seed, values: [1] } }\n", "study has no parameter 'changs'");
  reported("", "the study changes nothing");
}
