// `wattloop import hall`: a listed hall becomes a scenario that `check` takes, and every inconsistency is named.
#include <fmt/format.h>

#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

const std::string power_csv =
    "name,kind,rating,upstream,hardware,count\n"
    "Grid 1,utility,,,,\nTX1,transformer,2000 kVA,Grid 1,,1\nUPS-A,ups,1100 kW,TX1,ups_1250kw,2\n"
    "PDU-A1,pdu,,UPS-A,pdu_1mva,\nPDU-A2,pdu,,UPS-A,pdu_1mva,\n"
    "Grid 2,utility,,,,\nTX2,transformer,2500 kVA,Grid 2,transformer_2500kva,\nPDU-B1,pdu,400 kW,TX2,,\n";
const std::string cdus_csv = "cdu,loop,hardware,rating\nCDU-1,Loop W,cdu_800kw,700 kW\nCDU-2,Loop W,cdu_800kw,700 kW\n";

std::string rack_line(const std::string& name, const std::string& place, const std::string& hardware,
                      const std::string& feeds, const std::string& loop) {
  return fmt::format("{},{},{},{},{}\n", name, place, hardware, feeds, loop);
}

/// Five liquid-cooled racks in two rows, two air-cooled ones in the second of them.
std::string racks_csv() {
  std::string text = "rack,row,position,hardware,feed_a,feed_b,loop\n";
  for (int k = 1; k <= 3; ++k)
    text += rack_line(fmt::format("A0{}", k), fmt::format("A,{}", 4 - k), "hgx_h100_liquid", "PDU-A1,PDU-B1", "Loop W");
  text += rack_line("B01", "B,1", "hgx_h100_liquid", "PDU-A2,PDU-B1", "Loop W");
  text += rack_line("B02", "B,2", "hgx_h100_liquid", "PDU-B1,PDU-A2", "Loop W");
  text += rack_line("B05", "B,5", "dgx_h100_air", "PDU-A2,", "");
  text += rack_line("B06", "B,6", "dgx_h100_air", "PDU-A2,PDU-A1", "");
  return text;
}

void write_lists(const WorkFolder& folder, const std::string& racks, const std::string& cdus,
                 const std::string& power) {
  std::filesystem::create_directories(folder / "lists");
  folder.write("lists/racks.csv", racks);
  folder.write("lists/cdus.csv", cdus);
  folder.write("lists/power.csv", power);
}

}  // namespace

TEST_CASE("a listed hall becomes a scenario with its groups, loops, blocks and cords", "[cli][import]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_lists(folder, racks_csv(), cdus_csv, power_csv);
  const Outcome outcome = folder.run({"import", "hall", "lists", "-o", "hall.yaml"});
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.output == "hall.yaml: 7 racks in 2 groups, 1 loops, 2 power blocks; wattloop check hall.yaml\n");
  const std::string text = file_text(folder / "hall.yaml");
  CHECK_THAT(text, Contains("group_1: { count: 5, rows: [3, 2], nodes: 8, hardware: hgx_h100_liquid, on: { coolant: "
                            "circuit_loop_w, power: [a, b] } }"));
  CHECK_THAT(text, Contains("group_2: { count: 2, rows: 1, nodes: 8, hardware: dgx_h100_air, on: { power: [a] } }"));
  CHECK_THAT(text, Contains("circuit_loop_w: { cdus: 2, hardware: cdu_800kw, with: { rated_heat: 700 kW }"));
  CHECK_THAT(text,
             Contains("transformers: { count: 1, hardware: transformer_2500kva, with: { rated_power: 2000 kVA } }"));
  CHECK_THAT(text, Contains("ups: { modules: 2, hardware: ups_1250kw, with: { rated_power: 1100 kW } }") &&
                       Contains("ups: none"));
  CHECK_THAT(text,
             Contains("pdus: { count: 2, hardware: pdu_1mva }") && Contains("pdus: { count: 1, hardware: pdu_400kva"));
  CHECK_THAT(text, Contains("- { pdus: [pdu_a_1, pdu_b_1], racks: [row_1.rack_1, row_1.rack_2, row_1.rack_3] }"));
  CHECK_THAT(text, Contains("- { pdus: [pdu_b_1, pdu_a_2], racks: [row_2.rack_2] }"));
  CHECK_THAT(text, Contains("# row_1.rack_1     A03, A, 1"));  // by position, not by line
  CHECK_THAT(outcome.errors, Contains("row B: it has racks of several groups; each group gets its own rows: 2, 3"));
  CHECK_THAT(outcome.errors, Contains("rack B06: both feeds, PDU-A2 and PDU-A1, have the same source"));
  CHECK_THAT(outcome.errors,
             Contains("row B: free positions") && Contains("rows have different lengths, 3 to 4 racks"));
  CHECK_THAT(outcome.errors, Contains("no column 'nodes': 8 nodes in each rack"));
  CHECK_THAT(outcome.errors, Contains("warning: the rating of pdu PDU-B1 is 400 kW, less than the sum of the "
                                      "nameplates of all racks with a cord behind it: 408 kW"));
  const Outcome check = folder.run({"check", "hall.yaml"});
  INFO(check.errors);
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.output, Contains("7 racks, 56 nodes"));
  CHECK(wattloop::twin::read_scenario(folder / "hall.yaml").racks.size() == 2);

  CHECK(folder.run({"import", "hall", "lists", "-o", "hall.yaml", "-q"}).exit_code == 0);  // over its own
  folder.write("mine.yaml", "mine\n");
  CHECK(folder.run({"import", "hall", "lists", "-o", "mine.yaml"}).exit_code == 1);
  CHECK(folder.run({"import", "hall", "lists", "-o", "lists/racks.csv", "--force"}).exit_code == 1);
  CHECK(file_text(folder / "mine.yaml") == "mine\n");
}

TEST_CASE("every inconsistency of listed halls is reported at once, with line and nearest name", "[cli][import]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_lists(folder,
              "rack,row,position,hardware,feed_a,feed_b,cdu,nodes\n"
              "A01,A,1,hgx_h100_liquid,PDU-A1,PDU-B1,CDU-1,8\n"
              "A01,A,2,hgx_h100_liqid,PDU-A1,PDU-B1,CDU-1,8\n"
              "A03,A,1,hgx_h100_liquid,PDU-A1,PDU-B9,CDU-1,8\n"
              "A04,A,4,hgx_h100_liquid,UPS-A,,CDU-3,none\n"
              "A05,A,5,hgx_h100_liquid,PDU-A1,,,8\n"
              "A06,A,6,cdu_800kw,,,,8\n"
              "A07,A,7\n",
              "cdu,loop,hardware,rating\nCDU-1,L1,cdu_800kw,700 degC\nCDU-1,L1,cdu_800kw,\nCDU-2,,cdu_800,\n",
              "name,kind,rating,upstream\nUPS-A,ups,1 MW,PDU-A1\nPDU-A1,pdu,1 MW,UPS-A\nPDU-B1,pdo,1 "
              "MW,UPS-C\nTX,transformer,,\n");
  const Outcome outcome = folder.run({"import", "hall", "lists", "-o", "hall.yaml"});
  CHECK(outcome.exit_code == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "hall.yaml"));
  for (const char* reported :
       {"racks.csv:3:1: 'A01' is listed twice", "did you mean 'hgx_h100_liquid'?",
        "racks.csv:4:7: position 1 of row 'A' is already the position of 'A01'", "there is no PDU 'PDU-B9'",
        "'UPS-A' is no PDU", "there is no CDU 'CDU-3'", "'none' is no count from 1",
        "'hgx_h100_liquid' needs coolant, but rack 'A05' has no loop", "'cdu_800kw' is a cdu, expected a node",
        "rack 'A06' has no feed", ": 3 cells, but the first line names 8 columns",
        "cdus.csv:2:20: rating: ", "cdus.csv:3:1: 'CDU-1' is listed twice", "'CDU-2' has no loop",
        "did you mean 'cdu_800kw'?", "'UPS-A' is fed by itself", "there is no kind 'pdo'",
        "there is no equipment 'UPS-C'", "'TX' has neither hardware nor a rating"}) {
    CHECK_THAT(outcome.errors, Contains(reported));
  }
  write_lists(folder, "rack,row,place,hardware,feed_a,feed_b\n", cdus_csv, power_csv);
  CHECK_THAT(folder.run({"import", "hall", "lists"}).errors, Contains("racks.csv:1:1: needs a column 'position'"));
  CHECK(folder.run({"import", "hall", "nowhere"}).exit_code == 1);
  CHECK(folder.run({"import", "hall"}).exit_code == 1);
}
