// `wattloop audit`: cut sets of small halls against those that a one-line diagram gives by hand, a planted single point of failure, verdicts.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using Json = nlohmann::json;

namespace {

using Set = std::set<std::string>;
using Sets = std::set<Set>;

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/audit/";

/// An audit of the power chain, every pair included.
Json audit_of_power(const std::string& hall, const std::vector<std::string>& more = {}) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::vector<std::string> arguments{
      "audit", scenarios + hall + ".yaml", "--json", "-q", "--pairs", "--threads", "2", "--duration", "4 min"};
  for (const char* pattern : {"utility_*", "transformer_*", "ups_*", "pdu_*"})
    arguments.insert(arguments.end(), {"--of", pattern});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = folder.run(arguments);
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.output);
}

Sets sets_of(const Json& audit) {
  Sets sets;
  for (const Json& set : audit.at("cut_sets")) sets.insert(set.get<Set>());
  return sets;
}

/// What stands in a row from the feed to the racks, each of which its loads need: the UPS has a bypass.
std::vector<std::string> chain(const std::string& block) {
  return {"utility_" + block, "transformer_" + block, "pdu_" + block + "_1"};
}

/// One of each chain.
Sets crossed(const std::string& one, const std::string& other) {
  Sets sets;
  for (const std::string& a : chain(one)) {
    for (const std::string& b : chain(other)) sets.insert({a, b});
  }
  return sets;
}

Sets united(std::initializer_list<Sets> all) {
  Sets sets;
  for (const Sets& some : all) sets.insert(some.begin(), some.end());
  return sets;
}

/// Of one part; null where it costs nothing.
Json finding(const Json& audit, const std::string& outage, const std::string& part) {
  for (const Json& one : audit.at("findings")) {
    if (one.at("outage") == outage && one.at("parts") == Json::array({part})) return one;
  }
  return {};
}

const Sets one_path{{"utility_a"}, {"transformer_a"}, {"pdu_1"}};

}  // namespace

TEST_CASE("cut sets of one path are its parts, and of modules to spare the pairs of them", "[cli][audit]") {
  const Json n = audit_of_power("n");
  CHECK(sets_of(n) == one_path);
  CHECK(n.at("concurrently_maintainable") == false);
  CHECK(n.at("fault_tolerant") == false);
  CHECK(sets_of(audit_of_power("n_plus_1", {"--of", "ups_a.module_*"})) ==
        united({one_path, {{"transformer_a_1", "transformer_a_2"}}}));
}

TEST_CASE("a UPS may be maintained and may fail where its bypass carries, and not with it", "[cli][audit]") {
  CHECK(sets_of(audit_of_power("n", {"--of", "ups_a.bypass"})) == united({one_path, {{"ups_a", "ups_a.bypass"}}}));
  CHECK(sets_of(audit_of_power("n", {"--set", "power.ups.bypass=none"})) == united({one_path, {{"ups_a"}}}));
}

TEST_CASE("cut sets of two paths, blocks with a reserve and distributed blocks are one part of each of two",
          "[cli][audit]") {
  const Json two = audit_of_power("two_n");
  CHECK(sets_of(two) == crossed("a", "b"));
  CHECK(two.at("concurrently_maintainable") == true);
  CHECK(two.at("fault_tolerant") == true);
  CHECK(sets_of(audit_of_power("block_redundant")) == united({crossed("a", "r"), crossed("b", "r")}));
  CHECK(sets_of(audit_of_power("distributed")) == united({crossed("a", "b"), crossed("b", "c"), crossed("a", "c")}));
}

TEST_CASE("an audit finds both cords of a rack on one PDU, and nothing in the hall without", "[cli][audit]") {
  const Json planted = audit_of_power("two_n_one_cord");
  Sets singles;
  for (const Set& set : sets_of(planted)) {
    if (set.size() == 1) singles.insert(set);
  }
  CHECK(singles == Sets{{"utility_a"}, {"transformer_a"}, {"pdu_a_1"}});
  CHECK(planted.at("fault_tolerant") == false);
  CHECK(finding(planted, "failed", "pdu_b_1").is_null());
  // Sixteen GPUs for the three minutes that are left; maintained for the first two minutes, and booting for the other two.
  const Json failed = finding(planted, "failed", "pdu_a_1"), maintained = finding(planted, "maintained", "pdu_a_1");
  CHECK(failed.at("lost_gpu_hours").get<double>() == Approx(16.0 * 3.0 / 60.0));
  CHECK(failed.at("after_s") == 0.0);
  CHECK(failed.at("what") == "row_1.rack_2 without power");
  CHECK(maintained.at("lost_gpu_hours").get<double>() == Approx(16.0 * 4.0 / 60.0));
  const double after_s = finding(planted, "failed", "utility_a").at("after_s");
  CHECK(finding(planted, "failed", "utility_a").at("lost_gpu_hours").get<double>() ==
        Approx(16.0 * (180.0 - after_s) / 3600.0));
}

TEST_CASE("what is maintained comes back after half of the run, and nodes boot then", "[cli][audit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run(
      {"audit", scenarios + "two_n_one_cord.yaml", "--json", "-q", "--of", "pdu_a_1", "--duration", "14 min"});
  const Json maintained = finding(Json::parse(outcome.output), "maintained", "pdu_a_1");
  CHECK(maintained.at("lost_gpu_hours").get<double>() == Approx(16.0 * (7.0 + 5.0) / 60.0));
}

TEST_CASE("an audit of all parts clears a correct 2N, and --require says so by exit code", "[cli][audit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome good = folder.run({"audit", scenarios + "two_n.yaml", "-q", "--duration", "4 min", "--require",
                                   "fault_tolerant", "--threads", "2"});
  INFO(good.errors << good.output);
  CHECK(good.exit_code == 0);
  CHECK_THAT(good.output,
             Contains("concurrently maintainable   yes\n") && Contains("fault tolerant              yes\n"));
  CHECK_THAT(good.output, Contains("work: ") && Contains(" in the mean, ") && Contains(" % of their nameplate\n") &&
                              Contains("duration of each run: 4 min\n"));
  const std::vector<std::string> planted{"audit",
                                         scenarios + "two_n_one_cord.yaml",
                                         "-q",
                                         "-o",
                                         "planted",
                                         "--duration",
                                         "4 min",
                                         "--of",
                                         "pdu_*",
                                         "--require",
                                         "fault_tolerant"};
  const Outcome bad = folder.run(planted);
  CHECK(bad.exit_code == 3);
  CHECK_THAT(bad.output, Contains("fault tolerant              NO: 1 of 2 parts\n") && Contains("pdu_a_1") &&
                             Contains("row_1.rack_2 without power"));
  const std::string ranking = file_text(folder / "planted/study_audit.csv");
  CHECK_THAT(ranking, Contains("\n1,2,maintained,pdu_a_1,,\"row_1.rack_2 without power\",0,") &&
                          Contains("\n2,4,failed,pdu_a_1,,\"row_1.rack_2 without power\",0,"));
  std::vector<std::string> again = planted;
  again[2] = "--json";
  const Outcome resumed = folder.run(again);
  CHECK_THAT(resumed.errors, Contains("note: 5 runs are already done"));
  CHECK(file_text(folder / "planted/study_audit.csv") == ranking);
}

TEST_CASE("mistakes of an audit are reported before anything runs", "[cli][audit][mistakes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto reported = [&](std::vector<std::string> more, const std::string& what) {
    std::vector<std::string> arguments{"audit", scenarios + "n.yaml", "-o", "a"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = folder.run(arguments);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains(what));
    CHECK_FALSE(std::filesystem::exists(folder / "a"));
  };
  reported({"--of", "upss_a"}, "--of upss_a: no part with this name can fail\n      = did you mean 'ups_a'?");
  reported({"--of", "loop_1"}, "no part with this name can fail");
  reported({"--duration", "1 min"},
           "--duration 1 min: parts fail at 1 min, and the run must last another minute at least");
  reported({"--duration", "5 kW"}, "'5 kW' is in kW, expected s");
  reported({"--require", "tier_4"}, "--require");
}

TEST_CASE("a dry run of an audit reports how many runs it is, and runs nothing", "[cli][audit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome dry = folder.run(
      {"audit", scenarios + "two_n.yaml", "--of", "pdu_*", "--of", "ups_*", "--pairs", "--dry-run", "-o", "a"});
  CHECK(dry.exit_code == 0);
  CHECK_THAT(dry.output, Contains("15 runs\n") && Contains("\ntime  "));  // 1 + 4 + 4 + 6
  CHECK_FALSE(std::filesystem::exists(folder / "a"));
}
