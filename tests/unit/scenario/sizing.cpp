// A hall from what is asked: counts against makers' ratings, sizes of the reference hall (docs/decisions/0011) and computations by hand.
#include <cmath>
#include <sstream>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "twin/commands/halls/new_command.hpp"
#include "twin/sizing/figures_in_library.hpp"
#include "twin/sizing/sized_text.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path library = WATTLOOP_SOURCE_DIR "/scenarios";

const LibraryFigures& devices() {
  static const LibraryFigures figures = read_library_figures(library);
  return figures;
}

NodeFigures node(const std::string& name) { return read_node_figures(name, library); }

/// The 160 racks of the reference hall.
RackSizes reference_racks() { return size_racks(10240, node("hgx_h100_liquid"), 8); }

HallSizes sized(const AskedHall& asked) {
  return size_hall(asked, node(asked.hardware), read_climate(asked, library), devices());
}

}  // namespace

TEST_CASE("watts of a node at its nameplate go to coolant and air as its file says by parts", "[sizing]") {
  // hgx_h100_liquid: GPUs 5.6 kW and half of the 3.85 kW that supplies deliver beyond them and the fans: 10.2 kW x 96 % - 5.6 - 0.34.
  const NodeFigures h100 = node("hgx_h100_liquid");
  CHECK(h100.liquid_w == Approx(5600.0 + 0.5 * (0.96 * 10200.0 - 5600.0 - 340.0)).epsilon(2e-3));
  CHECK(h100.air_w == Approx(10200.0 - h100.liquid_w));
  CHECK(node("frontier_node").liquid_w == Approx(2795.0).epsilon(2e-3));  // 94.5 % of 2958 W
  CHECK(node("gb200_nvl72_compute_tray").liquid_w / 7333.0 == Approx(0.87).margin(5e-3));
  CHECK(node("dgx_h100_air").liquid_w == 0.0);
  CHECK(node("dgx_h100_air").air_w == 10200.0);
}

TEST_CASE("GPUs are rounded up to whole racks of equal nodes", "[sizing]") {
  const RackSizes dgx = size_racks(2048, node("dgx_h100_air"), usual_nodes_per_rack(node("dgx_h100_air")));
  CHECK(dgx.racks == 64);  // scenarios/halls/dgx_h100_air.yaml
  CHECK(dgx.rack_w == 40'800.0);
  const RackSizes few = size_racks(100, node("hgx_h100_liquid"), 8);  // 12.5 nodes are 13, in 2 racks of 7
  CHECK(few.racks == 2);
  CHECK(few.nodes_per_rack == 7);
  CHECK(few.gpus == 112);
  const RackSizes nvl72 =
      size_racks(100, node("gb200_nvl72_compute_tray"), 18);  // 25 trays: two machines, none of them cut
  CHECK(nvl72.nodes_per_rack == 18);
  CHECK(nvl72.gpus == 144);
  CHECK(rows_of(160) == std::vector<int>(8, 20));
  CHECK(rows_of(53) == std::vector<int>{18, 18, 17});
}

TEST_CASE("coils and coolers carry at their makers' points what makers say", "[sizing]") {
  CHECK(coil_heat_w(devices().crahs[1], devices().crahs[1].air_kg_per_s, 35.0, 18.0) == Approx(252.4e3).epsilon(0.01));
  CHECK(coil_heat_w(devices().crahs[2], devices().crahs[2].air_kg_per_s, 35.0, 18.0) == Approx(351.7e3).epsilon(0.01));
  CHECK(dry_cooler_heat_w(devices().dry_coolers[0], 45.0, 35.0) == Approx(500e3).epsilon(0.01));
  CHECK(dry_cooler_heat_w(devices().dry_coolers[1], 40.55, 35.0) == Approx(2931e3).epsilon(0.01));
  CHECK(dry_cooler_heat_w(devices().dry_coolers[0], 40.0, 35.0) ==
        Approx(250e3).epsilon(0.01));  // linear in the approach
  CHECK(dry_cooler_heat_w(devices().dry_coolers[0], 35.0, 35.0) == 0.0);
}

TEST_CASE("a compressor lifts its rating, or what its motor gives by Carnot's law", "[sizing]") {
  const ChillerFigures& chiller = devices().chillers[1];
  CHECK(liftable_w(chiller, 18.0, 37.0) == 1250e3);
  // 250 kW x 0.6 x 291.15 K / 50 K
  CHECK(liftable_w(chiller, 18.0, 68.0) == Approx(873.45e3));
}

TEST_CASE("CDUs move what the curve of one pump gives beside their own drop", "[sizing]") {
  // 476.46 + 0.092063 Q - 1.9233e-4 Q^2 kPa at Q L/min of PG25, less 60 kPa (m / 20.24 kg/s)^2: 80 kPa are left at 1542 L/min.
  const CduFigures& cdu = devices().cdus.back();
  const double flow = 1.05 * highest_cdu_flow_kg_per_s(cdu, 80e3 / 1.05 / 1.05);
  const double litres = flow / 1012.0 * 60'000.0;
  CHECK(476.46 + 0.092063 * litres - 1.9233e-4 * litres * litres - 60.0 * std::pow(flow / 20.24, 2.0) ==
        Approx(80.0).margin(0.05));
  CHECK(highest_cdu_flow_kg_per_s(cdu, 500e3) == 0.0);
  const LoopSizes loops = size_loops(reference_racks(), node("hgx_h100_liquid"), devices().cdus, 8.0);
  CHECK(loops.cdu.name == "cdu_1370kw");
  CHECK(loops.loops * (loops.cdus - 1) ==
        9);  // 9.63 MW over 1.368 MW with 10 % to spare: 8, in loops of at most three on duty: 9
  CHECK(loops.rise_k == Approx(7526.0 / (0.1548 * 3900.0)).epsilon(2e-3));
}

TEST_CASE("trays that coolant would leave too warm get more pressure", "[sizing]") {
  const NodeFigures tray = node("gb200_nvl72_compute_tray");
  const LoopSizes loops = size_loops(size_racks(1296, tray, 18), tray, devices().cdus, 5.0);
  // 6.38 kW in 0.0964 kg/s are 17.0 K; 13 K want 1.305 of that flow, 1.703 of the 60 kPa: 105 kPa in steps of 5
  CHECK(loops.differential_pressure_pa == Approx(105e3));
  CHECK(loops.rise_k < 13.0);
}

TEST_CASE("chillers, tower cells and pumps of the reference hall are found again", "[sizing]") {
  // 5.29 MW and 282 kg/s: six machines, five needed. Stage up at half of the load that four would have.
  const ChillerSizes chillers = size_chillers(5.29e6, 282.4, {devices().chillers[1]}, 20.0, 24.0, false);
  CHECK(chillers.duty == 5);
  CHECK(chillers.count == 6);
  CHECK(chillers.stage_up_fraction == Approx(std::floor(50.0 * 5.29 / 5.0) / 100.0));
  CHECK(chillers.stage_down_fraction < chillers.stage_up_fraction);
  // Eight cells of 85.4 kg/s, of which seven take 530 kg/s and 15.7 MW
  CHECK(size_towers(15.7e6, 530.0, devices().tower).count == 8);
  CHECK(pumps_on_duty(229.6, devices().facility_pump) == 4);  // 3.13 with 5 %: that hall has three, with 1 %
}

TEST_CASE("what doors leave is what a room in steady state says", "[sizing]") {
  const RackSizes racks = reference_racks();
  const CoilFigures& door = devices().doors.front();
  const double pdus_w = 98e3, c = racks.airflow_kg_per_s * 1006.0;
  const double fans_w = door.fan_w * std::pow(racks.airflow_kg_per_s / door.air_kg_per_s, 3.0);
  double left_w = 0.0;  // of a rack, by going round the room until it changes no more
  for (int round = 0; round < 2000; ++round) {
    double intake_c = 25.0;
    for (int inner = 0; inner < 50; ++inner) {
      const double taken_w = 0.95 * coil_heat_w(door, racks.airflow_kg_per_s, intake_c + racks.rack_air_w / c, 20.0);
      const double behind_c = intake_c + (racks.rack_air_w - taken_w + fans_w) / c;
      intake_c = 0.05 * behind_c + 0.95 * 25.0 - left_w / c;
    }
    const double taken_w = 0.95 * coil_heat_w(door, racks.airflow_kg_per_s, intake_c + racks.rack_air_w / c, 20.0);
    left_w += 0.1 * (racks.rack_air_w + fans_w + pdus_w / 160.0 - taken_w - left_w);
  }
  CHECK(left_by_doors_w(racks, door, 25.0, 20.0, pdus_w) == Approx(160.0 * left_w).epsilon(1e-3));
  CHECK(chosen_door(racks, devices().doors).name == "rdhx_35kw");
  const NodeFigures dgx = node("dgx_h100_air");
  CHECK(chosen_door(size_racks(2048, dgx, 4), devices().doors).name == "rdhx_55kw");  // scenarios/halls/mixed.yaml
}

TEST_CASE("blocks of power carry what cords bring with the worst of the others out", "[sizing]") {
  const BlockPlan nine{.redundancy = "distributed", .blocks = 9, .racks = 36};  // each pair once
  CHECK(worst_racks(nine, 1).block_whole == 4.0);
  CHECK(worst_racks(nine, 1).block_worst == 4.5);  // an eighth more
  const BlockPlan two{.redundancy = "2N", .blocks = 2, .racks = 160};
  CHECK(worst_racks(two, 1).block_whole == 80.0);
  CHECK(worst_racks(two, 1).block_worst == 160.0);
  CHECK(worst_racks(two, 20).pdu_worst == 8.0);
  const BlockPlan reserve{.redundancy = "block", .blocks = 3, .racks = 10};
  CHECK(worst_racks(reserve, 1).block_worst == 4.0);
  CHECK(reserve.names() == std::vector<std::string>{"a", "b", "c", "r"});
  CHECK(plan_blocks("distributed", 160, 13.056e6).blocks == 10);
  CHECK(plan_blocks("N+1", 160, 13.056e6).said() == "single");
}

TEST_CASE("equipment of power is counted with a tenth to spare", "[sizing]") {
  const BlockPlan two{.redundancy = "2N", .blocks = 2, .racks = 160};
  BlockSizes sizes = size_ups(two, 81.6e3, 60e3, 0.0, devices());
  CHECK(sizes.pdus.device.name == "pdu_1mva");
  CHECK(sizes.pdus.count == 15);  // eleven racks of 81.6 kW with a tenth to spare on 1 MW
  // 160 x 81.6 kW, a thousandth of 15 MW and 0.007 (870 kW)^2 / 1 MW of each of 15 PDUs, 60 kW: 13.21 MW
  CHECK(sizes.ups.load_w ==
        Approx(13.056e6 + 15e3 + 15.0 * 0.007 * std::pow(13.056e6 / 15.0, 2.0) / 1e6 + 60e3).epsilon(1e-6));
  CHECK(sizes.ups.rated_w() >= 1.1 * sizes.ups.load_w);
  size_feeds(two, 1.4e6, 0.0, devices(), sizes);
  CHECK(sizes.transformers.rated_w() >= 1.1 * (sizes.ups.load_w + sizes.ups_loss_w + 1.4e6));
  CHECK(sizes.transformers.spare == 0);
  const BlockPlan spare{.redundancy = "N+1", .blocks = 1, .racks = 160};
  const BlockSizes more = size_ups(spare, 81.6e3, 60e3, 0.0, devices());
  CHECK(more.ups.spare == 1);
  CHECK((more.ups.count - 1) * more.ups.device.rated_w >= 1.1 * more.ups.load_w);
}

// Nine of 630 kVA with 4 % would have 198 kA on one bus: sqrt(3) 415 V and 150 kA are 108 MVA.
TEST_CASE("transformers on one bus have no larger fault level than breakers interrupt", "[sizing]") {
  for (const int racks : {12, 24, 48, 64, 96, 160}) {
    INFO(racks);
    const BlockPlan two{.redundancy = "2N", .blocks = 2, .racks = racks};
    BlockSizes sizes = size_ups(two, 81.6e3, 60e3, 0.0, devices());
    size_feeds(two, 3e3 * racks, 0.0, devices(), sizes);
    const double of_bus_w = sizes.transformers.rated_w() / std::max(1, sizes.low_voltage_buses);
    CHECK(of_bus_w / sizes.transformers.device.short_circuit_fraction < 1.78 * 415.0 * 150e3);
    if (racks == 48) CHECK(sizes.transformers.count < 8);
  }
}

TEST_CASE("set-points follow the hottest air of a climate", "[sizing]") {
  AskedHall asked;
  const Climate leesburg = read_climate(asked, library);
  CHECK(leesburg.dry_bulb_c == Approx(35.0).margin(0.01));  // 0.4 % cooling condition [leesburg_tmyx]
  CHECK(leesburg.wet_bulb_c == Approx(24.8).margin(0.05));
  CHECK(set_points("warm_water", leesburg).facility_c == 29.0);
  CHECK(set_points("warm_water", leesburg).coolant_c == 37.0);
  CHECK(set_points("dry_coolers", leesburg).facility_c == 40.0);  // scenarios/halls/nvl72_dry_coolers.yaml
  Climate cold = leesburg;
  cold.wet_bulb_c = 12.0;
  CHECK(set_points("warm_water", cold).facility_c == 24.0);  // the reference hall
}

TEST_CASE("air handlers are sized for the air of the site, as nodes move it", "[sizing]") {
  const AskedHall asked{.gpus = 2048, .hardware = "dgx_h100_air", .cooling = "air"};
  Climate climate = read_climate(asked, library);
  const auto at = [&](double density_ratio) {
    climate.density_ratio = density_ratio;
    return size_hall(asked, node(asked.hardware), climate, devices());
  };
  const double thin = 0.8231;  // 83.4 kPa
  const HallSizes sea = at(1.0), high = at(thin);
  CHECK(high.racks.airflow_kg_per_s == Approx(thin * sea.racks.airflow_kg_per_s));
  REQUIRE(high.crahs.crah.name == sea.crahs.crah.name);
  CHECK(high.crahs.crah.air_kg_per_s == Approx(thin * sea.crahs.crah.air_kg_per_s));
  CHECK(high.crahs.crah.fan_w == Approx(thin * sea.crahs.crah.fan_w));
  CHECK(high.crahs.net_w < 0.95 * sea.crahs.net_w);
  CHECK(high.crahs.count > sea.crahs.count);
}

TEST_CASE("what does not go together is refused with the nearest that does", "[sizing]") {
  const auto refusal = [](const AskedHall& asked, const Climate& climate) -> std::string {
    try {
      size_hall(asked, node(asked.hardware), climate, devices());
    } catch (const wattloop::InputError& error) {
      return error.what();
    }
    return "taken";
  };
  const Climate leesburg = read_climate({}, library);
  AskedHall asked{.gpus = 720, .hardware = "gb200_nvl72_compute_tray", .cooling = "air"};
  CHECK_THAT(refusal(asked, leesburg), Contains("87 % of its 7.3 kW go to cold plates") && Contains("warm_water"));
  asked.hardware = "dgx_h100_air";
  CHECK(refusal(asked, leesburg) == "taken");
  asked.cooling = "dry_coolers";
  CHECK_THAT(refusal(asked, leesburg), Contains("takes none") && Contains("--cooling rear_doors"));
  asked.hardware = "hgx_h100_liquid";
  Climate desert = leesburg;
  desert.dry_bulb_c = 48.0;
  CHECK_THAT(refusal(asked, desert), Contains("returns at 70.5 degC") && Contains("--cooling warm_water"));
  asked = {.hardware = "hgx_h100_liquid", .cooling = "dry_coolers"};
  desert.dry_bulb_c = 42.0;  // water of 47 degC would condense refrigerant beyond 50 degC
  CHECK(size_hall(asked, node(asked.hardware), desert, devices()).are_chillers_in_air());
  CHECK(!size_hall(asked, node(asked.hardware), leesburg, devices()).are_chillers_in_air());
  asked = {.gpus = 2560, .hardware = "hgx_h100_liquid", .cooling = "warm_water", .nodes_per_rack = 30};
  CHECK_THAT(refusal(asked, leesburg),
             Contains("the largest door, rdhx_75kw, takes 75 kW") && Contains("--nodes-per-rack 25"));
}

TEST_CASE("a sized hall says how to go on, and where its numbers come from", "[sizing]") {
  const std::string text = sized_text(sized({.gpus = 10240, .cooling = "warm_water"}), "my_hall.yaml");
  CHECK_THAT(text, !Contains("\ninitial:"));  // settled, as all halls
  CHECK(
      text.starts_with("# Sized by wattloop new: --gpus 10240 --hardware hgx_h100_liquid --cooling warm_water "
                       "--redundancy 2N --climate leesburg\n"));
  CHECK_THAT(text, Contains("racks: { count: 160, rows: 8, nodes: 8, hardware: hgx_h100_liquid }") &&
                       Contains("a rack draws 81.6 kW, 21.4 kW of it into the air"));
  for (const char* said : {"wattloop check my_hall.yaml", "wattloop run my_hall.yaml", "wattloop view",
                           "wattloop report", "wattloop study", "[leesburg_tmyx]"})
    CHECK_THAT(text, Contains(said));
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(999) == "999");
}

TEST_CASE("five questions are asked, with defaults, until an answer is known", "[sizing]") {
  setenv("WATTLOOP_LIBRARY", library.c_str(), 1);
  std::istringstream answers("many\n 2048 \ndgx_h\n\nN+2\n2n\n");
  std::ostringstream questions;
  AskedHall asked;
  ask_for_hall(answers, questions, asked);
  CHECK(asked.gpus == 2048);
  CHECK(asked.hardware == "dgx_h100_air");
  CHECK(asked.cooling.empty());
  CHECK(asked.redundancy == "2N");
  CHECK(asked.climate == "leesburg");
  CHECK_THAT(questions.str(),
             Contains("How many GPUs? [1024]: 'many' is not a number of GPUs; a whole number from 1 to") &&
                 Contains("How is it cooled? air, rear_doors [air]: ") && Contains("there is no 'N+2'"));
  unsetenv("WATTLOOP_LIBRARY");
}
