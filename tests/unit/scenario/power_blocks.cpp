// Power by blocks: where cords go, by hand; what every block carries when one is out, by arithmetic on racks of 1 kW and PDUs that
// lose nothing; what a file may say and what not. Modules that fail: tests/unit/scenario/power_modules.cpp.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "electrical/power_tree.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/build/templates/cord_plan.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;
using BlockNumbers = std::vector<std::size_t>;

constexpr std::size_t pdus = 4;
constexpr double rack_w = 1e3;

PowerSpec blocks_of(std::size_t count, const std::string& redundancy) {
  PowerSpec power = tests::two_sided_scenario().power;
  power.topology = "single";
  power.redundancy = redundancy;
  power.pdus = static_cast<int>(pdus);
  power.pdu = {.rated_w = 1e6, .constant_loss_fraction = 0.0, .quadratic_loss_fraction = 0.0};
  for (std::size_t number = 0; number < count; ++number) {
    power.named_blocks.push_back(power);
    power.named_blocks.back().name = std::string(1, static_cast<char>('a' + number));
  }
  if (redundancy == "block") power.reserve = power.named_blocks.back().name;
  return power;
}

/// A hall of nothing but racks, and a motor on the UPS and one on the low voltage.
electrical::PowerTree tree_of(const PowerSpec& power, std::size_t racks) {
  Diagram diagram;
  diagram.rooms.push_back({.name = "room_1", .air = {}, .supply = {}});
  for (std::size_t rack = 0; rack < racks; ++rack)
    diagram.loads.push_back({.name = fmt::format("rack_{}", rack), .at = SupplyPoint::rack_pdus, .place = rack});
  diagram.loads.push_back({.name = "pump", .at = SupplyPoint::ups, .place = 0});
  diagram.loads.push_back({.name = "tower", .at = SupplyPoint::low_voltage, .place = 0});
  return electrical::build_power_tree(one_line_of(diagram, power));
}

/// What branches carry while every rack draws 1 kW and motors nothing.
class Site {
 public:
  Site(const PowerSpec& power, std::size_t racks) : tree(tree_of(power, racks)) {
    std::fill_n(load_w_.begin(), racks, rack_w);
    evaluate();
  }

  void lose(const std::string& block) {
    switches.source_live[*electrical::find_source(tree, "utility_" + block)] = 0;
    evaluate();
  }
  double w(const std::string& branch) const { return flow.branch_output_w[*electrical::find_branch(tree, branch)]; }
  double served_w() const { return flow.served_w; }
  std::array<std::string, 2> buses(const std::string& load) const {
    const auto [first, second] = tree.load_bus[*electrical::find_load(tree, load)];
    return {tree.bus_name[static_cast<std::size_t>(first)],
            second == electrical::no_bus ? "" : tree.bus_name[static_cast<std::size_t>(second)]};
  }

  const electrical::PowerTree tree;
  electrical::SwitchState switches = electrical::normal_switch_state(tree);
  electrical::PowerFlow flow = electrical::make_power_flow(tree);

 private:
  void evaluate() {
    electrical::energise(tree, switches);
    electrical::evaluate(tree, load_w_, switches, flow);
  }

  std::vector<double> load_w_ = std::vector<double>(tree.load_name.size());
};

/// Blocks and PDUs of the cords of a rack, as in "a1 b3".
std::string cords_of(const CordPlan& plan, std::size_t rack) {
  std::string text;
  for (const Cord& cord : plan.cords(rack))
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", static_cast<char>('a' + cord.block), cord.pdu_of(pdus) + 1);
  return text;
}

Texts first_cords(const CordPlan& plan, std::size_t racks) {
  Texts texts;
  for (std::size_t rack = 0; rack < racks; ++rack) texts.push_back(cords_of(plan, rack));
  return texts;
}

std::vector<BlockNumbers> first_motors(const CordPlan& plan, std::size_t motors) {
  std::vector<BlockNumbers> blocks;
  for (std::size_t motor = 0; motor < motors; ++motor) blocks.push_back(plan.motor_blocks(motor));
  return blocks;
}

std::string head() {
  return "extends: h100_10k.yaml\n"
         "power:\n"
         "  topology: null\n  substation: null\n  transformers: null\n  generators: null\n  ups: null\n  pdus: null\n";
}

std::string block_a() {
  return "    a:\n"
         "      transformers: { count: 8, hardware: transformer_2500kva }\n"
         "      generators: { count: 6, hardware: genset_3mw }\n"
         "      ups: { modules: 12, redundant: 2, hardware: ups_1500kw }\n"
         "      pdus: { count: 20, hardware: pdu_1mva }\n";
}

const std::filesystem::path file = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "blocks.yaml";

/// Problems as "line:column: message | hint", of files that extend the reference hall.
Texts problems_of(const std::string& text) {
  Texts texts;
  try {
    read_scenario_text(text, file);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      texts.push_back(
          fmt::format("{}:{}: {} | {}", problem.place.line, problem.place.column, problem.message, problem.hint));
  }
  return texts;
}

}  // namespace

TEST_CASE("cords of one are laid on blocks in turn, and on the PDUs of each in turn", "[blocks]") {
  const CordPlan plan = cord_plan(blocks_of(3, "single"));
  CHECK(first_cords(plan, 7) == Texts{"a1", "b1", "c1", "a2", "b2", "c2", "a3"});
  CHECK(first_motors(plan, 4) == std::vector<BlockNumbers>{{0}, {1}, {2}, {0}});
}

TEST_CASE("cords of 2N are laid on the PDUs of one number, and motors prefer both blocks in turn", "[blocks]") {
  const CordPlan plan = cord_plan(blocks_of(2, "2N"));
  CHECK(first_cords(plan, 6) == Texts{"a1 b1", "a2 b2", "a3 b3", "a4 b4", "a1 b1", "a2 b2"});
  CHECK(first_motors(plan, 3) == std::vector<BlockNumbers>{{0, 1}, {1, 0}, {0, 1}});
}

TEST_CASE("racks of a block that is lost come to all PDUs of the reserve", "[blocks]") {
  const CordPlan plan = cord_plan(blocks_of(3, "block"));
  CHECK(plan.racks_transfer());
  CHECK(first_cords(plan, 8) == Texts{"a1 c1", "b1 c3", "a2 c2", "b2 c4", "a3 c3", "b3 c1", "a4 c4", "b4 c2"});
  CHECK(first_motors(plan, 3) == std::vector<BlockNumbers>{{0, 2}, {1, 2}, {0, 2}});
}

TEST_CASE("distributed cords take all pairs of blocks in turn, neighbours first", "[blocks]") {
  const CordPlan three = cord_plan(blocks_of(3, "distributed"));
  CHECK_FALSE(three.racks_transfer());
  CHECK(first_cords(three, 6) == Texts{"a1 b1", "b3 c1", "c3 a3", "a2 b2", "b4 c2", "c4 a4"});
  CHECK(first_motors(three, 6) == std::vector<BlockNumbers>{{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}});
  Texts blocks;
  for (const Cord& cord : cord_plan(blocks_of(4, "distributed")).cords(4)) blocks.push_back(std::to_string(cord.block));
  CHECK(blocks == Texts{"0", "2"});
  CHECK(cord_plan(blocks_of(4, "distributed")).cords(6).front().block == 0);  // six pairs: a new round
}

TEST_CASE("loads may be laid over some of the blocks", "[blocks]") {
  const PowerSpec power = blocks_of(4, "distributed");
  CHECK(first_cords(cord_plan(power, Texts{"b", "d"}), 2) == Texts{"b1 d1", "b2 d2"});
  CHECK(first_cords(cord_plan(power, Texts{"c"}), 2) == Texts{"c1", "c2"});
  CHECK(first_cords(cord_plan(blocks_of(3, "block"), Texts{"b"}), 2) == Texts{"b1 c1", "b2 c2"});
}

TEST_CASE("the order in which blocks are named, and that all of them are, means nothing", "[blocks]") {
  const PowerSpec power = blocks_of(3, "distributed");
  CHECK(named_blocks(power, Texts{"b", "a"}) == Texts{"a", "b"});
  CHECK(named_blocks(power, Texts{"c", "a", "b"}).empty());
  CHECK(named_blocks(power, {}).empty());
  CHECK(named_blocks(power, Texts{"c", "d"}) == Texts{"c"});
}

// Three groups of 2, 3 and 15 racks on the same two blocks, each said in its own words: twenty racks take turns on twenty PDUs.
TEST_CASE("racks of groups that hang on the same blocks take turns on their PDUs", "[blocks][groups]") {
  const std::string group = "nodes: 1, hardware: hgx_h100_liquid";
  const Scenario scenario = read_scenario_text(head() + "  rooms: null\n  redundancy: single\n  blocks:\n" + block_a() +
                                                   "    b: { like: a }\n" +
                                                   "hall:\n  racks:\n    count: null\n    rows: null\n    nodes: "
                                                   "null\n    hardware: null\n    on: null\n    x: { count: 2, " +
                                                   group + ", on: { power: [a, b] } }\n    y: { count: 3, " + group +
                                                   ", on: { power: [b, a] } }\n    z: { count: 15, " + group + " }\n",
                                               file);
  const Plant plant = build_plant(scenario);
  std::map<std::string, int> racks_on;
  for (const RackPart& rack : plant.it.racks) {
    const auto [first, second] = plant.power_tree.load_bus[rack.load];
    ++racks_on[plant.power_tree.bus_name[static_cast<std::size_t>(first)]];
  }
  CHECK(racks_on.size() == 20);  // ten PDUs of each block, one rack each
  for (const auto& [bus, count] : racks_on) CHECK(count == 1);
}

// n blocks share a load evenly, 1 / n of it each; without one each of the others has 1 / (n - 1).
TEST_CASE("distributed blocks carry n / (n - 1) of what they did when one is lost, and so does every PDU", "[blocks]") {
  for (const std::size_t count : {3u, 4u, 5u}) {
    const PowerSpec power = blocks_of(count, "distributed");
    const double racks = 240.0;
    Site site(power, 240);
    for (const PowerBlockSpec& block : power.named_blocks) {
      CHECK(site.w("ups_" + block.name) == Approx(racks * rack_w / static_cast<double>(count)));
      CHECK(site.w("pdu_" + block.name + "_1") == Approx(racks * rack_w / static_cast<double>(count * pdus)));
    }
    site.lose("b");
    const double left = static_cast<double>(count - 1);
    CHECK(site.served_w() == Approx(racks * rack_w));
    for (const PowerBlockSpec& block : power.named_blocks) {
      INFO(count << " blocks, b is lost: " << block.name);
      CHECK(site.w("ups_" + block.name) == Approx(block.name == "b" ? 0.0 : racks * rack_w / left));
      for (std::size_t pdu = 1; pdu <= pdus && block.name != "b"; ++pdu)
        CHECK(site.w(fmt::format("pdu_{}_{}", block.name, pdu)) ==
              Approx(racks * rack_w / left / static_cast<double>(pdus)));
    }
  }
}

TEST_CASE("a reserve carries nothing, and then what the lost block did", "[blocks]") {
  Site site(blocks_of(4, "block"), 120);
  for (const char* block : {"a", "b", "c"}) CHECK(site.w(std::string("ups_") + block) == Approx(40 * rack_w));
  CHECK(site.w("ups_d") == 0.0);
  site.lose("b");
  CHECK(site.served_w() == Approx(120 * rack_w));
  CHECK(site.w("ups_a") == Approx(40 * rack_w));
  CHECK(site.w("ups_c") == Approx(40 * rack_w));
  CHECK(site.w("ups_d") == Approx(40 * rack_w));
  for (std::size_t pdu = 1; pdu <= pdus; ++pdu) CHECK(site.w(fmt::format("pdu_d_{}", pdu)) == Approx(10 * rack_w));
}

TEST_CASE("of single blocks one takes its racks with it, of two for all the other carries all", "[blocks]") {
  Site single(blocks_of(3, "single"), 60);
  single.lose("c");
  CHECK(single.served_w() == Approx(40 * rack_w));
  Site both(blocks_of(2, "2N"), 60);
  CHECK(both.w("ups_b") == Approx(30 * rack_w));
  both.lose("a");
  CHECK(both.w("ups_b") == Approx(60 * rack_w));
}

TEST_CASE("blocks of one name each make the hall that topology makes", "[blocks]") {
  Scenario by_sides = tests::two_sided_scenario(), by_blocks = by_sides;
  PowerSpec& power = by_blocks.power;
  power.topology = "single";
  power.redundancy = "2N";
  for (const char* name : {"a", "b"}) {
    power.named_blocks.push_back(power);
    power.named_blocks.back().name = name;
  }
  const Plant sides = build_plant(by_sides), blocks = build_plant(by_blocks);
  CHECK(blocks.power_tree.branch_name == sides.power_tree.branch_name);
  CHECK(blocks.power_tree.source_name == sides.power_tree.source_name);
  CHECK(blocks.power_tree.load_name == sides.power_tree.load_name);
  CHECK(blocks.power_tree.load_bus == sides.power_tree.load_bus);
  CHECK(blocks.power_tree.load_transfers == sides.power_tree.load_transfers);
  CHECK(blocks.map.state_count == sides.map.state_count);
}

TEST_CASE("without UPS PDUs and motors hang on the low voltage, and racks go with the feed", "[blocks]") {
  PowerSpec power = blocks_of(2, "single");
  power.named_blocks[1].is_without_ups = true;
  Site site(power, 4);
  CHECK_FALSE(electrical::find_branch(site.tree, "ups_b"));
  CHECK(site.tree.branch_from[*electrical::find_branch(site.tree, "pdu_b_1")] ==
        site.tree.branch_to[*electrical::find_branch(site.tree, "transformer_b")]);
  CHECK(site.buses("pump")[0] == "ups_a.output");
  power.named_blocks[0].is_without_ups = true;
  CHECK(Site(power, 4).buses("pump")[0] == "transformer_a.output");
  CHECK(power.blocks_with_ups().empty());
  site.switches.battery_ready.assign(site.switches.battery_ready.size(), 1);
  site.lose("a");
  CHECK(site.served_w() == Approx(4 * rack_w));  // on the battery of a
  site.lose("b");
  CHECK(site.served_w() == Approx(2 * rack_w));
}

TEST_CASE("a motor rides through where all that it may hang on is protected", "[blocks]") {
  Scenario scenario = tests::two_sided_scenario();
  const auto riding = [&] {
    const Plant plant = build_plant(scenario);
    return std::ranges::count_if(plant.motors, [](const MotorPart& motor) { return motor.rides_through; });
  };
  CHECK(riding() > 0);
  scenario.power.is_without_ups = true;
  CHECK(riding() == 0);
}

TEST_CASE("blocks are read, one like the other but for what it says", "[blocks][scenario]") {
  const Scenario scenario = read_scenario_text(
      head() + "  rooms: null\n  redundancy: block\n  reserve: r\n  blocks:\n" + block_a() +
          "    b: { like: a, transformers: { count: 7, redundant: 1 }, generators: null, ups: none }\n"
          "    c: { like: b, pdus: { hardware: pdu_100kw } }\n"
          "    r: { like: a, ups: { modules: 13, hardware: ups_97, with: { battery_time: 60 s } } }\n",
      file);
  const PowerSpec& power = scenario.power;
  REQUIRE(power.sides() == 4);
  const PowerBlockSpec &a = power.named_blocks[0], &b = power.named_blocks[1], &c = power.named_blocks[2],
                       &r = power.named_blocks[3];
  CHECK(a.ups_modules == 12);
  CHECK(a.redundant_ups_modules == 2);
  CHECK(b.transformers == 7);
  CHECK(b.redundant_transformers == 1);
  CHECK(b.transformer.rated_va == a.transformer.rated_va);
  CHECK(b.is_without_ups);
  CHECK_FALSE(b.generators.is_given);
  CHECK(c.is_without_ups);
  CHECK(c.pdus == 20);
  CHECK(c.pdu.rated_w == Approx(100e3));
  CHECK(r.ups_modules == 13);
  CHECK(r.redundant_ups_modules == 2);
  CHECK(r.ups.battery_time_s == 60.0);
  CHECK(r.generators.count == 6);
  CHECK(power.blocks_with_ups() == Texts{"a", "r"});
  CHECK(power.laid_out_as() == "block");
}

TEST_CASE("what blocks cannot be is reported all at once, each at its place", "[blocks][errors]") {
  const std::string text = head() + "  redundancy: 2N\n  blocks:\n" + block_a() +
                           "    b: { like: aa }\n"
                           "    c: { like: d }\n"
                           "    d: { like: c }\n"
                           "    e: { like: a, ups: { redundant: 12 }, pdus: { with: { rated_power: 1 MW } } }\n"
                           "    f_2: { like: a, upss: none }\n";
  CHECK(problems_of(text) ==
        Texts{"9:15: redundancy: 2N needs two blocks, but there are 6: a, b, c, d, e, f_2 | distributed connects cords "
              "to pairs of three or more blocks",
              "16:16: like: there is no block 'aa' | known: a, c, d, e, f_2",
              "17:16: like: these blocks refer to each other in a circle: d, like c, like d | describe one of these "
              "blocks without `like`",
              "18:16: like: these blocks refer to each other in a circle: c, like d, like c | describe one of these "
              "blocks without `like`",
              "19:37: redundant is 12, but there are 12 modules at a low-voltage bus | write at most 11: the others "
              "carry the whole load",
              "19:57: pdus: `with` changes a device, but no `hardware` is given beside it | write hardware: NAME, "
              "with: { ... }",
              "20:5: 'f_2' is not a valid name of a block | write small letters and digits, as in a, b, c2, reserve; "
              "the equipment is named after the block: pdu_a_1",
              "20:21: power.blocks.f_2 has no parameter 'upss' | did you mean 'ups'?"});
}

TEST_CASE("a redundancy that its blocks cannot give is refused", "[blocks][errors]") {
  const std::string blocks = "  blocks:\n" + block_a() + "    b: { like: a }\n";
  const auto only = [](const std::string& text) {
    const Texts problems = problems_of(text);
    REQUIRE(problems.size() == 1);
    return problems.front();
  };
  CHECK(only(head() + "  redundancy: distributed\n" + blocks) ==
        "9:15: redundancy: distributed needs three blocks or more, but there are 2: a, b | for two blocks write 2N");
  CHECK(only(head() + "  redundancy: block\n" + blocks) ==
        "9:15: redundancy: block needs 'reserve' | write reserve: NAME, the block that takes the load of a block that "
        "fails, one of "
        "a, b");
  CHECK(only(head() + "  redundancy: block\n  reserve: bb\n" + blocks) ==
        "10:12: reserve: there is no block 'bb' | known: a, b");
  CHECK(only(head() + "  reserve: b\n" + blocks) ==
        "9:12: redundancy: single has no reserve | write redundancy: block, with which the reserve takes the load of a "
        "block that fails; or delete reserve");
  CHECK(only(head() + "  redundancy: 2n\n" + blocks).find("'2n' is unknown") != std::string::npos);
  CHECK(only(head() + "  blocks: {}\n").find("blocks: no block is given") != std::string::npos);
  CHECK(only("extends: h100_10k.yaml\npower: { redundancy: 2N }\n") ==
        "2:22: redundancy needs blocks, and the hall has none | without blocks write topology: single or topology: 2N");
  const Texts both = problems_of("extends: h100_10k.yaml\npower:\n  redundancy: 2N\n" + blocks);
  CHECK(both.size() == 6);  // topology, substation, transformers, generators, UPS, PDUs
  for (const std::string& problem : both) CHECK(problem.find("and 'blocks' both describe") != std::string::npos);
}

TEST_CASE("without blocks a side may be without UPS, and say what it has to spare", "[blocks][scenario]") {
  const std::filesystem::path hall = file.parent_path() / "halls/one_low_voltage_bus.yaml";
  const Scenario none = read_scenario(hall, {"power.ups=none", "power.rooms=null"});
  CHECK(none.power.is_without_ups);
  const Plant plant = build_plant(none);
  CHECK(plant.batteries.empty());
  CHECK(plant.without_ups == Texts{"a", "b"});
  const Plant spare = build_plant(read_scenario(hall, {"power.ups.redundant=1"}));
  CHECK(spare.power_tree.branch_spare_modules[*electrical::find_branch(spare.power_tree, "ups_a")] == 1);
  const Plant as_before = build_plant(read_scenario(hall));
  CHECK(std::ranges::count(as_before.power_tree.branch_spare_modules, electrical::not_said) ==
        static_cast<std::ptrdiff_t>(as_before.power_tree.branch_name.size()));
}
