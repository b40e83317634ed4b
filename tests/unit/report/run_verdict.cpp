// The dozen lines at the end of a run: which word heads them, which figures stand where, no line beyond 80 columns.
#include "twin/report/events/run_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/report/events/recoveries.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

struct Reported {
  std::vector<NamedValue> figures{
      {"facility_energy", 3.6e9, "J", "energy"},
      {"utility_energy", 3.4e9, "J", "energy"},
      {"generator_energy", 0.0, "J", "energy"},
      {"rejected_energy", 3.5e9, "J", "heat"},
      {"energy_residual", -2.5e-13, "1", "residual"},
      {"pue", 1.25, "1", "facility over IT energy"},
      {"wue", 1.5 / 3.6e9, "m3/J", "water"},
      {"peak_facility_power", 1.2e6, "W", "peak"},
      {"peak_utility_power", 1.1e6, "W", "peak"},
      {"peak_die_temperature", 273.15 + 60.04, "K", "hottest die"},
      {"peak_die_gpu", std::string("row_1.rack_2.node_3.gpu_4"), "", "of"},
      {"smallest_throttle_margin", 26.96, "delta_K", "margin"},
      {"throttled_gpu_time", 0.0, "s", "slowed"},
      {"capped_gpu_time", 0.0, "s", "capped"},
      {"most_throttled_gpus", std::int64_t{0}, "", "slowed"},
      {"shut_down_gpus", std::int64_t{0}, "", "off"},
      {"racks_without_power", std::int64_t{0}, "", "dark"},
      {"highest_loading", 0.9, "1", "of all"},
      {"highest_loading_of", std::string("ups_a"), "", "of all"},
      {"highest_cdu_loading", 0.5, "1", "of CDUs"},
      {"highest_cdu_loading_of", std::string("cdu_1"), "", "of CDUs"},
      {"highest_ups_loading", 0.9, "1", "of UPS"},
      {"highest_ups_loading_of", std::string("ups_a"), "", "of UPS"},
      {"lowest_state_of_charge", 0.871, "1", "charge"},
      {"lowest_state_of_charge_of", std::string("ups_a"), "", "charge"},
      {"simulated_time", 3600.0, "s", "time"},
  };
  std::vector<EventRecord> events{};
  std::vector<LimitRecord> limits{};

  void set(const std::string& name, decltype(NamedValue::value) value) {
    for (NamedValue& figure : figures) {
      if (figure.name == name) figure.value = std::move(value);
    }
  }
  RunReported reported() const { return {figures, events, limits}; }
  std::string text(const VerdictStyle& style = {}) const { return run_verdict(reported(), style); }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

const LimitRecord warm{
    "row_1.rack_1", "inlet_air_temperature", "K", "hotter than allowed", "log", 303.15, 313.15, 90, 60, 30};

}  // namespace

TEST_CASE("a run in which nothing happened is reported in eight lines, each figure where it belongs", "[run_verdict]") {
  const Reported run;
  CHECK(run.text() ==
        "  MET            all nodes worked, no GPU was slowed, no limit exceeded\n"
        "  happened       nothing\n"
        "  hottest die    60.04 degC, 27.0 K to throttling, row_1.rack_2.node_3.gpu_4\n"
        "  worst loading  ups_a 90.0 %, cdu_1 50.0 %\n"
        "  limits         none exceeded\n"
        "  PUE            1.2500; utility 944.4 kW mean, 1.1 MW peak; 1.50 L/kWh\n"
        "  backup power   lowest state of charge 87.1 % (ups_a)\n"
        "  energy         closes to 2.5e-13; 1 MWh in, 972.2 kWh out\n");
  CHECK_THAT(run.text({.units = UnitStyle::inch_pound}), Contains("140.1 degF, 48.5 degF to throttling"));
}

TEST_CASE("what generators deliver is theirs and not the utility's, and files of before say the sum", "[run_verdict]") {
  Reported run;
  run.set("generator_energy", 0.2e9);
  run.set("lowest_state_of_charge", 1.0);
  CHECK_THAT(run.text(),
             Contains("utility 944.4 kW mean, 1.1 MW peak") && Contains("\n  backup power   generators 55.56 kWh\n"));
  run.set("lowest_state_of_charge", 0.5);
  CHECK_THAT(run.text(), Contains("  backup power   generators 55.56 kWh; lowest state of charge 50.0 % (ups_a)\n"));
  std::erase_if(run.figures, [](const NamedValue& figure) {
    return figure.name == "utility_energy" || figure.name == "generator_energy";
  });
  CHECK_THAT(run.text(), Contains("facility 1 MW mean, 1.2 MW peak"));
}

TEST_CASE("the first word is the worst that befell the work", "[run_verdict]") {
  Reported run;
  CHECK(verdict_of(run.reported()) == RunVerdict::met);
  run.limits = {warm};
  CHECK(verdict_of(run.reported()) == RunVerdict::beyond_limits);
  CHECK_THAT(run.text(), Contains("BEYOND LIMITS  all nodes worked, no GPU was slowed\n") &&
                             Contains("1 exceeded; 40 degC where 30 degC is allowed: row_1.rack_1 i..."));
  run.set("capped_gpu_time", 1800.0);
  CHECK(verdict_of(run.reported()) == RunVerdict::capped);
  CHECK_THAT(run.text(), Contains("CAPPED         all nodes worked, 1800 GPU s capped\n"));
  run.set("throttled_gpu_time", 7200.0);
  CHECK(verdict_of(run.reported()) == RunVerdict::slowed);
  CHECK_THAT(run.text(), Contains("SLOWED         all nodes worked, 2 GPU h slowed, 1800 GPU s capped\n"));
  run.events = {{125.0, "inlet_shutdown", "160 racks", "1280 nodes, all; inlet air at 45.79 degC, off"}};
  CHECK(verdict_of(run.reported()) == RunVerdict::lost);
  CHECK_THAT(run.text(), Contains("LOST           all that went off is back, 2 GPU h slowed, 1800 GPU s capped\n"));
  run.figures.push_back({"lost_gpu_time", 36e3, "s", "lost"});
  CHECK_THAT(run.text(), Contains("LOST           all that went off is back, 10 GPU h lost, 2 GPU h slowed,"));
  run.set("shut_down_gpus", std::int64_t{2560});
  run.set("racks_without_power", std::int64_t{1});
  CHECK_THAT(run.text(), Contains("LOST           2560 GPUs off, 1 rack without power at the end, 10 GPU h lost,\n"));
}

TEST_CASE("a switch without power is a loss, though every GPU worked", "[run_verdict]") {
  Reported run;
  run.figures.push_back({"lost_gpu_time", 0.0, "s", "lost"});
  run.figures.push_back({"first_loss", std::string("network_rack_1 without power"), "", "lost"});
  CHECK(verdict_of(run.reported()) == RunVerdict::lost);
}

TEST_CASE("what lost no work is no loss", "[run_verdict]") {
  Reported run;
  run.events = {{60.0, "lost_power", "chiller", "6 of 6: chiller_1; dead"}, {60.0, "fail", "cdu_1.pump_a", "scenario"}};
  CHECK(verdict_of(run.reported()) == RunVerdict::met);
  run.events = {{60.0, "lost_power", "node", "8 of 1280: row_1.rack_1.node_1; dead"}};
  CHECK(verdict_of(run.reported()) == RunVerdict::lost);
}

TEST_CASE("twelve lines of 80 columns hold whatever happened, the last loss among it", "[run_verdict]") {
  Reported run;
  const std::string long_name = "row_" + std::string(70, '1') + ".rack_1";
  run.set("peak_die_gpu", long_name);
  run.set("racks_without_power", std::int64_t{3});
  run.limits = {warm};
  run.limits.front().part = long_name;
  for (int k = 0; k < 12; ++k) {  // ten minutes apart: each a line of its own
    run.events.push_back({600.0 * k, "tripped", "pdu_a_" + std::to_string(k + 1), "over its rating for a long while"});
  }
  run.events.push_back({9000.0, "thermal_shutdown", long_name + ".node_1.gpu_1", "die at 95.00 degC"});
  const std::vector<std::string> lines = lines_of(run.text({.file = "results/hall.h5"}));
  CHECK(lines.size() == 12);
  CHECK(lines[5] == "  and 9 more     wattloop events results/hall.h5");
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
  CHECK_THAT(lines[1], Contains("PDU a 1 tripped"));
  CHECK_THAT(lines[4], Contains("2 h 30 min") && Contains("node switched off by heat"));
}

TEST_CASE("the cause heads what happened, be it a clog, a stuck valve or a fan", "[run_verdict]") {
  for (const EventRecord& cause : {EventRecord{600.0, "clog", "row_1.rack_3", "from 100 % to 20 %"},
                                   EventRecord{600.0, "stick", "cdu_1.valve", "from free to 10 %"},
                                   EventRecord{600.0, "fail", "tower_1.fan", "from running to stopped"}}) {
    Reported run;
    run.events = {{0.0, "limit_exceeded", "row_1.rack_1", "inlet_air_temperature 31 degC, hotter"},
                  cause,
                  {700.0, "first_throttle", "row_1.rack_3.node_1.gpu_1", "die at 87.21 degC"}};
    for (int k = 0; k < 6; ++k) run.events.push_back({1200.0 + 600.0 * k, "on_battery", "ups_a", "bus dead"});
    const std::vector<std::string> lines = lines_of(run.text());
    INFO(run.text());
    CHECK(lines[1].starts_with("  10 min         "));
    CHECK_THAT(lines[1], Contains("clogged to 20 %") || Contains("stuck at 10 %") || Contains("fan failed"));
    CHECK_THAT(lines[2], Contains("11 min 40 s") && Contains("first GPU throttled"));
    CHECK_THAT(lines[4], Contains("1 h 10 min"));  // the last loss
  }
}

TEST_CASE("what is not a number says why or is left out", "[run_verdict]") {
  Reported run;
  run.set("pue", std::numeric_limits<double>::quiet_NaN());
  for (NamedValue& figure : run.figures) {
    if (figure.name == "pue") figure.reason = "on battery: batteries gave 390.5 kWh more than they took";
  }
  run.set("peak_die_temperature", std::numeric_limits<double>::quiet_NaN());
  CHECK_THAT(run.text(), Contains("PUE            n/a on battery; utility") && !Contains("hottest die"));
}

TEST_CASE("only the first word is coloured, and only where that is asked", "[run_verdict]") {
  const Reported run;
  CHECK(run.text({.is_coloured = true}) == "  \x1b[1;32mMET\x1b[0m" + run.text().substr(5));
}

TEST_CASE("what happened is chosen by its consequence, printed in time, and the rest is counted", "[run_verdict]") {
  Reported run;
  for (int k = 0; k < 6; ++k) {
    const double at_s = 300.0 + 420.0 * k;
    run.events.push_back({at_s, "fail", "cdu_1.pump_a", "scenario"});
    run.events.push_back({at_s + 120.0, "restore", "cdu_1.pump_a", "scenario"});
  }
  run.events.push_back({3000.0, "open", "utility_a", "scenario"});
  run.events.push_back({3000.0, "on_battery", "ups_a", "bus dead"});
  run.events.push_back({3010.0, "generator_on_load", "generator_a", ""});
  std::vector<std::string> lines = lines_of(run.text({.file = "x.h5"}));
  CHECK(lines[1] == "  5 min          CDU 1, pump a failed");
  CHECK_THAT(lines[2], Contains("50 min") && Contains("utility feed a opened"));
  CHECK_THAT(lines[3], Contains("50 min") && Contains("UPS a on battery"));
  CHECK_THAT(lines[4], Contains("50 min 10 s") && Contains("generator a carries load"));
  CHECK(lines[5] == "  and 11 more    wattloop events x.h5");
  run.events.push_back({3100.0, "fail", "chiller_1", "scenario"});
  run.events.push_back({3200.0, "limit_exceeded", "loop_1", "supply_temperature 50 degC, hotter than allowed"});
  lines = lines_of(run.text());
  CHECK_THAT(lines[3], Contains("chiller 1 failed"));
  CHECK_THAT(lines[4], Contains("limit exceeded"));
  CHECK(lines[5] == "  and 13 more    no results were written");
}

TEST_CASE("instants after the first day are dates, as everywhere", "[run_verdict]") {
  Reported run;
  run.events = {{600.0, "fail", "cdu_1.pump_a", "scenario"},
                {5.0 * 86400.0 + 7.0, "restore", "cdu_1.pump_a", "scenario"}};
  const std::vector<std::string> lines = lines_of(run.text({.start = "2026-07-15T06:00:00"}));
  CHECK(lines[1] == "  10 min              CDU 1, pump a failed");
  CHECK(lines[2] == "  2026-07-20T06:00:07 CDU 1, pump a restored");
  CHECK(lines[3].starts_with("  hottest die         60.04 degC"));
}

TEST_CASE("jobs that could never start are no reason for MET, and jobs that wait are named", "[run_verdict]") {
  Reported run;
  run.figures.push_back({"never_started_jobs", std::int64_t{3}, "", "waiting"});
  run.figures.push_back({"stuck_jobs", std::int64_t{0}, "", "stuck"});
  CHECK(lines_of(run.text()).front().starts_with("  MET"));
  CHECK_THAT(run.text(), Contains("3 jobs not started yet"));
  run.set("stuck_jobs", std::int64_t{1});
  CHECK(lines_of(run.text()).front().starts_with("  SLOWED"));
  CHECK_THAT(run.text(), Contains("1 job could never start") && Contains("2 jobs not started yet"));
}

TEST_CASE("a burn-in asks for the power limit: it passes or fails, and is not capped", "[run_verdict]") {
  Reported run;
  run.set("capped_gpu_time", 1e4);
  CHECK(lines_of(run.text()).front().starts_with("  CAPPED"));
  run.figures.push_back({"burn_in", std::string("passed"), "", "burn-in"});
  CHECK(lines_of(run.text()).front().starts_with("  MET"));
  CHECK_THAT(run.text(), Contains("burn-in passed") && !Contains("capped"));
  run.set("burn_in", std::string("failed"));
  CHECK(lines_of(run.text()).front().starts_with("  SLOWED"));
  CHECK_THAT(run.text(), Contains("burn-in failed"));
}

TEST_CASE("what the scenario orders is reported before events of single jobs", "[run_verdict]") {
  Reported run;
  for (int k = 0; k < 6; ++k) {
    const std::string job = "job_" + std::string(1, static_cast<char>('a' + k));
    run.events.push_back({1000.0 * k, "failure", "row_1.rack_1.node_" + std::to_string(k + 1), "GPU"});
    run.events.push_back({1000.0 * k, "job_stopped", job, "1 of 4 nodes lost"});
    run.events.push_back({1000.0 * k + 120.0, "job_requeued", job, "1 of 4 nodes lost"});
  }
  run.events.push_back({6500.0, "set", "racks.gpu_power_limit", "from 700 W to 500 W"});
  CHECK_THAT(run.text(), Contains("GPU power limit set to 500 W") && Contains("job a to f stopped"));
  run.events.clear();
  for (int k = 0; k < 5; ++k)  // as many by themselves as there are lines, and one more
    run.events.push_back({1000.0 * k, "failure", "row_1.rack_1.node_" + std::to_string(k + 1), "GPU"});
  run.events.push_back({6500.0, "set", "racks.gpu_power_limit", "from 700 W to 500 W"});
  CHECK_THAT(run.text(), Contains("GPU power limit set to 500 W"));
}

TEST_CASE("nodes that are cut off, or wait in a stopped job, did not all work", "[run_verdict]") {
  Reported run;
  run.figures.push_back({"job_stopped_time", 0.04, "s", "stopped"});
  CHECK_THAT(run.text(), Contains("all nodes worked"));  // shorter than is noticed
  run.set("job_stopped_time", 660.0);
  CHECK_THAT(run.text(), Contains("SLOWED         no node was off, job stopped for 11 min") && !Contains("all nodes"));
  run.set("job_stopped_time", 0.0);
  run.events = {{615.0, "cut_off", "fabric", "no port of nodes 1 to 4 is live"}};
  CHECK_THAT(run.text(), Contains("SLOWED         no node was off, nodes cut off from the fabric\n"));
  run.events = {{615.0, "job_stopped", "training", "4 of 1280 nodes lost, the others wait"}};
  CHECK_THAT(run.text(), Contains("no node was off") && !Contains("all nodes"));
  run.events.clear();
  run.figures.push_back({"job_stops", std::int64_t{1}, "", "stops"});
  CHECK_THAT(run.text(), Contains("no node was off") && !Contains("all nodes"));
}

TEST_CASE("what recovered is listed beside what did not, by the last event of each part", "[run_verdict]") {
  const auto of = [](const std::vector<EventRecord>& events) { return recoveries(events); };
  const std::vector<EventRecord> events{{10.0, "fail", "cdu_1.pump_a", "scenario"},
                                        {10.0, "fail", "cdu_2.pump_a", "scenario"},
                                        {20.0, "open", "utility_a", "scenario"},
                                        {20.0, "open", "coupler_1", "by its controls"},
                                        {20.0, "on_battery", "ups_a", "bus dead"},
                                        {30.0, "close", "utility_a", "scenario"},
                                        {31.0, "off_battery", "ups_a", "bus live"},
                                        {40.0, "restore", "cdu_2.pump_a", "scenario"},
                                        {50.0, "stick", "cdu_3.valve", "from free to 10 %"},
                                        {60.0, "stick", "cdu_3.valve", "from 10 % to free"},
                                        {60.0, "clog", "row_1.rack_2", "from 100 % to 20 %"},
                                        {70.0, "tripped", "pdu_a_1", "over its rating"},
                                        {80.0, "fail", "chiller_1", "scenario, changes nothing"},
                                        {90.0, "job_stopped", "training", "4 nodes lost"},
                                        {95.0, "job_resumed", "training", "after 5 s"}};
  CHECK(of(events).back == std::vector<std::string>{"cdu_2.pump_a", "utility_a", "ups_a", "cdu_3.valve", "training"});
  CHECK(of(events).lasting == std::vector<std::string>{"cdu_1.pump_a", "row_1.rack_2", "pdu_a_1"});
  CHECK(of({{1.0, "fail", "ups_a", ""}, {2.0, "on_battery", "ups_a", ""}, {3.0, "off_battery", "ups_a", ""}}).lasting ==
        std::vector<std::string>{"ups_a"});  // it is on its feed again, and failed all the same
  CHECK(of({{1.0, "restore", "ups_a", ""}}).back.empty());
}

TEST_CASE("lines for pages alone are not on the terminal, and say where, when and against what", "[run_verdict]") {
  Reported run;
  run.figures.push_back({"peak_die_time", 754.0, "s", "when"});
  run.limits = {warm};
  run.events = {{60.0, "fail", "cdu_1.pump_a", "scenario"},
                {61.0, "fail", "cdu_2.pump_a", "scenario"},
                {90.0, "restore", "cdu_2.pump_a", "scenario"}};
  const VerdictReported reported = verdict_reported(run.reported(), {});
  const auto line = [&](const std::string& label) {
    return *std::ranges::find(reported.lines, label, &VerdictLine::label);
  };
  CHECK(line("hottest die").more == "at 12 min 34 s");
  CHECK(line("limits").words == "1 exceeded; 40 degC where 30 degC is allowed: row_1.rack_1 inlet air temperature");
  CHECK(line("limits").more == "at 1 min 30 s, beyond it for 30 s in all");
  CHECK(line("recovered").words == "CDU 2, pump a");
  CHECK(line("not recovered").words == "CDU 1, pump a");
  CHECK_THAT(run.text(), !Contains("recovered") && !Contains("12 min 34 s") && !Contains("for 30 s"));
}

TEST_CASE("what recovered is counted by kinds, and a job is no air handler", "[run_verdict]") {
  std::vector<std::string> names;
  for (int crah = 3; crah <= 10; ++crah) names.push_back("crah_" + std::to_string(crah));
  names.push_back("job");
  CHECK(names_by_kind(names) == "CRAH 3 to 10; job");
  CHECK(names_by_kind(std::vector<std::string>{"ups_a", "ups_a.bypass", "ups_b"}) == "UPS a and b; UPS a, bypass");
  CHECK(names_by_kind(std::vector<std::string>{"one", "two", "three", "four", "five_1", "five_2"}) ==
        "one; two; three; four; and 2 more");
  CHECK(names_by_kind({}).empty());
}

TEST_CASE("several limits of one part are counted apart from the parts", "[run_verdict]") {
  Reported run;
  LimitRecord rating = warm, carried = warm, other = warm;
  rating.part = carried.part = "ups_b";
  other.part = "ups_b.bypass";
  run.limits = {rating, carried, other};
  const VerdictReported reported = verdict_reported(run.reported(), {});
  const VerdictLine line = *std::ranges::find(reported.lines, "limits", &VerdictLine::label);
  CHECK(line.more == "at 1 min 30 s, beyond it for 30 s in all; in the whole run 3 limits of 2 parts");
}

TEST_CASE("colours of verdicts stand out from the page by 4.5 : 1", "[run_verdict]") {
  const auto luminance = [](std::string_view colour) {  // of WCAG 2.1
    const auto part = [&](std::size_t at) {
      const double share = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0;
      return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  };
  constexpr std::string_view page = "#f4f4f4";
  for (const RunVerdictText& one : run_verdicts) {
    INFO(one.word);
    CHECK((luminance(page) + 0.05) / (luminance(colour_of(one.verdict).page) + 0.05) >= 4.5);
  }
  CHECK(colour_of(RunVerdict::met).page != colour_of(RunVerdict::slowed).page);
  CHECK(colour_of(RunVerdict::slowed).page != colour_of(RunVerdict::lost).page);
}
