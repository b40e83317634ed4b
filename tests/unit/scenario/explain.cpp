// What is reported of the language is what the reader takes; the reference in docs/ is what the program reports.
#include "tests/support/catch.hpp"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/text/problem.hpp"
#include "twin/scenario/explain/explain.hpp"
#include "twin/scenario/explain/explain_topics.hpp"
#include "twin/study/plan/study_topics.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("docs/scenario_reference.md is what the field lists say", "[explain]") {
  std::ifstream file(std::string(WATTLOOP_SOURCE_DIR) + "/docs/scenario_reference.md");
  std::stringstream text;
  text << file.rdbuf();
  INFO("write it anew: wattloop explain --markdown > docs/scenario_reference.md");
  CHECK(text.str() == scenario_reference_markdown(study_topics()));
}

TEST_CASE("every topic has a name of its own in its group, a sentence and documented keys", "[explain]") {
  std::set<std::pair<Topic::Group, std::string>> known;
  std::set<std::string> names;
  for (const Topic& topic : explain_topics()) {
    INFO(topic.name);
    CHECK(known.emplace(topic.group, topic.name).second);
    names.insert(topic.name);
    CHECK(topic.doc.ends_with('.'));
    CHECK_FALSE(topic.rows.empty());
    for (const FieldRow& row : topic.rows) {
      INFO(row.name);
      CHECK(row.doc.ends_with('.'));
    }
  }
  for (const char* name : {"scenario", "hall.racks", "hall.cooling.loops", "workload", "training", "replay", "events",
                           "settings", "record.gpus", "node", "node.units", "cdu.pump", "psu", "cold_plate"}) {
    INFO(name);
    CHECK(names.contains(name));
  }
}

TEST_CASE("a key is reported with its unit, default and range", "[explain]") {
  const std::string text = explain("hall.cooling.loops");
  INFO(text);
  CHECK(text.find("pump_speed") != std::string::npos);
  CHECK(text.find("more than 0, at most 1") != std::string::npos);
  CHECK(text.find("pg25, water") != std::string::npos);
}

TEST_CASE("maps of jobs are topics, and their failures are among the keys of jobs", "[explain]") {
  CHECK_THAT(explain("jobs"), Catch::Contains("failures.mean_time") && Catch::Contains("failures.rates"));
  const std::string failures = explain("jobs.failures");
  CHECK_THAT(failures, Catch::Contains("failures.shape") && !Catch::Contains("queue.nodes"));
  CHECK_THAT(explain("jobs.queue"), Catch::Contains("queue.nodes") && Catch::Contains("queue (trace).trace"));
  CHECK_THAT(explain("jobs.scheduler"), Catch::Contains("scheduler.policy") && !Catch::Contains("queue.nodes"));
  CHECK_THROWS_AS(explain("jobs.zzz"), InputError);
}

TEST_CASE("a map within a topic has a sentence of its own, and kinds of work are found by their path", "[explain]") {
  CHECK(explain("jobs.scheduler").starts_with("jobs.scheduler: Keys of the map `scheduler` in `jobs`."));
  CHECK(explain("workload.burn_in") == explain("burn_in"));
}

TEST_CASE("a misspelt topic is answered with the nearest name", "[explain]") {
  CHECK_THROWS_WITH(explain("cold_plat"), Catch::Contains("did you mean 'cold_plate'?"));
  CHECK_THROWS_AS(explain("zzz"), InputError);
}

TEST_CASE("keys of a study that are reported are those that its reader takes", "[explain][study]") {
  std::stringstream text;
  for (const char* name : {"/twin/study/plan/study.cpp", "/twin/study/plan/distribution_reader.cpp",
                           "/twin/search/search_spec.cpp", "/twin/commands/studies/plan_search_command.cpp"})
    text << std::ifstream(WATTLOOP_SOURCE_DIR + std::string(name)).rdbuf();
  const std::string source = text.str();
  std::set<std::string> taken;
  const std::regex key(
      R"re((?:find|require|read_flag|read_info)\(\s*(?:reader, )?"(\w+)"|\{"(\w+)", Kind::\w+\}|_info\{\s*"(\w+)"|number\("(\w+)")re");
  const std::regex middle_and_spread(R"re(Kind::\w+, "(\w*)", "(\w*)")re");
  for (std::sregex_iterator at(source.begin(), source.end(), middle_and_spread), end; at != end; ++at)
    taken.insert({at->str(1), at->str(2)});
  taken.erase("");
  for (std::sregex_iterator at(source.begin(), source.end(), key), end; at != end; ++at)
    taken.insert(at->str(1) + at->str(2) + at->str(3) + at->str(4));
  for (const char* listed : {"at", "for", "per"}) taken.insert(listed);  // "per": of study_fork.cpp
  std::set<std::string> reported;
  for (const Topic& topic : study_topics()) {
    CHECK(topic.doc.ends_with('.'));
    for (const FieldRow& row : topic.rows) {
      INFO(row.name);
      CHECK(row.doc.ends_with('.'));
      if (topic.name != "study.keep") reported.insert(row.name);
    }
  }
  CHECK(taken == reported);
  CHECK_THAT(explain("study.range", study_topics()), Catch::Contains("Number of values, including both ends."));
}

TEST_CASE("a device whose name is that of a kind of work is explained beside it", "[explain]") {
  CHECK_THAT(explain("transformer"), Catch::Contains("micro_batch") || Catch::Contains("precision"));
  CHECK_THAT(explain("transformer"), Catch::Contains("short_circuit_voltage") && Catch::Contains("tap_changer_range"));
  CHECK_THAT(explain("workload.transformer"), Catch::Contains("precision") && !Catch::Contains("no_load_loss"));
}
