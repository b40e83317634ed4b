// What audits, searches and draws of studies print: findings in which no two numbers are equal, so that the number of another outcome, another
// unit or another end would show.
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "twin/commands/studies/audit_text.hpp"
#include "twin/commands/studies/search_text.hpp"
#include "twin/study/tables/drawn_findings.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;
using Column = TableColumn::Kind;

namespace {

/// With one blank where there are more.
std::string plain(const std::string& text) { return std::regex_replace(text, std::regex("[ \n]+"), " "); }

/// Of five parts: three cannot be maintained, two may not fail, and a pair may not.
AuditFindings made_up_findings() {
  using Kind = AuditCase::Kind;
  AuditFindings found{.parts = {"cdu_1", "ups_a", "pump_a", "tower_1", "pdu_9"}, .cases = 12, .load_w = 3e6};
  found.costly = {{7, {Kind::failed, 0, 0}, true, true, "rack dark", 25.0, 7200.0},
                  {8, {Kind::failed, 1, 0}, true, true, "room warm", 35.0, 5400.0},
                  {9, {Kind::pair, 2, 3}, true, true, "water warm", 45.0, 3600.0},
                  {2, {Kind::maintained, 0, 0}, false, true, "die hot", 55.0, 0.0},
                  {3, {Kind::maintained, 1, 0}, false, true, "inlet hot", 65.0, 0.0},
                  {4, {Kind::maintained, 4, 0}, false, false, "no answer", std::nan(""), 0.0}};
  found.is_maintainable = found.is_fault_tolerant = false;
  found.cut_sets = {{"cdu_1"}, {"ups_a"}, {"pump_a", "tower_1"}};
  return found;
}

AuditPlan made_up_audit() {
  AuditPlan plan{.parts = made_up_findings().parts};
  plan.cases = {{AuditCase::Kind::nothing, 0, 0}, {AuditCase::Kind::pair, 2, 3}};
  plan.plan.study.title = "audit of a hall";
  plan.duration = "20 min";
  plan.work = "training";
  plan.nameplate_w = 4e6;
  return plan;
}

}  // namespace

TEST_CASE("verdicts of an audit count the parts of their own outage, and cut sets singles and pairs",
          "[audit][pages]") {
  const std::string text = plain(audit_text(made_up_audit(), made_up_findings()));
  CHECK_THAT(text, Contains("audit of a hall 5 parts, 12 runs"));
  CHECK_THAT(text, Contains("nodes draw 3 MW in the mean, 75.0 % of their nameplate"));
  CHECK_THAT(text, Contains("concurrently maintainable NO: 3 of 5 parts"));
  CHECK_THAT(text, Contains("fault tolerant NO: 2 of 5 parts"));
  CHECK_THAT(text, Contains("parts whose loss alone costs work 2"));
  CHECK_THAT(text, Contains("pairs whose loss together does 1"));
  CHECK_THAT(text, Contains("1 cdu_1 failed 2 25 s rack dark") && Contains("2 ups_a failed 1.5 35 s room warm") &&
                       Contains("3 pump_a and tower_1 both failed 1 45 s water warm") &&
                       Contains("6 pdu_9 maintained n/a n/a no answer"));
}

TEST_CASE("tables of an audit have GPU hours and seconds, and the run of each outage", "[audit][pages]") {
  const std::string csv = audit_csv(made_up_findings());
  CHECK_THAT(csv, Contains("rank,run,outage,part,part_2,what,after (s),lost (GPU h),costs_work\n"
                           "1,7,failed,cdu_1,,\"rack dark\",25,2,1\n2,8,failed,ups_a,,\"room warm\",35,1.5,1\n"
                           "3,9,both failed,pump_a,tower_1,\"water warm\",45,1,1\n"
                           "4,2,maintained,cdu_1,,\"die hot\",55,0,0\n"));
  CHECK_THAT(csv, Contains("6,4,maintained,pdu_9,,\"no answer\",,,0\n"));
  const nlohmann::json json = nlohmann::json::parse(audit_json(made_up_audit(), made_up_findings()));
  CHECK(json.at("mean_node_power_W") == 3e6);
  CHECK(json.at("nameplate_power_W") == 4e6);
  CHECK(json.at("concurrently_maintainable") == false);
  CHECK(json.at("findings").at(1).at("lost_gpu_hours") == 1.5);
  CHECK(json.at("findings").at(1).at("after_s") == 35.0);
  CHECK(json.at("findings").at(2).at("parts") == nlohmann::json{"pump_a", "tower_1"});
  CHECK(json.at("findings").at(5).at("lost_gpu_hours").is_null());
}

TEST_CASE("a tornado prints both ends of each change, and how far apart they are whichever is higher",
          "[search][pages]") {
  SearchPlan plan;
  plan.spec.kind = SearchSpec::Kind::tornado;
  plan.plan.study.title = "what matters";
  SearchFindings found{.failed = 2};
  found.sensitivities = {{.column = 1,
                          .in_base = 1.2,
                          .bars = {{"supply", "30 degC", "40 degC", 1.3, 1.1}, {"fans", "2", "4", 1.21, 1.27}}}};
  const std::vector<TableColumn> columns{{"supply", "degC"}, {"power", "MW"}};
  const std::string text = plain(search_text(plan, found, columns));
  CHECK_THAT(text, Contains("what matters ") && Contains("2 without an answer"));
  CHECK_THAT(text, Contains("power, MW from to at first at last swing supply 30 degC 40 degC 1.3 1.1 0.2 "
                            "fans 2 4 1.21 1.27 0.06 "));
  CHECK_THAT(text, Contains("in the base 1.2"));
}

TEST_CASE("Sobol indices print first and total, each with its own interval", "[search][pages]") {
  SearchPlan plan;
  plan.spec.kind = SearchSpec::Kind::sobol;
  SearchFindings found;
  found.sensitivities = {{.column = 0, .changes = {"supply"}, .indices = {{0.31, 0.52, 0.26, 0.37, 0.48, 0.59}}}};
  CHECK_THAT(plain(search_text(plan, found, {{"pue", "1"}})),
             Contains("pue first 95 % total 95 % supply 0.310 0.26 to 0.37 0.520 0.48 to 0.59"));
}

TEST_CASE("a table of draws counts those with an answer, and has each percentile above its own interval",
          "[study][pages]") {
  const StudyTable table{
      .columns = {{"die", "degC", "die", Column::number, false}, {"die <= 90 degC", "", "", Column::verdict, false}}};
  DrawnFindings found{.draws = 107, .without_answer = 7};
  found.bands = {{0, 100, {61.0, 60.0, 62.0}, {70.0, 69.0, 71.5}, {81.0, 79.0, 84.0}}};
  found.chances = {{1, 13, 100, {0.13, 0.08, 0.20}}};
  const std::string text = plain(drawn_text(table, found));
  CHECK_THAT(text, Contains("100 draws 5 % below median 95 % below die degC 61.0 70.0 81.0 "
                            "60.0..62.0 69.0..71.5 79.0..84.0 "));
  CHECK_THAT(text, Contains("violated in 13 of 100 draws: 13.0 %, with 90 % confidence 8.0 to 20.0 %"));
  CHECK_THAT(text, Contains("7 of 107 draws have no answer"));
  const nlohmann::json json = nlohmann::json::parse(drawn_json(table, found));
  CHECK(json.at("draws") == 107);
  CHECK(json.at("without_answer") == 7);
  CHECK(json.at("figures").at("die").at("percentile_95") ==
        nlohmann::json{{"value", 81.0}, {"low", 79.0}, {"high", 84.0}});
  CHECK(json.at("limits").at(0).at("share_violating").at("low") == 0.08);
}
