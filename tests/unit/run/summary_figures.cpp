// Every figure of the summary against the tables of its run. A figure that no one expects fails the test.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/unit/run/summary_by_tables.hpp"

using namespace wattloop;
using tests::HotRun;
using tests::Must;
using twin::NamedValue;

namespace {

/// How far a figure may be off: energies of the water side are known to 1e-4 while motors stop and start
/// (tests/cases/recorded_energies.cpp), all else as a file keeps it.
double tolerance(const std::string& name, const Must& must) {
  if (name.ends_with("_energy")) return 1e-4 * must.numbers.at(name == "stored_energy" ? "facility_energy" : name);
  if (name.ends_with("_margin") || name.ends_with("_error")) return 1e-4;  // of 300 K
  if (name.ends_with("e_set_point_time") || name.ends_with("_below_set_point_time"))
    return 1.0;                                   // within the second of a record
  if (name.ends_with("_set_point")) return 1e-3;  // of 300 K, twice, in single precision
  const bool is_of_energies = name.starts_with("pue_") || name == "wue" || name == "water_use";
  return (is_of_energies ? 1e-4 : 1e-6) * std::abs(must.numbers.at(name));
}

}  // namespace

TEST_CASE("every figure of the summary is that of the recorded tables, and names whose it is", "[figures]") {
  HotRun hot;
  for (const NamedValue& value : hot.run.summary) {
    INFO(value.name);
    if (const auto* text = std::get_if<std::string>(&value.value)) {
      REQUIRE(hot.must.texts.count(value.name) == 1);
      const bool is_of_alike = value.name == "highest_crah_loading_of";  // which are level but for the last bits
      if (is_of_alike)
        CHECK(hot.tables.highest("crahs", "loading", *text).value ==
              Approx(hot.must.numbers.at("highest_crah_loading")).epsilon(1e-6));
      else
        CHECK(*text == hot.must.texts[value.name]);
      continue;
    }
    const double number = std::visit(
        [](const auto& v) {
          if constexpr (std::is_convertible_v<decltype(v), double>) return static_cast<double>(v);
          return std::nan("");
        },
        value.value);
    if (value.name == "energy_residual") {
      CHECK(std::abs(number) < 1e-9);
      continue;
    }
    REQUIRE(hot.must.numbers.count(value.name) == 1);
    const double must = hot.must.numbers[value.name], off = std::abs(number - must);
    INFO(number << " instead of " << must);
    CHECK(std::isnan(must) == !value.reason.empty());
    if (std::isnan(must)) {
      CHECK(std::isnan(number));
      continue;
    }
    CHECK(off <= std::abs(tolerance(value.name, hot.must)));
  }
  CHECK(hot.run.summary.size() == hot.must.numbers.size() + hot.must.texts.size() + 1);
}
