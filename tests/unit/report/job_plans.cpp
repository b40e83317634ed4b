// Plans by jobs against the rows that they are drawn from, on a small made-up file; and colours that readers without one kind of cone tell apart.
#include "twin/report/charts/job_plans.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/results/reader/job_places.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

constexpr double open_s = std::numeric_limits<double>::quiet_NaN();

/// Three racks of four nodes; records at 0, 60 and 120 s.
class MadeUp {
 public:
  MadeUp(const std::vector<std::pair<std::string, std::int64_t>>& jobs, const std::vector<JobPlace>& places) {
    ResultsWriter writer(folder_ / "x.h5", "2026-01-01T00:00:00");
    std::vector<LayoutBox> layout;
    std::vector<std::string> names;
    for (int rack = 1; rack <= 3; ++rack) {
      names.push_back("row_1.rack_" + std::to_string(rack));
      layout.push_back({names.back(), "rack", "", {rack * 1.0, 0.0, 1.1}, {0.6, 1.2, 2.2}});
      for (int node = 1; node <= 4; ++node)
        layout.push_back({names.back() + ".node_" + std::to_string(node), "node", names.back(), {}, {0.5, 0.9, 0.2}});
    }
    writer.write_layout(layout);
    const auto racks = writer.add_table(
        {.group = "racks", .item_dimension = "rack", .items = names, .columns = {{"max_die_temperature", "K", "die"}}});
    for (const double time_s : {0.0, 60.0, 120.0}) writer.append(racks, time_s, std::vector(3, 330.0F));
    std::vector<JobOutcome> rows;
    for (const auto& [name, nodes] : jobs) rows.push_back({.name = name, .state = "running", .nodes = nodes});
    writer.write_jobs(rows);
    writer.write_placements(places);
    writer.write_events(std::vector<EventRecord>{{30.0, "set", "loop_1.supply_temperature", ""}});
    writer.finish();
  }
  ResultsReader results() const { return ResultsReader(folder_ / "x.h5"); }

 private:
  TemporaryFolder folder_;
};

/// Two jobs at the begin, then one of them and another; the last rack has nodes without a job.
MadeUp changing() {
  return {{{"a<b", 6}, {"second", 2}, {"third", 3}},
          {{0, 0, 4, 0.0, open_s}, {0, 1, 2, 0.0, open_s}, {1, 1, 2, 0.0, 60.0}, {2, 2, 3, 60.0, open_s}}};
}

/// What is drawn of a rack in the plan below that heading: colours with their shares of its depth of 1.2 m.
std::vector<std::pair<std::string, double>> drawn(const std::string& page, const std::string& heading, int rack) {
  const std::size_t begin = page.find(heading), end = page.find("</svg>", begin);
  REQUIRE(begin != std::string::npos);
  const std::string plan = page.substr(begin, end - begin);
  const std::regex pattern(
      fmt::format("height='([0-9.]+)' fill='(#[0-9a-f]+)'><title>row_1.rack_{}:[^<]*</title>", rack));
  std::vector<std::pair<std::string, double>> parts;
  for (std::sregex_iterator found(plan.begin(), plan.end(), pattern), last; found != last; ++found)
    parts.emplace_back((*found)[2], std::stod((*found)[1]) / 1.2);
  return parts;
}

}  // namespace

TEST_CASE("a plan by jobs has the colour of each job of a rack by its share of the nodes, and grey for the rest",
          "[job_plans]") {
  const MadeUp file = changing();
  const ResultsReader results = file.results();
  const std::string page = job_plans(results, RackTemperatures(results), 60.0);
  const auto part = [](const char* colour, double share) { return std::pair<std::string, double>(colour, share); };
  const auto is = [&](const std::string& heading, int rack, std::vector<std::pair<std::string, double>> wanted) {
    const auto found = drawn(page, heading, rack);
    INFO(heading << ", rack " << rack << ": " << page);
    REQUIRE(found.size() == wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      CHECK(found[k].first == wanted[k].first);
      CHECK(found[k].second == Approx(wanted[k].second).margin(0.005));  // drawn to centimetres
    }
  };
  // The first colour is that of the largest job, the next that of the next one.
  const char *first = meaning::jobs[0], *second = meaning::jobs[2], *third = meaning::jobs[1];
  is("Before", 1, {part(first, 1.0)});
  is("Before", 2, {part(first, 0.5), part(second, 0.5)});
  is("Before", 3, {part(meaning::no_job, 1.0)});
  is("At worst", 1, {part(first, 1.0)});
  is("At worst", 2, {part(first, 0.5), part(meaning::no_job, 0.5)});
  is("At worst", 3, {part(third, 0.75), part(meaning::no_job, 0.25)});
  CHECK_THAT(page, Contains("<title>row_1.rack_2: a&lt;b: 2 of 4 nodes, second: 2 of 4 nodes</title>"));
  CHECK_THAT(page, Contains("<title>row_1.rack_3: no job</title>"));
  CHECK_THAT(page, Contains(fmt::format("<span style='border-color:{}'>a&lt;b (6 nodes)</span>\n"
                                        "<span style='border-color:{}'>second (2 nodes)</span>\n"
                                        "<span style='border-color:{}'>without a job (4 nodes)</span>",
                                        first, second, meaning::no_job)));
  CHECK_THAT(page, Contains(fmt::format("<span style='border-color:{}'>third (3 nodes)</span>\n"
                                        "<span style='border-color:{}'>without a job (3 nodes)</span>",
                                        third, meaning::no_job)));
}

TEST_CASE("a job on all racks, and results without places, have no plan by jobs", "[job_plans]") {
  const MadeUp one({{"all", 12}}, {{0, 0, 4, 0.0, open_s}, {0, 1, 4, 0.0, open_s}, {0, 2, 4, 0.0, open_s}});
  CHECK(job_plans(one.results(), RackTemperatures(one.results()), 60.0).empty());
  const MadeUp none({{"all", 12}}, {});
  CHECK(job_plans(none.results(), RackTemperatures(none.results()), 60.0).empty());
}

TEST_CASE("jobs at the same time have different colours, the largest first, and all others one together",
          "[job_plans]") {
  // Two colours. Jobs 0 and 2 are the largest; 3 follows 1, which has none beside them; 4 is alone after all.
  const MadeUp file({{"first", 4}, {"small", 1}, {"large", 5}, {"late", 1}, {"last", 1}}, {{0, 0, 4, 0.0, 50.0},
                                                                                           {1, 1, 1, 0.0, 50.0},
                                                                                           {2, 1, 1, 0.0, 60.0},
                                                                                           {2, 2, 4, 0.0, 60.0},
                                                                                           {3, 0, 1, 50.0, 80.0},
                                                                                           {4, 0, 1, 80.0, open_s}});
  const JobPlaces places(file.results(), 2);
  CHECK(places.colour_of(2) == 0);
  CHECK(places.colour_of(0) == 1);
  CHECK(!places.colour_of(1));
  CHECK(places.colour_of(3) == 1);  // free again from 50 s on
  CHECK(places.colour_of(4) == 0);  // both are free: the one that fewer jobs have
  const JobPlaces::Legend begin = places.legend_at(0.0), end = places.legend_at(119.0);
  REQUIRE(begin.jobs.size() == 2);
  CHECK((begin.jobs[0].name == "large" && begin.jobs[0].nodes == 5.0));
  CHECK((begin.other_jobs == 1 && begin.other_nodes == 1.0 && begin.idle_nodes == 2.0));
  REQUIRE(end.jobs.size() == 1);
  CHECK((end.other_jobs == 0 && end.idle_nodes == 11.0));
  const std::vector<double> times_s{0.0, 49.0, 50.0, 79.0, 80.0, 120.0};
  CHECK(places.nodes_over(times_s) == std::vector<double>{10, 10, 6, 1, 1, 1});
  CHECK(places.nodes_over(times_s, 3) == std::vector<double>{0, 0, 1, 1, 0, 0});
}

namespace {

using Three = std::array<double, 3>;
using Matrix = std::array<Three, 3>;

Three times(const Matrix& matrix, const Three& colour) {
  Three result{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) result[row] += matrix[row][column] * colour[column];
  for (double& part : result) part = std::clamp(part, 0.0, 1.0);
  return result;
}

/// Linear parts of "#0072b2".
Three linear(const std::string& hexadecimal) {
  Three parts{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double value = std::stoi(hexadecimal.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
    parts[k] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return parts;
}

/// CIELAB 1976 of linear sRGB.
Three lab(const Three& rgb) {
  constexpr Matrix to_xyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  constexpr Three white{0.9505, 1.0, 1.089};
  Three f{};
  for (std::size_t k = 0; k < 3; ++k) {
    double xyz = 0.0;
    for (std::size_t column = 0; column < 3; ++column) xyz += to_xyz[k][column] * rgb[column];
    const double t = xyz / white[k];
    f[k] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0;
  }
  return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

}  // namespace

TEST_CASE("readers without one kind of cone tell the colours of jobs apart, and from nodes without one",
          "[job_plans]") {
  // [machado2009], severity 1: none, protanopia, deuteranopia, tritanopia.
  constexpr std::array<Matrix, 4> eyes{
      {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
       {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};
  std::vector<std::string> colours(meaning::jobs.begin(), meaning::jobs.end());
  colours.insert(colours.end(), {meaning::other_jobs, meaning::no_job});
  constexpr double apart = 15.0;  // of CIELAB; some 2.3 are just noticed side by side
  for (const Matrix& eye : eyes) {
    for (std::size_t a = 0; a < colours.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Three one = lab(times(eye, linear(colours[a]))), other = lab(times(eye, linear(colours[b])));
        INFO(colours[a] << " and " << colours[b]);
        CHECK(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]) > apart);
      }
    }
  }
}
