// What README, docs/questions.md and docs/first_run.md say that the program prints, it prints: the summary of the reference hall number by number, and the figures of the
// sentences about failures. Each number may be one of its last digits off, since compilers differ; words and names may not.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/printed_numbers.hpp"
#include "tests/support/run_program.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/commands/results/run_end.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using twin::ResultsReader;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";
const std::string readme = file_text(WATTLOOP_SOURCE_DIR "/README.md");
const std::string first_run = file_text(WATTLOOP_SOURCE_DIR "/docs/first_run.md");
const std::string pages = readme + file_text(WATTLOOP_SOURCE_DIR "/docs/questions.md");

/// The text between ```LANGUAGE, followed by `first`, and ```.
std::string block(const std::string& page, const std::string& language, const std::string& first) {
  const std::string open = "```" + language + "\n";
  const std::size_t from = page.find(open + first);
  REQUIRE(from != std::string::npos);
  return page.substr(from + open.size(), page.find("\n```", from) - from - open.size() + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Both pages with questions in one line, without emphasis.
std::string sentences() {
  std::string text = std::regex_replace(pages, std::regex("\\*\\*"), "");
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

/// Runs a scenario and reads its results.
ResultsReader run(const WorkFolder& folder, const std::string& scenario, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"run", scenario, "-o", "said.h5", "--quiet"});
  const Outcome done = folder.run(more);
  INFO(done.errors);
  REQUIRE(done.exit_code == 0);
  return ResultsReader(folder / "said.h5");
}

void check_said(const std::string& sentence) {
  INFO("no page says: " << sentence);
  CHECK(sentences().find(sentence) != std::string::npos);
}

double highest(const ResultsReader& results, const std::string& group, const std::string& column,
               const std::string& prefix = "") {
  double value = -std::numeric_limits<double>::infinity();
  const std::vector<std::string> items = results.table(group).items;
  for (std::size_t i = 0; i < std::max<std::size_t>(items.size(), 1); ++i) {
    if (!items.empty() && !items[i].starts_with(prefix)) continue;
    for (const float v : results.series(group, column, i)) value = std::max(value, static_cast<double>(v));
  }
  return value;
}

double die_c(const ResultsReader& results) { return results.summary_number("peak_die_temperature").value() - 273.15; }
double first_die_c(const ResultsReader& results) {
  return static_cast<double>(results.series("facility", "max_die_temperature").front()) - 273.15;
}

/// In this process, because it takes longer than a program that a test starts may: what it prints, without a file of results.
std::string summary_of_reference_day() {
  omp_set_num_threads(1);
  const twin::Scenario scenario = twin::read_scenario(scenarios + "h100_10k.yaml", {});
  twin::HallRun day(scenario);
  day.begin();
  day.advance_to(scenario.duration_s);
  const twin::SolverStatistics solver =
      day.simulation().solver_statistics();  // as reached; a tenth more, and something is worse
  CHECK(solver.windows <= 86400 / 20);
  CHECK(10 * solver.steps <= 11 * 29029);
  CHECK(10 * solver.racks_again <= 11 * 43200);
  const twin::FinishedRun run = day.finished();
  return twin::end_text({.figures = twin::summarise(run),
                         .about = {},
                         .events = day.events(),
                         .limits = twin::limit_records(run),
                         .verdicts = {},
                         .results = "results/h100_10k.h5",
                         .summary_text = twin::summary_text(run),
                         .start = scenario.start},
                        {.is_json = false, .is_full = true, .units = UnitStyle::metric}, false);
}

std::vector<double> times_s(const ResultsReader& results, const std::string& kind, const std::string& target = "") {
  std::vector<double> times;
  for (const twin::EventRecord& event : results.events()) {
    if (event.kind == kind && event.target.starts_with(target)) times.push_back(event.time_s);
  }
  return times;
}

}  // namespace

TEST_CASE("the summary in README and in docs/first_run.md is what a day of the reference hall prints",
          "[case][readme]") {
  const std::string full = block(first_run, "text", "The reference hall");
  CHECK(full.starts_with(block(readme, "text", "The reference hall")));  // its ten lines
  const auto said = lines_of(full), is = lines_of(summary_of_reference_day());
  REQUIRE(said.size() == is.size());
  for (std::size_t k = 0; k < said.size(); ++k) {
    INFO("page: " << said[k] << "\nis:     " << is[k]);
    CHECK(without_numbers(said[k]) == without_numbers(is[k]));
    const auto said_numbers = printed_numbers(said[k]), numbers = printed_numbers(is[k]);
    REQUIRE(said_numbers.size() == numbers.size());
    const std::size_t same = said[k].find("simulated in") != std::string::npos ? 1u : 0u;  // the last is wall time
    for (std::size_t n = 0; n + same < numbers.size(); ++n) {
      const bool is_closing = said[k].find("closes to") != std::string::npos && n == 0;
      if (is_closing || said[k].find("residual") != std::string::npos) {  // rounding, which threads and builds change
        CHECK(std::abs(numbers[n].si) < 1e-12);
        continue;
      }
      CHECK(numbers[n].unit == said_numbers[n].unit);
      const double digit_si = 2.001 * std::max(said_numbers[n].half_digit_si, numbers[n].half_digit_si);
      CHECK(std::abs(numbers[n].si - said_numbers[n].si) <= digit_si);
    }
  }
}

TEST_CASE("what README says of lost CDUs is so", "[case][readme]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const ResultsReader lost = run(folder, scenarios + "pump_failure/c_cdu_lost.yaml");
  const double before = static_cast<double>(lost.series("pumps", "speed", 2).front());
  check_said(fmt::format(
      "The pumps of the other two CDUs speed up from {:.0f} to {:.0f} % of full speed. Meanwhile the hottest "
      "die rises from {:.1f} to {:.1f} degC",
      100.0 * before, 100.0 * highest(lost, "pumps", "speed", "cdu_2"), first_die_c(lost), die_c(lost)));
  const ResultsReader all = run(folder, scenarios + "pump_failure/e_all_cdus_lost.yaml");
  const auto off_s = times_s(all, "thermal_shutdown");
  REQUIRE(off_s.size() == 320);
  check_said(
      fmt::format("the first GPU throttles {:.0f} s later. After {:.0f} to {:.0f} s the nodes of that loop switch off",
                  all.summary_number("first_throttle_time").value() - 60.0, off_s.front() - 60.0, off_s.back() - 60.0));
}

TEST_CASE("what README says of lost feeds is so", "[case][readme]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const ResultsReader lost = run(folder, scenarios + "utility_loss/feeds_lost_40s.yaml");
  check_said(fmt::format(
      "use {:.1f} % of the charge of their batteries. Generators take over after {:.0f} s. Towers run again "
      "after {:.0f} s, and the first of six chillers runs again after {:.0f} s. The hottest die reaches "
      "{:.1f} degC",
      100.0 * (1.0 - lost.summary_number("lowest_state_of_charge").value()),
      times_s(lost, "generator_on_load").front() - 60.0, times_s(lost, "start", "tower_").front() - 60.0,
      times_s(lost, "start", "chiller_").front() - 60.0, die_c(lost)));
}

TEST_CASE("what README says of warm water and of the reader's own scenario is so", "[case][readme]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const ResultsReader usual = run(folder, scenarios + "one_rack.yaml");
  const double usual_c = die_c(usual);
  const ResultsReader warm =
      run(folder, scenarios + "one_rack.yaml", {"--set", "hall.cooling.facility.supply_temperature=34 degC"});
  CHECK(highest(warm, "cdus", "valve_position") > 0.999);
  check_said(fmt::format(
      "The coolant comes at {:.1f} degC. The hottest die becomes {:.1f} K warmer and is {:.0f} K below throttling",
      highest(warm, "loops", "supply_temperature") - 273.15, die_c(warm) - usual_c,
      warm.summary_number("smallest_throttle_margin").value()));

  folder.write("own.yaml", block(readme, "yaml", "format: 1"));
  const ResultsReader own = run(folder, "own.yaml");
  const auto off_s = times_s(own, "thermal_shutdown");
  REQUIRE(off_s.size() == 8);
  check_said(fmt::format("The GPUs slow down after {:.0f} s. After {:.0f} to {:.0f} s each node has a die at 95 degC",
                         own.summary_number("first_throttle_time").value() - 600.0, off_s.front() - 600.0,
                         off_s.back() - 600.0));
}

TEST_CASE("what README says of the dies of a replayed GPT-3 run is so", "[case][readme][data]") {
  static_cast<void>(reference_data());
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const ResultsReader results = run(folder, scenarios + "one_rack_gpt3.yaml");
  check_said(fmt::format("with coolant of 25 degC. The hottest die reaches {:.1f} degC.", die_c(results)));
}
