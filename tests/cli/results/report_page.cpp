// `wattloop report` without -o: a page beside the results, with their name.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

void run_in(const WorkFolder& folder, const std::string& output, const std::string& duration = "5 s") {
  const Outcome run = folder.run({"run", one_rack, "-q", "-o", output, "--set", "duration=" + duration});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
}

void demand_page(const WorkFolder& folder, const std::vector<std::string>& arguments, const std::string& page) {
  std::vector<std::string> words{"report"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Outcome outcome = folder.run(words);
  INFO(outcome.errors << outcome.output);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output == "report  " + page + "\n");
  CHECK(file_text(folder / page.c_str()).starts_with("<!DOCTYPE html>"));
}

}  // namespace

TEST_CASE("the page of a run has its name and stands beside it, whatever dots are in its name", "[cli][report_page]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder, "kept/warm.36.h5");
  demand_page(folder, {"kept/warm.36.h5"}, "kept/warm.36.html");
  demand_page(folder, {"kept/warm.36.h5"}, "kept/warm.36.html");  // a report gives way to another
  CHECK_FALSE(fs::exists(folder / "report.html"));
  demand_page(folder, {"kept/warm.36.h5", "-o", "else.html"}, "else.html");
}

TEST_CASE("the page of two runs has the names of both and spares those of each", "[cli][report_page]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder, "a.h5");
  run_in(folder, "kept/b.h5", "6 s");
  demand_page(folder, {"kept/b.h5"}, "kept/b.html");
  const std::string own = file_text(folder / "kept/b.html");
  demand_page(folder, {"kept/b.h5", "--against", "a.h5"}, "kept/b_against_a.html");
  CHECK(file_text(folder / "kept/b.html") == own);
}

TEST_CASE("the page of a study has the name of its folder and stands beside it", "[cli][report_page][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", "title: One rack\nbase: " + one_rack +
                             "\nset: { duration: 5 s }\n"
                             "changes: { supply: { path: hall.cooling.loops.supply_temperature, values: [30 degC] } }\n"
                             "keep: [ pue ]\n");
  REQUIRE(folder.run({"study", "s.yaml", "-o", "supply.v2", "-q"}).exit_code == 0);
  demand_page(folder, {"supply.v2"}, "supply.v2.html");
  demand_page(folder, {"supply.v2/"}, "supply.v2.html");
  demand_page(folder, {"supply.v2/study.h5"}, "supply.v2/study.html");
  const Outcome inside = folder.run_shell("cd supply.v2 && rm ../supply.v2.html && $wattloop report .");
  INFO(inside.errors << inside.output);
  CHECK(inside.exit_code == 0);
  CHECK(fs::exists(folder / "supply.v2.html"));
  // The page of a run that has the name of the study stays, and that of the study.
  const std::string of_study = file_text(folder / "supply.v2.html");
  run_in(folder, "supply.v2.h5");
  CHECK_THAT(folder.run({"report", "supply.v2.h5"}).errors,
             Contains("'supply.v2.html' was not written by this command"));
  CHECK(file_text(folder / "supply.v2.html") == of_study);
  demand_page(folder, {"supply.v2.h5", "--force"}, "supply.v2.html");
  CHECK_THAT(folder.run({"report", "supply.v2"}).errors, Contains("'supply.v2.html' was not written by this command"));
  demand_page(folder, {"supply.v2", "--force"}, "supply.v2.html");
}

TEST_CASE("a page that somebody else wrote stays unless it is forced away", "[cli][report_page]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder, "x.h5");
  folder.write("x.html", "<html>of somebody else</html>\n");
  const Outcome refused = folder.run({"report", "x.h5"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.errors, Contains("'x.html' was not written by this command") && !Contains("-o:"));
  CHECK(file_text(folder / "x.html") == "<html>of somebody else</html>\n");
  demand_page(folder, {"x.h5", "--force"}, "x.html");
}
