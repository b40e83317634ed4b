// What a report says of a study: margins, first violations, the nearest run that holds, shares of variance, each by hand.
#include "twin/report/study/study_page.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/report/study/study_findings.hpp"
#include "twin/study/tables/study_table_reader.hpp"

using namespace wattloop::twin;
using wattloop::tests::TemporaryFolder;
using Kind = TableColumn::Kind;

namespace {

/// supply 30, 35, 40, 45 degC with and without a lost CDU; die = supply + 25, 8 hotter without the CDU.
StudyTable sample_table() {
  StudyTable table{.title = "<b>losses</b>",
                   .runs = 8,
                   .columns = {{"supply", "degC", "supply", Kind::number, true},
                               {"part", "", "part", Kind::text, true},
                               {"peak_die_temperature", "degC", "die", Kind::number, false},
                               {"peak_die_temperature <= 70 degC", "", "", Kind::verdict, false}}};
  for (int k = 0; k < 8; ++k) {
    const double supply = 30.0 + 5.0 * (k / 2), die = supply + 25.0 + (k % 2 == 1 ? 8.0 : 0.0);
    table.rows.push_back({.run = static_cast<std::size_t>(k + 1),
                          .cells = {fmt::format("{}", supply), k % 2 == 1 ? "cdu_1" : "", fmt::format("{}", die),
                                    die <= 70.0 ? "held" : "violated"}});
  }
  return table;
}

}  // namespace

TEST_CASE("a study says how far limits are, where they are first violated and which run would have met them",
          "[study_page]") {
  const std::vector<LimitFinding> findings = limit_findings(sample_table());
  REQUIRE(findings.size() == 1);
  const LimitFinding& die = findings[0];
  CHECK(die.judged == 8);
  CHECK(die.violating == 2);  // 73 and 78 degC; 70 is met
  CHECK(die.figure == 2);
  CHECK(die.least_met.value().margin == Approx(0.0).margin(1e-9));
  CHECK(die.least_met.value().row == 6);
  CHECK(die.worst.value().row == 7);
  CHECK(die.worst.value().margin == Approx(-8.0));
  REQUIRE(die.first.size() == 1);
  CHECK(die.first[0].largest_met == 35.0);
  CHECK(die.first[0].smallest_violated == 40.0);
  CHECK(die.first[0].largest_violated == 45.0);
  CHECK_FALSE(die.first[0].smallest_met.has_value());
  CHECK(die.remedy_row == 3);  // run 4: 10 of 15 K away; run 7 without the loss is a whole change away
  CHECK(die.remedy_margin.value() == Approx(2.0));
}

TEST_CASE("the nearest run is near in shares of the ranges of changes, not in their own units", "[study_page]") {
  // Flow goes from 0.1 to 0.5, speed from 100 to 900: run 2 is half of the range of flow away, run 3 a quarter of that of speed.
  StudyTable table{.title = "two changes",
                   .runs = 4,
                   .columns = {{"flow", "kg/s", "flow", Kind::number, true},
                               {"speed", "1", "speed", Kind::number, true},
                               {"peak_die_temperature", "degC", "die", Kind::number, false},
                               {"peak_die_temperature <= 70 degC", "", "", Kind::verdict, false}}};
  const std::vector<std::vector<std::string>> cells{{"0.1", "100", "80", "violated"},
                                                    {"0.3", "100", "69", "held"},
                                                    {"0.1", "300", "68", "held"},
                                                    {"0.5", "900", "60", "held"}};
  for (std::size_t k = 0; k < cells.size(); ++k) table.rows.push_back({.run = k + 1, .cells = cells[k]});
  const LimitFinding found = limit_findings(table).at(0);
  CHECK(found.remedy_row == 2);
  CHECK(found.remedy_margin.value() == Approx(2.0));
  table.rows[2].cells[1] = "600";  // now it is five eighths away
  CHECK(limit_findings(table).at(0).remedy_row == 1);
}

TEST_CASE("what a run lost is no change that one can make", "[study_page]") {
  StudyTable table = sample_table();
  for (StudyRow& row : table.rows)
    if (row.cells[1] == "cdu_1") row.cells[3] = "violated";  // with the loss nothing holds
  CHECK_FALSE(limit_findings(table)[0].remedy_row.has_value());
  const std::string page = study_page(table, "losses");
  CHECK(page.find("<li>violated in runs 2, 4, 6 and 8</li>") != std::string::npos);
  CHECK(page.find("no run with what run 8 had to bear holds all limits") != std::string::npos);
  table.rows[6].cells[3] = "violated";  // 6, 7 and 8
  CHECK(study_page(table, "losses").find("<li>violated in runs 2, 4 and 6 to 8</li>") != std::string::npos);
  const std::string with_remedy = study_page(sample_table(), "losses");
  CHECK(with_remedy.find("<li>violated in runs 6 and 8</li>") != std::string::npos);
  CHECK(with_remedy.find("smallest change of run 8 among those searched that holds all limits: supply 35 degC instead "
                         "of 45 degC (run 4, 2 K left)") != std::string::npos);
}

TEST_CASE("a limit below, with a unit of its own, and figures that are not kept", "[study_page]") {
  StudyTable table = sample_table();
  table.columns[3].name = "peak_die_temperature >= 331.15 K";  // 58 degC
  for (StudyRow& row : table.rows) row.cells[3] = number_of(row.cells[2]) >= 58.0 ? "held" : "violated";
  const LimitFinding warm = limit_findings(table)[0];
  CHECK(warm.violating == 1);
  CHECK(warm.worst.value().margin == Approx(-3.0));
  CHECK(warm.first[0].smallest_met == 35.0);
  table.columns[3].name = "pue <= 1.2";
  const LimitFinding unknown = limit_findings(table)[0];
  CHECK_FALSE(unknown.figure.has_value());
  CHECK_FALSE(unknown.worst.has_value());
  CHECK(unknown.violating == 1);
}

TEST_CASE("shares of variance are those of a sum of two changes, by hand", "[study_page]") {
  const StudyTable table = sample_table();
  // die = 55 + 5 i + 8 j: variances 25 * 1.25 and 64 * 0.25, which add up.
  const double of_supply = 31.25, of_part = 16.0;
  CHECK(explained_share(table, 0, 2).value() == Approx(of_supply / (of_supply + of_part)));
  CHECK(explained_share(table, 1, 2).value() == Approx(of_part / (of_supply + of_part)));
  StudyTable still = table;
  for (StudyRow& row : still.rows) row.cells[2] = "1.1";
  CHECK_FALSE(explained_share(still, 0, 2).has_value());
  // 1,000 samples of y = x^2 + noise-free z: ten classes of x see all but what varies within a tenth.
  StudyTable many{.columns = {{"x", "", "", Kind::number, true},
                              {"z", "", "", Kind::number, true},
                              {"y", "", "", Kind::number, false}}};
  for (int k = 0; k < 1000; ++k) {
    const double x = k / 1000.0, z = std::fmod(k * 0.6180339887, 1.0);
    many.rows.push_back({.run = static_cast<std::size_t>(k),
                         .cells = {fmt::format("{}", x), fmt::format("{}", z), fmt::format("{}", 3.0 * x + z)}});
  }
  CHECK(explained_share(many, 0, 2).value() == Approx(0.9).margin(0.02));  // 9/12 over 10/12, less a hundredth
  CHECK(explained_share(many, 1, 2).value() == Approx(0.1).margin(0.02));
}

TEST_CASE("the table of a study comes back from its HDF5 file", "[study_page]") {
  const TemporaryFolder folder;
  StudyTable table = sample_table();
  table.rows[3].exit_code = 2;
  table.rows[3].message = "no answer";
  table.rows[3].cells = {"35", "cdu_1", "", ""};
  table.rows[0].cells[2] = "55.1234567890123";  // as a run wrote it: no digit is lost
  table.rows[1].cells[2] = "1.234567e-07";
  write_hdf5(table, folder / "study.h5");
  REQUIRE(is_study_table(folder / "study.h5"));
  const StudyTable read = read_study_table(folder / "study.h5");
  CHECK(read.title == table.title);
  CHECK(read.runs == 8);
  REQUIRE(read.columns.size() == table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    CHECK(read.columns[c].name == table.columns[c].name);
    CHECK(read.columns[c].kind == table.columns[c].kind);
    CHECK(read.columns[c].is_change == table.columns[c].is_change);
  }
  REQUIRE(read.rows.size() == 8);
  for (std::size_t row = 0; row < 8; ++row) {
    CHECK(read.rows[row].cells == table.rows[row].cells);
    CHECK(read.rows[row].message == table.rows[row].message);
    CHECK(read.rows[row].exit_code == table.rows[row].exit_code);
  }
}

TEST_CASE("the page of a study holds every row as data, and texts as texts", "[study_page]") {
  StudyTable table = sample_table();
  table.rows[0].cells[1] = "</script><b>";
  const std::string page = study_page(table, "losses");
  CHECK(page.find("<b>losses") == std::string::npos);
  CHECK(page.find("supply: every run holds up to 35 degC, the first violation is at 40 degC") != std::string::npos);
  CHECK(page.find("farthest beyond it: 8 K, run 8") != std::string::npos);
  const std::size_t first = page.find("JSON.parse(") + 11;
  const std::string json = page.substr(first, page.find(");\n", first) - first);
  const nlohmann::json data = nlohmann::json::parse(nlohmann::json::parse(json).get<std::string>());
  CHECK(json.find('<') == std::string::npos);
  REQUIRE(data.at("rows").size() == 8);
  CHECK(data.at("rows")[0][2] == "</script><b>");
  CHECK(data.at("rows")[7][3] == 78.0);
  CHECK(data.at("columns")[1].at("change") == true);
}
