// Curves of protection devices as SVG: where they rise, which are dashed, what is marked, and that no name of a long legend is cut.
#include "twin/drawings/charts/time_current_chart.hpp"

#include <cmath>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

/// Devices of 1, 2, 3 ... kA, each with a stage for earth faults.
std::vector<TimeCurrentCurve> curves_of(int devices) {
  std::vector<TimeCurrentCurve> curves;
  for (int k = 1; k <= devices; ++k) {
    const std::string name = fmt::format("a_transformer_{}", k);
    curves.push_back({.name = name,
                      .currents_a = {1e3 * k, 1e3 * k, 40e3},
                      .times_s = {1e4, 100.0, 1.0 / k},
                      .largest_a = 4e3 * k,
                      .smallest_a = 2.5e3 * k});
    curves.push_back({.name = name + ", earth faults",
                      .currents_a = {300.0 * k, 300.0 * k, 40e3},
                      .times_s = {1e4, 0.4, 0.4},
                      .is_of_earth_faults = true});
  }
  return curves;
}

struct ChartPath {
  std::string points, colour;
  bool is_dashed = false;
};

std::vector<ChartPath> thick_paths(const std::string& svg) {
  std::vector<ChartPath> paths;
  const std::regex path("<path d='([^']*)' fill='none' stroke='(#[0-9a-f]+)' stroke-width='1.8' (stroke-dasharray)?");
  for (std::sregex_iterator found(svg.begin(), svg.end(), path), end; found != end; ++found)
    paths.push_back({(*found)[1], (*found)[2], (*found)[3].matched});
  return paths;
}

}  // namespace

TEST_CASE("each protection device has a colour of its own, and its earth stage the same, dashed", "[time_current]") {
  const std::vector<ChartPath> paths = thick_paths(time_current_chart(curves_of(8), "400 V"));
  REQUIRE(paths.size() == 16);
  std::set<std::string> colours;
  for (std::size_t k = 0; k < paths.size(); k += 2) {
    colours.insert(paths[k].colour);
    CHECK_FALSE(paths[k].is_dashed);
    CHECK(paths[k + 1].is_dashed);
    CHECK(paths[k + 1].colour == paths[k].colour);
  }
  CHECK(colours.size() == 8);
}

TEST_CASE("no name of a long legend begins before the picture or is above it", "[time_current]") {
  const std::string svg = time_current_chart(curves_of(8), "400 V");
  std::smatch box;
  REQUIRE(std::regex_search(svg, box, std::regex("viewBox='([-0-9.]+) ([-0-9.]+) ([-0-9.]+) ([-0-9.]+)'")));
  const double left = std::stod(box[1]), top = std::stod(box[2]), right = left + std::stod(box[3]);
  std::set<std::pair<double, double>> places;
  const std::regex entry("<text x='([-0-9.]+)' y='([-0-9.]+)'>(a_transformer_[^<]*)</text>");
  for (std::sregex_iterator found(svg.begin(), svg.end(), entry), end; found != end; ++found) {
    const double x = std::stod((*found)[1]), y = std::stod((*found)[2]);
    CHECK(x - 16.0 >= left);
    CHECK(x + 7.0 * double((*found)[3].length()) <= right);
    CHECK(y - 12.0 >= top);
    places.insert({x, y});
  }
  CHECK(places.size() == 16);
}

TEST_CASE("curves rise upright at their pickup, to the top of the chart", "[time_current]") {
  // From 0.1 to 100 kA in three decades over 760 pixels, from 0.01 to 10,000 s in six over 340.
  const std::vector<ChartPath> paths = thick_paths(time_current_chart(curves_of(1), "400 V"));
  const double x = 70.0 + 760.0 / 3.0 * std::log10(1.0 / 0.1), y = 26.0 + 340.0 * 2.0 / 6.0;
  CHECK_THAT(paths.at(0).points, Catch::Matchers::StartsWith(fmt::format("M{0:.1f} 26.0L{0:.1f} {1:.1f}L", x, y)));
}

TEST_CASE("the largest and the smallest short circuit behind each device are marked at their currents",
          "[time_current]") {
  const std::string svg = time_current_chart(curves_of(1), "400 V");
  const auto x_of = [](double current_ka) { return 70.0 + 760.0 / 3.0 * std::log10(current_ka / 0.1); };
  CHECK_THAT(svg, Contains(fmt::format("<path d='M{0:.1f} 366.0L{0:.1f} 26.0' fill='none' stroke='#555555' "
                                       "stroke-width='1' stroke-dasharray='6 4'",
                                       x_of(4.0))));
  CHECK_THAT(svg, Contains(fmt::format("<path d='M{0:.1f} 366.0L{0:.1f} 26.0' fill='none' stroke='#555555' "
                                       "stroke-width='1' stroke-dasharray='1.5 3.5'",
                                       x_of(2.5))));
  CHECK_THAT(svg, Contains(">largest 4 kA<") && Contains(">smallest 2.5 kA<"));
  CHECK_THAT(svg, Contains(">a_transformer_1: 2.5 to 4 kA<"));
  std::vector<TimeCurrentCurve> same = curves_of(2);  // one label for both, that lies on nothing
  for (TimeCurrentCurve& curve : same) {
    if (curve.is_of_earth_faults) continue;
    curve.largest_a = 10e3;
    curve.smallest_a = 0.0;
  }
  CHECK_THAT(time_current_chart(same, "400 V"), Contains(">largest 10 kA<"));
  CHECK_THAT(time_current_chart(same, "400 V"), Contains(">a_transformer_2: 10 kA<"));
}

TEST_CASE("labels of fault levels lie beside one another and within the chart", "[time_current]") {
  std::vector<TimeCurrentCurve> curves = curves_of(8);
  const std::vector<double> largest_a{38.5e3, 38.7e3, 37.3e3, 40e3, 31.7e3, 428e3, 505e3, 461e3};
  for (std::size_t k = 0; k < largest_a.size(); ++k) {
    curves[2 * k].largest_a = largest_a[k];
    curves[2 * k].smallest_a = 0.74 * largest_a[k];
  }
  const std::string svg = time_current_chart(curves, "400 V");
  const std::regex label("<text x='([-0-9.]+)' y='([-0-9.]+)' text-anchor='end' transform='rotate[^>]*>([^<]*)<");
  std::vector<double> places;
  for (std::sregex_iterator found(svg.begin(), svg.end(), label), end; found != end; ++found) {
    places.push_back(std::stod((*found)[1]));
    CHECK(places.back() - 11.0 >= 70.0);
    CHECK(std::stod((*found)[2]) + 7.0 * double((*found)[3].length()) <= 366.0);
  }
  REQUIRE(places.size() >= 3);
  for (std::size_t k = 1; k < places.size(); ++k) CHECK(places[k] - places[k - 1] >= 13.0);
}

TEST_CASE("a dot marks where a curve ends at the largest short circuit behind its device", "[time_current]") {
  std::vector<TimeCurrentCurve> curves = curves_of(1);
  const auto dots = [&] {
    const std::string svg = time_current_chart(curves, "400 V");
    return std::regex_search(svg, std::regex("<path d='M[0-9. ]+h0' fill='none' stroke='#0072b2'"));
  };
  CHECK_FALSE(dots());  // goes on to 40 kA
  curves[0].largest_a = curves[0].currents_a.back();
  CHECK(dots());
}

TEST_CASE("a curve that lies under another is wider, and a device that does not operate is named", "[time_current]") {
  std::vector<TimeCurrentCurve> curves = curves_of(2);
  curves[2].currents_a = curves[0].currents_a;
  curves[2].times_s = curves[0].times_s;
  const std::string svg = time_current_chart(curves, "400 V");
  const auto width_of = [&](const std::string& colour) {
    std::smatch found;
    REQUIRE(std::regex_search(svg, found, std::regex("stroke='" + colour + "' stroke-width='([0-9.]+)' stroke-lin")));
    return std::stod(found[1]);
  };
  CHECK_THAT(width_of("#0072b2"), Catch::Matchers::WithinAbs(1.8 + 3.0, 1e-9));
  CHECK_THAT(width_of("#d55e00"), Catch::Matchers::WithinAbs(1.8, 1e-9));
  curves[2].currents_a.clear();
  curves[2].times_s.clear();
  CHECK_THAT(time_current_chart(curves, "400 V"), Contains(">a_transformer_2: 5 to 8 kA, does not operate<"));
}
