// Case: who sees only the report of a run can say what failed, what followed, when, and what was lost. Expected values come from the
// events and series of the results, not from the report's own code; what a reader would write down stands beside each, in quotes. Such
// answers were written down from the pictures alone (`wattloop view`, docs/gallery.md) before they were held against the log of events.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

struct Reported {
  std::string page{}, verdict{};
  std::vector<EventRecord> events{};
};

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) return {};
  const std::size_t from = first + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

Reported report_of(const tests::WorkFolder& folder, const std::string& scenario) {
  const std::string file = std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/" + scenario + ".yaml";
  REQUIRE(folder.run({"run", file, "-o", "run.h5"}).exit_code == 0);
  REQUIRE(folder.run({"report", "run.h5", "-o", "run.html"}).exit_code == 0);
  Reported reported{.page = tests::file_text(folder / "run.html")};
  reported.verdict = between(reported.page, "<p class='verdict'", "</p>");
  reported.events = ResultsReader(folder / "run.h5").events();
  return reported;
}

double first_s(const std::vector<EventRecord>& events, const std::string& kind) {
  const auto found = std::ranges::find(events, kind, &EventRecord::kind);
  REQUIRE(found != events.end());
  return found->time_s;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// What the table of events says to have happened at a time.
bool table_says(const std::string& page, double time_s, const std::string& words) {
  const std::regex line(">" + format_quantity(time_s, "s") + "(?: to [^<]*)?</a></td><td>[0-9]+</td><td>" + words);
  return std::regex_search(page, line);
}

/// GPU hours by the trapezoidal rule, and the most that were down at once.
struct Lost {
  double gpu_h = 0.0, most = 0.0;
};

Lost lost_in(const ResultsReader& results) {
  const std::vector<float> down = results.series("facility", "down_gpus");
  const std::vector<double> times_s = results.times_s("facility");
  Lost lost;
  for (std::size_t row = 1; row < down.size(); ++row)
    lost.gpu_h += 0.5 * static_cast<double>(down[row] + down[row - 1]) * (times_s[row] - times_s[row - 1]) / 3600.0;
  lost.most = static_cast<double>(*std::ranges::max_element(down));
  return lost;
}

/// What the verdict says of that.
void check_lost(const std::string& verdict, const Lost& lost) {
  const std::regex words("At most ([0-9]+) GPUs were down at once. ([0-9.]+) GPU h were lost");
  std::smatch reported;
  REQUIRE(std::regex_search(verdict, reported, words));
  CHECK(std::stod(reported[1]) == lost.most);
  CHECK(std::stod(reported[2]) == Approx(lost.gpu_h).epsilon(0.002));  // printed to whole hours above 100
}

/// Watts of the boxes whose title begins so.
double watts_of(const std::string& page, const std::string& title) {
  double sum_w = 0.0;
  const std::regex box("class='title'[^>]*>" + title +
                       "[^<]*</text>(?:<text[^>]*>[^0-9<][^<]*</text>)?<text[^>]*>(?:IT power )?([0-9.]+ [kM]?W)<");
  for (std::sregex_iterator found(page.begin(), page.end(), box), end; found != end; ++found)
    sum_w += to_si((*found)[1].str(), "W");
  return sum_w;
}

}  // namespace

TEST_CASE("the report of a loop that loses all CDUs reports what failed, what followed, and what was lost",
          "[reports]") {
  const tests::WorkFolder folder(WATTLOOP_PROGRAM);
  const Reported e = report_of(folder, "pump_failure/e_all_cdus_lost");
  CHECK(e.page.find("<title>(e) All CDUs of one loop are lost</title>") != std::string::npos);
  // "All pumps of CDUs 1 to 3 failed after a minute."
  std::set<std::string> failed;
  for (const EventRecord& event : e.events) {
    if (event.kind == "fail") failed.insert(event.target);
  }
  CHECK(failed == std::set<std::string>{"cdu_1.pump_a", "cdu_1.pump_b", "cdu_2.pump_a", "cdu_2.pump_b", "cdu_3.pump_a",
                                        "cdu_3.pump_b"});
  CHECK(
      says(e.verdict, "At " + format_quantity(first_s(e.events, "fail"), "s") + " CDU 1 to 3, pump a and b failed. "));
  // "A first GPU throttled 18 s later, and 15 s after that nodes began to switch off."
  const double throttle_s = first_s(e.events, "first_throttle"), off_s = first_s(e.events, "thermal_shutdown");
  const auto nodes = std::ranges::count(e.events, "thermal_shutdown", &EventRecord::kind);
  CHECK(says(e.verdict, fmt::format("At {} {} nodes switched off by heat", format_quantity(off_s, "s"), nodes)));
  // "2,560 GPUs are off at the end, and a loop stands."
  const ResultsReader results(folder / "run.h5");
  const float off = results.series("facility", "shut_down_gpus").back();
  CHECK(static_cast<double>(off) == 8.0 * static_cast<double>(nodes));
  CHECK(says(e.verdict,
             fmt::format("At the end: {:.0f} GPUs off, 1 loop without flow, CDU 1 to 3, pump a and b failed.", off)));
  check_lost(e.verdict, lost_in(results));
  CHECK(table_says(e.page, first_s(e.events, "fail"), "CDU 1 to 3, pump a and b failed"));
  CHECK(table_says(e.page, throttle_s, "first GPU throttled: row 1, rack 1, node 1, GPU 7"));
  CHECK(std::ranges::find(e.events, "first_throttle", &EventRecord::kind)->target == "row_1.rack_1.node_1.gpu_7");
  // "Those of rows 1 and 2": all racks of loop 1, and no other, have GPUs that are off.
  const std::vector<std::string> racks = results.table("racks").items;
  const std::vector<float> off_racks = results.frame("racks", "shut_down_gpus", results.times_s("racks").size() - 1);
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    INFO(racks[rack]);
    CHECK((off_racks[rack] > 0.0F) == (racks[rack].starts_with("row_1.") || racks[rack].starts_with("row_2.")));
  }
  // The loop that stands in the schematic, and how many of its pumps failed.
  const std::string loop = between(e.page, "loop 1</text>", "</g>");
  CHECK(says(loop, "no flow"));
  CHECK(says(between(e.page, "CDU 1</text>", "</g>"), "0 of 2 pumps turn, 2 failed"));
  CHECK_FALSE(says(between(e.page, "loop 2</text>", "</g>"), "no flow"));
  CHECK(e.page.size() < 5'000'000);
}

TEST_CASE("the report of a utility loss names the feeds first, then batteries, heat and what is off", "[reports]") {
  const tests::WorkFolder folder(WATTLOOP_PROGRAM);
  const Reported loss = report_of(folder, "utility_loss/no_generators_10min");
  // "Both feeds opened; cooling lost power at once; both UPS went on battery."
  const double open_s = first_s(loss.events, "open");
  CHECK(says(loss.verdict, "At " + format_quantity(open_s, "s") + " utility feed a and b opened. "));
  CHECK(table_says(loss.page, first_s(loss.events, "on_battery"), "UPS a and b 1 to 8 on battery"));
  CHECK(table_says(loss.page, first_s(loss.events, "lost_power"), "no power: all 4 facility pumps"));
  INFO(loss.verdict);
  // The first GPUs and nodes that are lost, in their order.
  CHECK(says(loss.verdict, "switched off by"));
  const ResultsReader results(folder / "run.h5");
  // "Half a minute later all nodes were slowed down by warm air and the first GPU throttled, 35 s after that all were switched off."
  const double slow_s = first_s(loss.events, "inlet_slowdown"), off_s = first_s(loss.events, "inlet_shutdown");
  CHECK(first_s(loss.events, "first_throttle") == slow_s);
  CHECK(table_says(loss.page, slow_s, "1280 nodes of 160 racks slowed down by warm inlet air"));
  CHECK(says(loss.verdict,
             "At " + format_quantity(off_s, "s") + " 1280 nodes of 160 racks switched off by warm inlet air"));
  // "Feeds came back at 11 min, the nodes five and a half minutes later."
  CHECK(table_says(loss.page, first_s(loss.events, "close"), "utility feed a and b closed"));
  CHECK(table_says(loss.page, first_s(loss.events, "off_battery"), "UPS a and b 1 to 8 off battery"));
  const std::vector<float> down = results.series("facility", "down_gpus");
  const std::vector<double> times_s = results.times_s("facility");
  const auto last_down = std::ranges::find_if(down.rbegin(), down.rend(), [](float gpus) { return gpus > 0.0F; });
  const double back_s = times_s[static_cast<std::size_t>(down.rend() - last_down)];  // of the record after it
  CHECK(table_says(loss.page, back_s, "1280 nodes of 160 racks are back"));
  // "All 10,240 GPUs were down."
  check_lost(loss.verdict, lost_in(results));
  CHECK(lost_in(results).most == 10240.0);
  // "Batteries never went below 86 %."
  const std::vector<float> charges = results.column("ups", "state_of_charge");
  CHECK(says(loss.page, fmt::format("Lowest charge of a battery: UPS a 1</td><td>{:.1f} %",
                                    100.0F * *std::ranges::min_element(charges))));
  // "No generator could start; before network racks, of which makers of nodes say nothing, air was warmest."
  CHECK(says(loss.page, "Generators</td><td>generator a and b 1 to 8: disabled</td>"));
  const double aisle_k = results.summary_number("highest_cold_aisle_temperature").value_or(0.0);
  CHECK(aisle_k > 303.15);
  CHECK(says(loss.page, "Warmest cold aisle</td><td>" + format_quantity(aisle_k, "K") + "</td><td></td>"));
  CHECK(loss.verdict.ends_with(
      results.series("facility", "shut_down_gpus").back() > 0.0F ? " GPUs off." : " At the end nothing is off."));
  // The one-line diagram at the worst moment: feeds crossed out, and batteries give what PDUs deliver.
  for (const char* feed : {"utility feed a", "utility feed b"}) {
    const std::size_t diagram = loss.page.find("<svg class='boxes'");  // its lane has the name, too
    REQUIRE(diagram != std::string::npos);
    const std::size_t box = loss.page.find(fmt::format(">{}</text>", feed), diagram);
    REQUIRE(box != std::string::npos);
    CHECK(loss.page.rfind("class='box failed'", box) > loss.page.rfind("</g>", box));
    CHECK(says(loss.page.substr(box, 120), "open"));
  }
}

TEST_CASE("power in the one-line diagram of a report adds up to what the facility draws", "[reports]") {
  const tests::WorkFolder folder(WATTLOOP_PROGRAM);
  const Reported e = report_of(folder, "pump_failure/a_pump_trips");
  const std::string when = between(between(e.page, ">One-line diagram</h2>", "<svg"), "At ", ":");
  const double at_s = to_si(when, "s");
  const ResultsReader results(folder / "run.h5");
  const std::vector<double> times_s = results.times_s("facility"), racks_s = results.times_s("racks");
  const auto next_rack = std::ranges::upper_bound(racks_s, at_s + 1e-6);  // the rarest means are those of racks
  REQUIRE(next_rack != racks_s.end());
  const auto now = [&](const char* column) {
    const std::vector<float> all = results.series("facility", column);
    double sum = 0.0, count = 0.0;
    for (std::size_t row = 0; row < times_s.size(); ++row) {
      if (!(times_s[row] > at_s + 1e-6 && times_s[row] < *next_rack + 1e-6)) continue;
      sum += static_cast<double>(all[row]);
      count += 1.0;
    }
    return sum / count;
  };
  constexpr double printed = 1e-3;  // four digits of each
  CHECK(watts_of(e.page, "utility feed") == Approx(now("power")).epsilon(printed));
  CHECK(watts_of(e.page, "160 racks") < now("it_power"));
  CHECK(watts_of(e.page, "160 racks") < watts_of(e.page, "24 PDUs"));
  const double losses_w = watts_of(e.page, "utility feed") - watts_of(e.page, "24 PDUs") - now("cooling_power");
  CHECK(losses_w > 0.0);
  CHECK(losses_w < now("electrical_loss"));
  // Sankey: what leaves the feeds is the facility's energy over the time of the run.
  const double mean_w =
      results.summary_number("facility_energy").value() / results.summary_number("simulated_time").value();
  CHECK(says(e.page, ">utility " + format_quantity(mean_w, "W")));
  CHECK_FALSE(says(e.page, ">generators "));
}

TEST_CASE("the page of two runs reports what was changed and what became of it, and nothing of a run beside itself",
          "[reports]") {
  const tests::WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string file = std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/pump_failure/c_cdu_lost.yaml";
  for (const auto& [name, supply] : {std::pair("a", "32 degC"), std::pair("b", "34 degC")}) {
    const std::string set = std::string("hall.cooling.loops.supply_temperature=") + supply;
    REQUIRE(
        folder.run({"run", file, "--set", set, "--set", "duration=3 min", "-o", std::string(name) + ".h5"}).exit_code ==
        0);
  }
  REQUIRE(folder.run({"report", "b.h5", "--against", "a.h5", "-o", "ab.html"}).exit_code == 0);
  const std::string page = tests::file_text(folder / "ab.html");
  CHECK(says(page, "<td>hall.cooling.loops.supply_temperature</td><td>32 degC</td><td>34 degC</td>"));
  const ResultsReader a(folder / "a.h5"), b(folder / "b.h5");
  const double die_a_k = a.summary_number("peak_die_temperature").value(),
               die_b_k = b.summary_number("peak_die_temperature").value();
  CHECK(says(
      page,
      fmt::format("<td data-head='figure'>peak_die_temperature</td><td data-head='A'>{}</td><td data-head='B'>{}</td>"
                  "<td data-head='B less A'>+{}</td>",
                  format_quantity(die_a_k, "K"), format_quantity(die_b_k, "K"),
                  format_quantity(die_b_k - die_a_k, "delta_K"))));
  CHECK(says(page, "facility: max die temperature, degC"));
  CHECK(says(page, "supply temperature of loop "));
  const std::regex farthest("where they are farthest apart: ([0-9.]+) K");
  std::smatch reported;
  REQUIRE(std::regex_search(page, reported, farthest));
  CHECK(std::stod(reported[1]) == Approx(2.0).margin(0.25));  // every rack gets water that is 2 K warmer
  REQUIRE(folder.run({"report", "a.h5", "--against", "a.h5", "-o", "aa.html"}).exit_code == 0);
  const std::string same = tests::file_text(folder / "aa.html");
  for (const char* words :
       {"the scenarios are the same", "No figure differs", "No curve differs", "The same happened in both"})
    CHECK(says(same, words));
}
