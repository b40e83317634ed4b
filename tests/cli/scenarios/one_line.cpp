// Drawn halls on the command line: a diagram of a scenario that nobody has run, and fault levels of all buses.
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

const std::string ring = WATTLOOP_SOURCE_DIR "/scenarios/one_line/ring.yaml";

std::set<std::string> texts_of(const std::string& svg) {
  const std::regex text(">([^<>]*[0-9] (W|kW|MW|A|kA|V|kV)[^<>]*)<");
  std::set<std::string> all;
  for (std::sregex_iterator found(svg.begin(), svg.end(), text), end; found != end; ++found) all.insert((*found)[1]);
  return all;
}

}  // namespace

TEST_CASE("the one-line diagram of a scenario is that of the start of its run", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome drawn = folder.run({"diagram", "one-line", ring, "--at", "0 s", "-o", "start.svg"});
  INFO(drawn.errors);
  REQUIRE(drawn.exit_code == 0);
  REQUIRE(folder.run({"run", ring, "-o", "ring.h5", "-q"}).exit_code == 0);
  REQUIRE(folder.run({"diagram", "one-line", "ring.h5", "--at", "0 s", "-o", "run.svg"}).exit_code == 0);
  const std::set<std::string> of_start = texts_of(file_text(folder / "start.svg"));
  CHECK(of_start.size() > 10);
  CHECK(of_start == texts_of(file_text(folder / "run.svg")));
  SECTION("a scenario that is wrong is reported as check reports it") {
    folder.write("wrong.yaml", "format: 1\nhall: {}\n");
    const Outcome wrong = folder.run({"diagram", "one-line", "wrong.yaml"}),
                  checked = folder.run({"check", "wrong.yaml"});
    CHECK(wrong.exit_code == 1);
    CHECK(wrong.errors == checked.errors);
  }
}

TEST_CASE("fault levels of all buses are printed as a table and as JSON", "[cli][short_circuit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome table = folder.run({"check", ring, "--fault-levels"});
  REQUIRE(table.exit_code == 0);
  const auto json = nlohmann::json::parse(folder.run({"check", ring, "--fault-levels", "--json"}).output);
  REQUIRE(json.size() > 5);
  for (const auto& bus : json) {
    CHECK_THAT(table.output, Contains(bus["bus"].get<std::string>()));
    CHECK(bus["largest_A"].get<double>() >= bus["smallest_A"].get<double>());
  }
  const auto checked = nlohmann::json::parse(folder.run({"check", ring, "--json", "--all"}).output);
  bool is_there = false;
  for (const auto& row : checked["rows"]) {
    const std::string quantity = row["quantity"].get<std::string>();
    if (!quantity.ends_with("fault level of its bus") || !row["name"].get<std::string>().starts_with("transformer_"))
      continue;
    const char* column = quantity.starts_with("line-to-earth") ? "largest_earth_A" : "largest_A";
    for (const auto& bus : json) is_there = is_there || bus[column] == row["value"];
  }
  CHECK(is_there);
}
