// What an EPW file may have wrong, and where the reader says it is.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "physics/weather/weather.hpp"
#include "physics/weather/weather_epw.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

/// A year of 20 degC, line by line; index 8 is the first hour.
std::vector<std::string> good_lines() {
  std::vector<std::string> lines{"LOCATION,Nowhere,XX,Country,Source,000000,10.0,20.0,1.0,300.0"};
  for (int header = 2; header < 8; ++header) lines.push_back("COMMENTS");
  lines.push_back("DATA PERIODS,1,1,Data,Sunday,1/ 1,12/31");
  const std::array days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int month = 1; month <= 12; ++month) {
    for (int day = 1; day <= days[static_cast<std::size_t>(month - 1)]; ++day) {
      for (int hour = 1; hour <= 24; ++hour) {
        lines.push_back(fmt::format("2001,{},{},{},0,flags,20.0,10.0,53,97800,0,0", month, day, hour));
      }
    }
  }
  return lines;
}

std::vector<Problem> problems_of(const std::vector<std::string>& lines, std::string_view line_end = "\n") {
  const tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "site.epw").string();
  std::ofstream file(path, std::ios::binary);
  for (const std::string& line : lines) file << line << line_end;
  file.close();
  Problems problems;
  read_epw(path, problems);
  return problems.all();
}

}  // namespace

TEST_CASE("a good weather file has no problems, however its lines end", "[weather]") {
  CHECK(problems_of(good_lines()).empty());
  CHECK(problems_of(good_lines(), "\r\n").empty());
  CHECK(problems_of(good_lines(), "\r").empty());
}

TEST_CASE("cells of a weather file are read as those of other tables are", "[weather]") {
  std::vector<std::string> lines = good_lines();
  lines[0] = "LOCATION,\"Nowhere, by the sea\",XX,Country,Source,000000,+10.0,20.0,+1.0,300.0";
  lines[8] = "2001,1,1,1,0,flags,+20.0,\"10.0\",None,97800,0,0";
  CHECK(problems_of(lines).empty());
  lines[8] = "2001,1,1,1,0,flags,\"20.0\"5,10.0,53,#N/A,0,0";
  const std::vector<Problem> found = problems_of(lines);
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].message, Catch::Contains("dry bulb"));
  CHECK_THAT(found[1].message, Catch::Contains("pressure is missing (#N/A)"));
}

TEST_CASE("every bad cell of a weather file is a problem at its line and column", "[weather]") {
  std::vector<std::string> lines = good_lines();
  lines[8] = "2001,1,1,1,0,flags,99.9,10.0,53,97800,0,0";
  lines[10] = "2001,1,1,3,0,flags,20.0,warm,53,97800,0,0";
  lines[11] = "2001,1,1,4,0,flags,20.0,10.0,53,978,0,0";
  lines[12] = "2001,1,1,5,0,flags,20.0,25.0,53,97800,0,0";
  lines[13] = "2001,1,1,6";
  const std::vector<Problem> found = problems_of(lines);
  REQUIRE(found.size() == 5);
  CHECK(found[0].place.line == 9);
  CHECK(found[0].place.column == 20);
  CHECK(found[0].message == "dry bulb is missing (99.9)");
  CHECK(found[0].excerpt == lines[8]);
  CHECK(found[1].place.line == 11);
  CHECK(found[1].message == "dew point 'warm' is not a number from -70 to 70 degC");
  CHECK(found[2].place.line == 12);
  CHECK(found[2].message == "pressure '978' is not a number from 31000 to 120000 Pa");
  CHECK(found[3].message == "dew point 25.0 degC is above the dry bulb 20.0 degC");
  CHECK(found[4].place.line == 14);
  CHECK_THAT(found[4].message, Catch::Contains("4 cells"));
}

TEST_CASE("a missing hour is named once, where it is missing", "[weather]") {
  std::vector<std::string> lines = good_lines();
  lines.erase(lines.begin() + 8 + 24);
  const std::vector<Problem> found = problems_of(lines);
  REQUIRE(found.size() == 1);
  CHECK(found[0].place.line == 33);
  CHECK(found[0].message == "the row of month 1, day 2, hour 2 is here, but month 1, day 2, hour 1 should follow");
}

TEST_CASE("a year that ends early and a file of another kind say so", "[weather]") {
  std::vector<std::string> lines = good_lines();
  lines.resize(8 + 100);
  const std::vector<Problem> early = problems_of(lines);
  REQUIRE(early.size() == 1);
  CHECK(early[0].message == "100 hours, expected a year of 8760 or 8784");
  const std::vector<Problem> other = problems_of({"t_s,node_1", "0,1"});
  REQUIRE(other.size() == 1);
  CHECK(other[0].place.line == 1);
  CHECK_THAT(other[0].message, Catch::Contains("not an EPW file"));
  lines = good_lines();
  lines[7] = "DATA PERIODS,1,4,Data,Sunday,1/ 1,12/31";
  REQUIRE(problems_of(lines).size() == 1);
}

TEST_CASE("a thousand bad lines are twenty problems and a count", "[weather]") {
  std::vector<std::string> lines = good_lines();
  for (std::size_t k = 8; k < 1008; ++k) lines[k].replace(lines[k].find("53,97800"), 8, "53,x");
  const std::vector<Problem> found = problems_of(lines);
  REQUIRE(found.size() == 21);
  CHECK(found.back().message == "and 980 more");
}

TEST_CASE("a weather file that is not there is a problem where it was named", "[weather]") {
  Problems problems;
  read_epw("nowhere/site.epw", problems, {"scenario.yaml", 7, 20});
  REQUIRE(problems.size() == 1);
  CHECK(problems.all()[0].place.file == "scenario.yaml");
  CHECK(problems.all()[0].place.line == 7);
  CHECK(problems.all()[0].message == "weather file 'nowhere/site.epw' does not exist");
}

TEST_CASE("relative humidity may be missing from an EPW file", "[weather]") {
  std::vector<std::string> lines = good_lines();
  lines[8] = "2001,1,1,1,0,flags,20.0,10.0,,97800,0,0";
  lines[9] = "2001,1,1,2,0,flags,20.0,10.0,999,97800,0,0";
  lines[10] = "2001,1,1,3,0,flags,20.0,10.0,wet,97800,0,0";
  const std::vector<Problem> found = problems_of(lines);
  REQUIRE(found.size() == 1);
  CHECK(found[0].place.line == 11);
}

TEST_CASE("a leap year of hours is read", "[weather]") {
  std::vector<std::string> lines = good_lines();
  std::vector<std::string> leap_day;
  for (int hour = 1; hour <= 24; ++hour) {
    leap_day.push_back(fmt::format("2004,2,29,{},0,flags,20.0,10.0,53,97800,0,0", hour));
  }
  lines.insert(lines.begin() + 8 + 24 * 59, leap_day.begin(), leap_day.end());
  CHECK(problems_of(lines).empty());
}

TEST_CASE("a weather year is matched with the calendar by date", "[weather]") {
  constexpr double day_s = 86400.0;
  const auto year_of = [](int days) {  // at hour h of day d, d degrees
    Weather weather;
    for (int hour = 0; hour < 24 * days; ++hour) weather.samples.push_back({.dry_bulb_k = 1.0 + hour / 24});
    return weather;
  };
  const auto day_at = [&](const Weather& weather, int day) {
    return weather_at(weather, (day - 0.5) * day_s).dry_bulb_k;
  };
  const Weather common = of_years(year_of(365), 2027, 2028);
  CHECK(day_at(common, 365 + 59) == 59.0);  // 28 February
  CHECK(day_at(common, 365 + 60) == 59.0);  // 29 February
  CHECK(day_at(common, 365 + 61) == 60.0);  // 1 March
  CHECK(day_at(common, 365 + 366) == 365.0);
  const Weather leap = of_years(year_of(366), 2027, 2027);
  CHECK(day_at(leap, 59) == 59.0);
  CHECK(day_at(leap, 60) == 61.0);  // 1 March
  CHECK(leap.samples.size() == 8760);
  CHECK(of_years(year_of(366), 2028, 2028).samples.size() == 8784);
  CHECK(of_years(design_day("summer"), 2028, 2028).samples.size() == design_day("summer").samples.size());
}
