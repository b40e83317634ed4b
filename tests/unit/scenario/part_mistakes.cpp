// Mistakes in the header of a part, and in what is said when one is connected: the compiler refuses each, with words that
// report which it was.
#include <algorithm>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop;

namespace {

/// Connects one toy fan: each number of `Now` and `Effect` by name.
const std::string connecting = R"(
#include "toy_part.hpp"
using wattloop::tests::ToyFan;
constexpr ToyFan::Now seen{.coil = {.temperature_k = 0, .flow_kg_per_s = 1, .specific_heat_j_per_kg_k = 4180.0},
                           .state = {.speed_fraction = 2, .sensor_k = 3},
                           .motor = {.command_fraction = 4},
                           .outside = {.dry_bulb_k = 5},
                           .room = {.temperature_k = 6},
                           .leaving_k = 7,
                           .set_point_k = 8};
static_assert(wattloop::numbers_in(seen)[8] == 7);
struct HalfDeclared {
  struct State {
    double declared, forgotten;
  };
  static constexpr auto states() {
    return std::array{wattloop::StateOf<HalfDeclared>{&State::declared, {"declared", "K", 300.0, 1e-2}}};
  }
};
static_assert(wattloop::state_info<HalfDeclared>(&HalfDeclared::State::declared).name == "declared");
)";

const std::string connecting_vent = R"(
#include "toy_vent.hpp"
using wattloop::tests::ToyVent;
constexpr ToyVent::Now seen{.bus = {.live_fraction = 0, .voltage_v = 1, .power_w = 2},
                            .damper = {.live_fraction = 3},
                            .room = {.temperature_k = 4},
                            .outside = {.dry_bulb_k = 5}};
static_assert(wattloop::numbers_in(seen)[3] == 3);
)";

const std::string rating_line = R"(
#include "toy_line.hpp"
using wattloop::tests::ToyLine;
constexpr ToyLine::Params params{.rated_w = 1.0, .resistance_per_w = 2.0, .energy_j = 3.0};
static_assert(wattloop::electrical::rated_w<ToyLine>(params) == 1.0);
)";

/// A toy and how it is used.
struct Toy {
  std::string header, use;
};

const std::vector<Toy> toys{
    {"toy_part.hpp", connecting}, {"toy_vent.hpp", connecting_vent}, {"toy_line.hpp", rating_line}};

std::string text_of(const Toy& toy) {
  return tests::file_text(std::string(WATTLOOP_SOURCE_DIR) + "/tests/support/halls/" + toy.header);
}

/// The first toy with that in its header or in its use.
const Toy& toy_with(const std::string& text) {
  const auto found = std::ranges::find_if(toys, [&](const Toy& toy) {
    return text_of(toy).find(text) != std::string::npos || toy.use.find(text) != std::string::npos;
  });
  REQUIRE(found != toys.end());
  return *found;
}

const std::vector<std::string> asked_of_compiler{"-std=c++20",       "-fsyntax-only", "-Wall",         "-Wextra",
                                                 "-Wconversion",     "-Werror",       "-Winvalid-pch", "-I",
                                                 WATTLOOP_SOURCE_DIR};

/// What the headers of all toys include, compiled once.
void write_precompiled(const tests::WorkFolder& folder) {
  std::string includes;
  for (const Toy& toy : toys) {
    std::istringstream lines(text_of(toy));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("#include")) includes += line + "\n";
  }
  folder.write("included.hpp", includes);
  std::vector<std::string> arguments = asked_of_compiler;
  std::erase(arguments, "-fsyntax-only");
  arguments.insert(arguments.end(), {"-x", "c++-header", "included.hpp", "-o", "included.hpp.gch"});
  const tests::Outcome outcome = folder.run(arguments);
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
}

/// What the compiler says of a toy, and of using it, with `from` written as `to` in one of both; warnings are errors as in a
/// build of ours. `before` is included first.
tests::Outcome compile(const tests::WorkFolder& folder, const Toy& toy, const std::string& from = "",
                       const std::string& to = "", const std::string& before = "") {
  std::string part = text_of(toy), use = toy.use;
  std::string& text = part.find(from) != std::string::npos ? part : use;
  text.replace(text.find(from), from.size(), to);
  folder.write(toy.header, part);
  folder.write("use.cpp", use);
  std::vector<std::string> arguments = asked_of_compiler;
  if (!before.empty()) arguments.insert(arguments.end(), {"-include", before});
  arguments.emplace_back("use.cpp");
  return folder.run(arguments);
}

struct Mistake {
  std::string name, from, to, expected;
};

const std::vector<Mistake> mistakes{
    {"a signal is misnamed", ".leaving_k = 7", ".leaveing_k = 7", "no non-static data member named 'leaveing_k'"},
    {"a port is forgotten where the part is connected", ".room = {.temperature_k = 6},", "",
     "missing initializer for member 'wattloop::tests::ToyFan::Now::room'"},
    {"a flow is forgotten where the part is connected", ".flow_kg_per_s = 1, ", "", "::flow_kg_per_s'"},
    {"what is seen is named in another order", ".leaving_k = 7,\n                           .set_point_k = 8",
     ".set_point_k = 8,\n                           .leaving_k = 7", "does not match declaration order"},
    {"a rate is forgotten", ",\n                 .sensor_k = (now.leaving_k - sensor_k) / p.sensor_lag_s", "",
     "missing initializer for member 'wattloop::tests::ToyFan::State::sensor_k'"},
    {"a port is forgotten in what is done", "        .room = {.heat_w = to_room_w},\n", "",
     "missing initializer for member 'wattloop::tests::ToyFan::Effect::room'"},
    {"heat is given where power is", ".motor = {.power_w = fan_w}", ".motor = {.heat_w = fan_w}", "could not convert"},
    {"a port is in no table", "        Port<ToyFan>{\"room\", &Now::room, &Effect::room},\n", "",
     "is_each_number_seen_declared_once"},
    {"what is done at a port is in no table", "{\"room\", &Now::room, &Effect::room}",
     "{\"room\", &Now::room, &Effect::coil}", "is_each_number_done_declared_once"},
    {"a setting is in no table", "Setting<ToyFan>{&Now::set_point_k,", "Setting<ToyFan>{&Now::leaving_k,",
     "is_each_number_seen_declared_once"},
    {"a state is in no table",
     "        StateOf<ToyFan>{&State::sensor_k, {\"sensor_temperature\", \"K\", 300.0, 1e-2}},\n", "",
     "is_each_state_declared_once"},
    {"a state is declared twice", "StateOf<ToyFan>{&State::sensor_k,", "StateOf<ToyFan>{&State::speed_fraction,",
     "is_each_state_declared_once"},
    {"two ports have one name", "{\"room\", &Now::room", "{\"coil\", &Now::room", "is_each_name_there_once"},
    {"a port joins the wrong medium", "&Now::coil, &Effect::coil", "&Now::coil, &Effect::motor",
     "no matching function for call to 'wattloop::Port"},
    {"a motor gives heat", "&Now::motor, &Effect::motor", "&Now::motor, &Effect::room",
     "no matching function for call to 'wattloop::Port"},
    {"air is joined where liquid flows", "    Liquid coil;", "    Body coil;", "no member named 'flow_kg_per_s'"},
    {"a reading has a unit that means nothing", "\"leaving\", \"K\"", "\"leaving\", \"degC\"",
     "has_each_unit_a_noticeable_change"},
    {"what is seen holds a count", "    double leaving_k;", "    int leaving_k;", "no matching function for call"},
    {"what is done has a default", "    Heat room;\n  };\n\n  static constexpr auto states",
     "    Heat room{};\n  };\n\n  static constexpr auto states", "has_no_defaults"},
    {"the rates are of something else", "    State rate;", "    Params rate;", "error"},
    {"the cached number reads what it does not name", "0.5 * by.kg_per_s", "0.5 * by.temperature_k",
     "has no member named 'temperature_k'"},
    {"a number is left out of what the cached number reads from", "now.coil.flow_kg_per_s, now", "now",
     "missing initializer for member"},
    {"the effect may throw", "double w_per_k) noexcept {", "double w_per_k) {", "Part<ToyFan>"},
    {"a column has no unit", "\"noise\", \"Pa\"", "\"noise\", \"\"", "is_each_column_named_once_with_unit_and_text"},
    {"two columns have one name", "\"noise\", \"Pa\"", "\"speed\", \"Pa\"",
     "is_each_column_named_once_with_unit_and_text"},
    {"a rating is for something that is not in watts", "Rating<ToyFan>{\"power\"", "Rating<ToyFan>{\"noise\"",
     "is_each_rating_for_a_column_in_watts"},
    {"columns have no table", "  static constexpr PartTable table{\"toy_fans\", \"toy_fan\"};\n", "",
     "has_table_and_columns_or_neither"},
    {"a table has no columns",
     "RecordedWith::racks};\n  static constexpr Box box = not_drawn;\n  static constexpr auto columns()",
     "RecordedWith::racks};\n  static constexpr Box box = not_drawn;\n  static constexpr auto colums()",
     "has_table_and_columns_or_neither"},
    {"a part does not even say that it is not drawn", "  static constexpr Box box = not_drawn;\n", "",
     "SaysHowItIsDrawn"},
    {"what is asked of a state is of one that is not declared", "(&HalfDeclared::State::declared)",
     "(&HalfDeclared::State::forgotten)", "no_state_declares_this_member"},
    {"what is watched is not reported", ".highest = \"warmest wall\"", ".highest = \"\"",
     "is_each_watched_named_once_with_unit_and_reported"},
    {"a part that is only reported heats", "    Power load;", "    Heat load;", "does_nothing_where_only_reported"},
    {"a part that is only told has equations", "    Power load;\n  };\n",
     "    Power load;\n  };\n  static Effect effect(const Params&, const Now& now) noexcept { return {{now.wall_k}}; "
     "}\n",
     "does_nothing_where_only_reported"},
    {"the effect is forgotten", "  static constexpr bool is_only_reported = true;\n", "", "Part<ToyGauge>"},
    {"a part has no sentence",
     "  static constexpr std::string_view doc = \"A fan that blows outdoor air through a coil.\";\n", "", "K::doc"},

    {"a bus is seen where heat is given", "{\"bus\", &Now::bus}", "{\"bus\", &Now::bus, &Effect::room}",
     "no matching function for call to 'wattloop::Port"},
    {"power is drawn where power is seen",
     "    Heat outside;\n  };\n  static constexpr auto ports() {\n    return std::array{\n"
     "        Port<ToyVent>{\"damper\", &Now::damper},\n",
     "    Heat outside;\n    Power damper;\n  };\n  static constexpr auto ports() {\n    return std::array{\n"
     "        Port<ToyVent>{\"damper\", &Now::damper, &Effect::damper},\n",
     "is_no_power_drawn_where_power_is_seen"},
    {"power is wired where only switching is seen", ".damper = {.live_fraction = 3}", ".damper = {.power_w = 3}",
     "no non-static data member named 'power_w'"},
    {"the voltage of a bus is forgotten", ".voltage_v = 1, ", "", "::voltage_v'"},

    {"a parameter is in no field",
     "          Field<P>{&P::energy_j, \"energy\", \"J\", Range::non_negative, \"Energy of a full battery.\"},\n", "",
     "is_each_parameter_declared_once"},
    {"a parameter is declared twice", "Field<P>{&P::energy_j,", "Field<P>{&P::rated_w,",
     "is_each_parameter_declared_once"},
    {"equipment has no loss", "LossCurve loss_curve(", "LossCurve curve(", "K::loss_curve(params)"},
    {"the loss may throw", "loss_curve(const Params& p) noexcept", "loss_curve(const Params& p)", "noexcept"},
    {"a battery is given as a loss", "Battery battery(const Params& p) noexcept {",
     "LossCurve battery(const Params& p) noexcept {", "energy_j"},
    {"there is a charge, but no battery", "Battery battery(", "Battery cells(",
     "has_a_battery_where_there_is_a_charge"},
    {"nothing may happen to it", "std::array events{PartEvent::open, PartEvent::close}",
     "std::array<PartEvent, 0> events{}", "is_there_something_that_may_happen"},
    {"something happens to it that nothing does", "PartEvent::close", "PartEvent::explode",
     "'explode' is not a member"},
    {"a column of equipment has no unit", "\"charge\", \"1\", \"charge of", "\"charge\", \"\", \"charge of",
     "is_each_column_named_once_with_unit_and_text"},
    {"equipment is rated for a column that is not there", "Rating<ToyLine>{\"power\"", "Rating<ToyLine>{\"heat\"",
     "is_each_rating_for_a_column_in_watts"},
    {"equipment has no word for sentences", ", noun = \"toy line\"", "", "K::noun"},
};

/// Compilers quote with signs of their own.
std::string with_plain_quotes(std::string text) {
  for (const std::string sign : {"\u2018", "\u2019"}) {
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign))
      text.replace(at, sign.size(), "'");
  }
  return text;
}

}  // namespace

TEST_CASE("a part without a mistake compiles", "[parts]") {
  for (const Toy& toy : toys) {
    const tests::Outcome outcome = compile(tests::WorkFolder(WATTLOOP_CXX), toy);
    CHECK(outcome.errors == "");
    CHECK(outcome.exit_code == 0);
  }
}

TEST_CASE("mistakes in a part are refused by the compiler, with words that report which", "[parts]") {
  const tests::WorkFolder folder(WATTLOOP_CXX);
  write_precompiled(folder);
  for (const Mistake& mistake : mistakes) {
    INFO(mistake.name);
    const tests::Outcome outcome = compile(folder, toy_with(mistake.from), mistake.from, mistake.to, "included.hpp");
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(with_plain_quotes(outcome.errors), Catch::Matchers::Contains(mistake.expected));
  }
}
