// What `compare` says, against differences that were planted and scores that were worked out by hand.
#include <cmath>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/comparison/event_differences.hpp"
#include "twin/comparison/figures_side_by_side.hpp"
#include "twin/comparison/model_score.hpp"
#include "twin/comparison/overlay.hpp"
#include "twin/comparison/scenario_differences.hpp"
#include "twin/comparison/series_comparison.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::twin;

namespace {

/// A mean and a value of `racks` racks every `interval_s` for a minute; `plant` changes what stands there.
template <class Plant>
void write_racks(const std::filesystem::path& file, double interval_s, std::vector<std::string> racks, Plant plant) {
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  const std::size_t table =
      writer.add_table({.group = "racks",
                        .item_dimension = "rack",
                        .items = racks,
                        .columns = {{"it_power", "W", "power", true}, {"supply_temperature", "K", "coolant"}}});
  for (double time_s = 0.0; time_s <= 60.0; time_s += interval_s) {
    std::vector<float> row;
    for (std::size_t column = 0; column < 2; ++column) {
      for (const std::string& rack : racks) {
        const double usual = (column == 0 ? 1000.0 + time_s : 305.0) + (rack == "r_2" ? 5.0 : 0.0);
        row.push_back(static_cast<float>(usual + plant(time_s, column, rack)));
      }
    }
    writer.append(table, time_s, row);
  }
  writer.finish();
}

const auto nothing = [](double, std::size_t, const std::string&) { return 0.0; };

}  // namespace

TEST_CASE("CV(RMSE) and NMBE are those worked out by hand", "[compare][score]") {
  // differences 1, -2, 3: squares 14, bias 2; n - 1 = 2; mean 10
  const ModelScore score = model_score(std::vector{9.0, 10.0, 11.0}, std::vector{8.0, 12.0, 8.0});
  CHECK(score.points == 3);
  CHECK(score.rmse == Approx(std::sqrt(7.0)).epsilon(1e-14));
  CHECK(score.cv_rmse_ratio == Approx(std::sqrt(7.0) / 10.0).epsilon(1e-14));
  CHECK(score.nmbe_ratio == Approx(0.1).epsilon(1e-14));  // 2 / (2 x 10): the model is too low
  CHECK(model_score(std::vector{10.0, 10.0}, std::vector{11.0, 11.0}).nmbe_ratio == Approx(-0.2).epsilon(1e-14));
  CHECK(std::isnan(model_score(std::vector{1.0}, std::vector{1.0}).rmse));
  const ModelScore around_zero = model_score(std::vector{-1.0, 1.0}, std::vector{0.0, 0.0});
  CHECK(around_zero.rmse == Approx(std::sqrt(2.0)).epsilon(1e-14));
  CHECK(std::isnan(around_zero.cv_rmse_ratio));
  CHECK(around_zero.reason == "the measured mean is zero");
}

TEST_CASE("series are laid over each other as means over the coarser interval", "[compare][score]") {
  SampleSeries fine, coarse{{0.0, 10.0, 20.0, 30.0}, {5.0, 7.0, 9.0, 11.0}};
  for (int k = 0; k <= 30; ++k) {
    if (k > 10 && k < 19) continue;  // a gap in the second interval
    fine.times_s.push_back(k);
    fine.values.push_back(k);  // stands for (k - 1, k]
  }
  const Overlay overlay = overlay_of(coarse, fine);
  REQUIRE(overlay.intervals.size() == 2);
  CHECK(overlay.left_out == 2);  // the first one begins before the other series does
  CHECK(overlay.intervals[0].begin_s == 0.0);
  CHECK(overlay.intervals[0].measured == 7.0);
  CHECK(overlay.intervals[0].modelled == Approx(5.5));  // mean of 1 to 10
  CHECK(overlay.intervals[1].end_s == 30.0);
  CHECK(overlay.intervals[1].modelled == Approx(25.5));
  const Overlay other_way = overlay_of(fine, coarse);  // the model is the coarser one
  CHECK(other_way.intervals.at(0).measured == Approx(5.5));
  CHECK(other_way.intervals.at(0).modelled == 7.0);
  // Out of step by half a fine interval: (0.5, 10.5] is half of 1, 2 to 10, half of 11.
  const Overlay shifted = overlay_of({{0.5, 10.5}, {0.0, 0.0}},
                                     {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}});
  REQUIRE(shifted.intervals.size() == 1);
  CHECK(shifted.intervals[0].modelled == Approx((0.5 + 54.0 + 5.5) / 10.0));
  CHECK(overlay_of({}, fine).intervals.empty());
}

TEST_CASE("the first divergence is found when and where it was planted", "[compare]") {
  const TemporaryFolder folder;
  const std::vector<std::string> racks{"r_1", "r_2", "r_3"};
  write_racks(folder / "a.h5", 1.0, racks, nothing);
  write_racks(folder / "b.h5", 1.0, racks, [](double time_s, std::size_t column, const std::string& rack) {
    if (column == 1 && rack == "r_2")
      return time_s >= 40.0 ? 0.5 : time_s >= 20.0 ? 0.09 : 0.0;           // within 0.1 K at first
    if (column == 0 && rack == "r_3") return time_s >= 31.0 ? -2.0 : 0.0;  // 0.1 % of 1065 W is 1.065 W
    return 0.0;
  });
  const ResultsReader a(folder / "a.h5"), b(folder / "b.h5");
  const SeriesComparison found = compare_series(a, b, {});
  CHECK(found.columns == 2);
  CHECK(found.unshared.empty());
  CHECK(found.notes.empty());
  REQUIRE(found.divergences.size() == 2);
  CHECK(found.divergences[0].column == "it_power");
  CHECK(found.divergences[0].first.time_s == 31.0);
  CHECK(found.divergences[0].first.item == "r_3");
  CHECK(found.divergences[0].first.a == 1031.0);
  CHECK(found.divergences[0].first.b == 1029.0);
  CHECK(found.divergences[0].threshold == Approx(1.065));
  CHECK(found.divergences[0].items == 1);
  CHECK(found.divergences[1].column == "supply_temperature");
  CHECK(found.divergences[1].first.time_s == 40.0);

  Problems problems;
  const auto divergence_with = [&](std::vector<std::string> texts) {
    return compare_series(a, b, read_tolerances(texts, recorded_units(a), problems)).divergences;
  };
  CHECK(divergence_with({"0.05 K"}).at(0).first.time_s == 20.0);
  CHECK(divergence_with({"0"}).at(0).first.time_s == 20.0);
  CHECK(divergence_with({"3 W", "1 K"}).empty());
  CHECK(problems.empty());
  divergence_with({"1 kg", "-1 %", "much"});
  CHECK(problems.size() == 3);
  CHECK(compare_series(a, a, read_tolerances(std::vector<std::string>{"0"}, recorded_units(a), problems))
            .divergences.empty());
}

TEST_CASE("records of other intervals and other racks are compared where they can be", "[compare]") {
  const TemporaryFolder folder;
  write_racks(folder / "a.h5", 1.0, {"r_1", "r_2"}, nothing);
  // Means over 15 s of what is 1000 + t in (t - 1, t]: 7 W below the value at the end.
  write_racks(folder / "b.h5", 15.0, {"r_2", "r_9"}, [](double time_s, std::size_t column, const std::string&) {
    return column == 0 && time_s > 0.0 ? -7.0 : 0.0;
  });
  const ResultsReader a(folder / "a.h5"), b(folder / "b.h5");
  Problems problems;
  const SeriesComparison found =
      compare_series(a, b, read_tolerances(std::vector<std::string>{"0.001 W"}, recorded_units(a), problems));
  CHECK(found.divergences.empty());
  REQUIRE(found.unshared.size() == 1);
  CHECK(found.unshared[0].what == "racks");
  CHECK(found.unshared[0].only_a == std::vector<std::string>{"r_1"});
  CHECK(found.unshared[0].only_b == std::vector<std::string>{"r_9"});
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0] == "racks: A every 1 s to 1 min, B every 15 s to 1 min: compared at 5 times");
}

TEST_CASE("events that moved, or are in one run alone, are reported by time", "[compare]") {
  const std::vector<EventRecord> a{
      {1.0, "fail", "p", ""}, {5.0, "start", "q", "x"}, {9.0, "start", "q", "x"}, {20.0, "trip", "u", ""}};
  const std::vector<EventRecord> b{
      {1.0, "fail", "p", ""}, {9.5, "start", "q", "x"}, {12.0, "trip", "u", "40 %"}, {3.0, "fail", "r", ""}};
  const std::vector<EventDifference> found = event_differences(a, b);
  REQUIRE(found.size() == 4);
  CHECK((found[0].b == b[3] && !found[0].a));
  CHECK((found[1].a == a[1] && !found[1].b));  // not the one at 9 s, which moved by half a second
  CHECK((found[2].a == a[2] && found[2].moved_s() == 0.5));
  CHECK(found[3].moved_s() == -8.0);
  CHECK(event_differences(a, a).empty());
  CHECK(event_differences(a, {}).size() == 4);
}

TEST_CASE("scenarios differ by path", "[compare]") {
  const std::string a = "hall:\n  racks: { count: 8, rows: [4, 4] }\nevents:\n  - { at: 5 s, fail: p }\nseed: 1\n";
  const std::string b = "seed: 1\nhall:\n  racks: { count: 9, rows: 3 }\n  doors: { hardware: { rating: 35 kW } }\n";
  using Difference = ScenarioDifference;
  CHECK(scenario_differences(a, b) == std::vector<Difference>{{"hall.racks.count", "8", "9"},
                                                              {"hall.racks.rows.1", "4", {}},
                                                              {"hall.racks.rows.2", "4", {}},
                                                              {"hall.racks.rows", {}, "3"},
                                                              {"hall.doors.hardware.rating", {}, "35 kW"},
                                                              {"events.1.at", "5 s", {}},
                                                              {"events.1.fail", "p", {}}});
  CHECK(scenario_differences(a, a).empty());
}

TEST_CASE("figures stand side by side, with differences where both are numbers", "[compare]") {
  const double no_number = std::nan("");
  const std::vector<std::vector<NamedValue>> summaries{{{"pue", 1.2, "1", ""},
                                                        {"throttle", no_number, "s", ""},
                                                        {"trips", std::int64_t{0}, "", ""},
                                                        {"wall_time", 1.0, "s", ""}},
                                                       {{"pue", 1.5, "1", ""},
                                                        {"throttle", no_number, "s", ""},
                                                        {"trips", std::int64_t{2}, "", ""},
                                                        {"water", 3.0, "m3", ""}}};
  const std::vector<FigureRow> rows = figures_side_by_side(summaries);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].difference(1) == Approx(0.3));
  CHECK(rows[0].difference_ratio(1) == Approx(0.25));
  CHECK(rows[1].is_equal());
  CHECK(rows[2].difference(1) == 2.0);
  CHECK(std::isnan(rows[2].difference_ratio(1)));
  CHECK(rows[3].name == "water");
  CHECK_FALSE(rows[3].is_equal());
  CHECK(std::isnan(rows[3].difference(1)));
}
