// What the page of the library of studies says of a study is what its runs say.
#include <map>
#include <sstream>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

namespace {

const std::string library = WATTLOOP_SOURCE_DIR "/scenarios/studies/";

std::vector<std::string> split(const std::string& line, char by) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, by);) cells.push_back(cell);
  return cells;
}

/// Rows of the first table of numbers below `heading`.
std::vector<std::vector<double>> numbers_below(const std::string& page, const std::string& heading) {
  std::istringstream in(page.substr(page.find(heading)));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ") && !rows.empty()) break;
    if (!line.starts_with("| ") || line.find_first_of("0123456789") != 2) continue;
    rows.emplace_back();
    for (const std::string& cell : split(line.substr(1), '|')) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

}  // namespace

TEST_CASE("how long a rack computes without its CDU is what the page of studies says", "[cli][study][library]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  REQUIRE(folder.run({"study", library + "one_rack_supply.yaml", "-o", "s", "-q", "--threads", "2"}).exit_code == 3);
  struct Found {
    double throttled_after_s, hottest_before_c;
  };
  std::map<std::pair<double, double>, Found> found;  // by supply and speed
  std::istringstream table(file_text(folder / "s/study.csv"));
  std::string line;
  std::getline(table, line);
  REQUIRE(line.starts_with("run,supply (degC),speed (%),part,peak_die_temperature (degC),first_throttle_time (s),"));
  while (std::getline(table, line)) {
    const std::vector<std::string> cells = split(line, ',');
    Found& one = found[{std::stod(cells.at(1)), std::stod(cells.at(2))}];
    constexpr double lost_s = 60.0;
    if (cells.at(3).empty())
      one.hottest_before_c = std::stod(cells.at(4));
    else
      one.throttled_after_s = std::stod(cells.at(5)) - lost_s;
  }
  const auto reported = numbers_below(file_text(library + "README.md"), "`one_rack_supply.yaml`");
  REQUIRE(reported.size() == 4);
  for (const std::vector<double>& row : reported) {
    REQUIRE(row.size() == 5);
    INFO(row[0] << " degC");
    const Found &slow = found.at({row[0], 65.0}), &fast = found.at({row[0], 75.0});
    CHECK(row[1] == slow.throttled_after_s);
    CHECK(row[2] == fast.throttled_after_s);
    CHECK(row[3] == Approx(slow.hottest_before_c).margin(0.051));
    CHECK(row[4] == Approx(fast.hottest_before_c).margin(0.051));
  }
}
