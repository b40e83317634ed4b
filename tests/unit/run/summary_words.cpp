// Every number of the summary's text against its figure or, where it has none, against the tables of the run. A line that no one
// expects fails the test.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "tests/support/printed_numbers.hpp"
#include "tests/unit/run/summary_by_tables.hpp"

using namespace wattloop;
using tests::HotRun;
using twin::NamedValue;

namespace {

constexpr double in_part = std::numeric_limits<double>::quiet_NaN();

/// What stands behind a label, and the numbers that it must show.
struct Line {
  std::string words;
  std::vector<double> numbers;
  double until_s =
      std::nan("");  ///< the last one is any from the number to this: records hold the same, to the digits of a file
};

class ExpectedText {
 public:
  ExpectedText(const HotRun& hot) : tables_(hot.tables) {
    for (const NamedValue& value : hot.run.summary) {
      if (const auto* text = std::get_if<std::string>(&value.value)) texts_[value.name] = *text;
      if (const auto* number = std::get_if<double>(&value.value)) numbers_[value.name] = *number;
      if (const auto* count = std::get_if<std::int64_t>(&value.value))
        numbers_[value.name] = static_cast<double>(*count);
    }
    add_powers();
    add_energies();
    add_temperatures();
    add_loads(hot);
    add_limits();
  }
  std::map<std::string, Line> lines;

 private:
  double of(const std::string& name) const { return numbers_.at(name); }
  double lowest_k(const char* group, const char* column) const { return tables_.lowest(group, column).value; }

  void add_powers() {
    const double seconds = tests::lively_s;
    lines["7 racks, 56 nodes,"] = {" # GPUs; # simulated in #", {448, seconds, 0.0}};
    lines["nodes"] = {" # mean, # peak", {of("node_energy") / seconds, of("peak_node_power")}};
    lines["from the utility"] = {" # mean, # peak", {of("utility_energy") / seconds, of("peak_utility_power")}};
    lines["from generators"] = {" #, # peak", {of("generator_energy"), of("peak_generator_power")}};
    lines["PUE"] = {" n/a on battery: batteries gave # more than they took", {-of("battery_energy")}};
    lines["water"] = {" # for the towers, # of IT energy", {of("water_use"), of("water_use") / of("it_energy")}};
    lines["energy in"] = {" #", {of("facility_energy")}};
    lines["to the sky"] = {" #", {of("rejected_energy")}};
    lines["stored"] = {" #", {of("stored_energy")}};
    lines["residual"] = {" # of the energy in", {of("energy_residual")}};
  }

  /// Mean kW, kWh, share of all, part of PUE.
  void add_energies() {
    const std::map<std::string, std::string> labels{{"nodes", "node"},
                                                    {"fabric", "fabric"},
                                                    {"CDU pumps", "cdu_pump"},
                                                    {"facility pumps", "facility_pump"},
                                                    {"towers", "tower"},
                                                    {"chillers", "chiller"},
                                                    {"chilled pumps", "chilled_water_pump"},
                                                    {"air handlers", "crah"},
                                                    {"door fans", "rear_door_fan"},
                                                    {"transformer loss", "transformer_loss"},
                                                    {"UPS loss", "ups_loss"},
                                                    {"PDU loss", "pdu_loss"},
                                                    {"from batteries", "battery"},
                                                    {"from the utility", "utility"},
                                                    {"from generators", "generator"}};
    const double all_j = of("facility_energy") - of("battery_energy");  // batteries gave it: their energy fell
    for (const auto& [label, part] : labels) {
      const bool is_source = label.starts_with("from");
      const double energy_j = part == "battery" ? -of("battery_energy") : of(part + "_energy");
      Line& line = lines["Energy: " + label];
      line = {is_source ? " # # # n/a" : " # # # #",
              {energy_j / tests::lively_s / 1e3, energy_j / 3.6e6, energy_j / all_j}};
      if (!is_source) line.numbers.push_back(energy_j / of("it_energy"));
    }
  }

  void add_temperatures() {
    lines["hottest die"] = {" # at # (" + texts_["peak_die_gpu"] + ")",
                            {of("peak_die_temperature"), of("peak_die_time")}};
    lines["margin"] = {" none: # above throttling", {-of("smallest_throttle_margin")}};
    lines["throttling"] = {" from # (" + texts_["first_throttle_gpu"] + "), # GPUs at most, #",
                           {of("first_throttle_time"), of("most_throttled_gpus"), of("throttled_gpu_time")}};
    lines["shut down"] = {" # GPUs in the end", {of("shut_down_gpus")}};
    lines["coolant supply"] = {" # to #", {of("lowest_supply_temperature"), of("highest_supply_temperature")}};
    lines["coolant return"] = {" # at most", {of("highest_return_temperature")}};
    for (const std::string water : {"facility", "chilled"}) {
      const std::string name = water + "_water_";
      lines[water + " water"] = {
          " # to # supply, # return at most",
          {of("lowest_" + name + "supply_temperature"), of("highest_" + name + "supply_temperature"),
           of("highest_" + name + "return_temperature")}};
    }
    lines["cold aisles"] = {" # to #",
                            {lowest_k("rows", "cold_aisle_temperature"), of("highest_cold_aisle_temperature")}};
    lines["rooms"] = {" # to #", {lowest_k("rooms", "temperature"), of("highest_room_temperature")}};
    lines["off set-point"] = {
        " chilled water above its set-point for #, by # at most; coolant of loop_2 below its set-point for #, by # K "
        "at "
        "most",
        {of("chilled_water_above_set_point_time"), of("chilled_water_most_above_set_point"),
         of("loop_2_below_set_point_time"), of("loop_2_most_below_set_point")}};
    lines["not reached"] = {" chilled water: # asked, # reached; coolant of loop_2: # asked, # reached",
                            {293.15, tables_.lowest("water_systems", "supply_temperature", "chilled_water").value,
                             307.15, tables_.highest("loops", "supply_temperature", "loop_2").value}};
    lines["no flow"] = {" loop_1 in the end", {}};
    lines["dry bulb outside"] = {" # to #",
                                 {lowest_k("facility", "dry_bulb"), tables_.highest("facility", "dry_bulb").value}};
    lines["wet bulb outside"] = {" # to #",
                                 {lowest_k("facility", "wet_bulb"), tables_.highest("facility", "wet_bulb").value}};
  }

  /// Load, rating, loading, margin, when; by the name of the most loaded and how many there are.
  void add_loads(const HotRun& hot) {
    std::map<std::string, tests::Kind> all = tests::rated_kinds();
    all["loop"] = {"loops", "", 600e3};
    for (const auto& [kind, equipment] : all) {
      const double loading = of("highest_" + kind + "_loading");
      // Of air handlers less is left of the rating than all of it: how much, tests/verification/integration/recorded_columns.cpp asks.
      const double rating_w = kind == "crah" ? in_part : equipment.rated_w;
      lines[texts_["highest_" + kind + "_loading_of"]] = {
          " of # # # # # #",
          {static_cast<double>(tables_.count(equipment.group, equipment.prefix)), loading * rating_w, rating_w, loading,
           1.0 - loading, hot.must.peak_at_s.at(kind).first},
          hot.must.peak_at_s.at(kind).second};
    }
    const tests::Extreme charge = tables_.lowest("ups", "state_of_charge");
    lines["charge: " + texts_["lowest_state_of_charge_of"]] = {" lowest charge # at #",
                                                               {of("lowest_state_of_charge"), charge.time_s}};
  }

  /// Of the one limit that this hall exceeds.
  void add_limits() {
    const std::vector<twin::LimitRecord> limits = tables_.results().limits();
    REQUIRE(limits.size() == 1);
    const twin::LimitRecord& die = limits.front();
    REQUIRE(die.part == texts_["peak_die_gpu"]);
    lines["limit: " + die.part + ", die temperature"] = {
        " # # # # " + die.limited_by,
        {of("peak_die_temperature"), die.limit, of("first_throttle_time"), die.duration_s}};
  }

  const tests::Tables& tables_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, double> numbers_;
};

/// The lines of a summary that say something, each with its label and the rest: labels are as wide as the columns behind them.
std::vector<std::pair<std::string, std::string>> labelled_lines(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::istringstream in(text);
  std::vector<std::string> whole;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("      "))
      whole.back() += " " + line;  // goes on
    else
      whole.push_back(line);
  }
  std::string section;
  for (const std::string& line : whole) {
    if (line.empty() || line == "lively_hall_in_code") continue;
    const bool is_entry = line.starts_with("  ");
    if (!is_entry && !line.starts_with("7 racks")) {
      section = line.substr(0, line.find("  "));
      continue;
    }
    const bool is_limit = section == "Limits exceeded";
    const std::size_t width = is_limit                     ? line.find("  ", 2) - 2
                              : section == "Highest loads" ? line.find(' ', 2) - 2
                                                           : 18;
    const std::size_t from = is_entry ? 2 : 0;
    std::string label = line.substr(from, width);
    label = label.substr(0, label.find_last_not_of(' ') + 1);
    if (line.find("lowest charge") != std::string::npos) label = "charge: " + label;
    if (section == "Energy") label = "Energy: " + label;
    if (is_limit) label = "limit: " + label;
    lines.emplace_back(label, line.substr(from + width));
  }
  return lines;
}

/// Beside instants near the begin of a run with `initial: steady`.
constexpr std::string_view while_it_settles = ", while the run settles";

/// Load over rating is the loading, where the rating is what is left of it.
void check_parts(const std::vector<tests::PrintedNumber>& shown) {
  REQUIRE(shown.size() == 6);
  CHECK(shown[1].si / shown[2].si == Approx(shown[3].si).epsilon(2e-3));
  CHECK(shown[2].si < 40e3);
}

}  // namespace

TEST_CASE("every number of the summary's text is what its figure is, and every line says which", "[figures]") {
  const HotRun hot;
  const ExpectedText expected(hot);
  std::size_t numbers = 0;
  const auto lines = labelled_lines(hot.run.text);
  for (const auto& [label, rest] : lines) {
    INFO(label << " ... " << rest);
    REQUIRE(expected.lines.count(label) == 1);
    const Line& must = expected.lines.at(label);
    std::string words = tests::without_numbers(rest);
    if (const auto settles = words.find(while_it_settles); settles != std::string::npos)
      words.erase(settles, while_it_settles.size());
    CHECK(words == must.words);
    const auto shown = tests::printed_numbers(rest);
    REQUIRE(shown.size() == must.numbers.size());
    if (std::ranges::any_of(must.numbers, [](double number) { return std::isnan(number); })) check_parts(shown);
    for (std::size_t k = 0; k < shown.size(); ++k) {
      if (std::isnan(must.numbers[k])) continue;
      INFO(shown[k].text << " " << shown[k].unit << " for " << must.numbers[k]);
      const bool is_between = k + 1 == shown.size() && shown[k].si > must.numbers[k] && shown[k].si < must.until_s;
      const bool is_last = k + 1 == shown.size() && tests::shows(shown[k], must.until_s);
      CHECK((is_between || is_last || tests::shows(shown[k], must.numbers[k])));
    }
    numbers += shown.size();
  }
  CHECK(lines.size() == expected.lines.size());
  CHECK(numbers > 140);
}
