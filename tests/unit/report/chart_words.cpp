// What charts say in words and to the pointer, against the data that they are drawn of.
#include <regex>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/charts/heat_map.hpp"
#include "twin/report/charts/power_shape.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;
using wattloop::tests::TemporaryFolder;

namespace {

std::string found_in(const std::string& page, const std::string& pattern, std::size_t group = 1) {
  std::smatch found;
  return std::regex_search(page, found, std::regex(pattern)) ? found[group].str() : std::string();
}

std::vector<int> bytes_of(const std::string& base64) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<int> bytes;
  int bits = 0, count = 0;
  for (const char letter : base64) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<int>(letters.find(letter));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(bits >> count & 255);
    bits &= (1 << count) - 1;
  }
  return bytes;
}

/// A run of power at even times: slow and fast swings, of means or of values.
std::string swings_of(int samples, double interval_s, bool is_mean) {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto facility = writer.add_table(
      {.group = "facility", .columns = {{"power", "W", "p", is_mean}, {"it_power", "W", "it", is_mean}}});
  for (int k = 0; k < samples; ++k)
    writer.append(facility, interval_s * k, std::vector{1e6F + 1e4F * float(k % 7), 8e5F + 1e3F * float(k % 5)});
  writer.finish();
  return power_swings_chart(ResultsReader(folder / "x.h5"));
}

}  // namespace

TEST_CASE("a heat map tells the pointer the temperature that was recorded there", "[report][chart_words]") {
  const std::vector<double> times_s{0.0, 60.0, 120.0};
  const std::vector<float> dies_k{300.15F, 313.35F, 330.55F, 341.75F, 352.95F, 364.15F};
  const std::string page = heat_map(times_s, std::vector<std::string>{"rack_1", "rack_2"}, dies_k);
  const std::string of_byte = R"(\(([0-9.]+) \+ ([0-9.]+) \* \(byte - ([0-9]+)\)\)\.toFixed)";
  REQUIRE(!found_in(page, of_byte).empty());
  const double lowest = std::stod(found_in(page, of_byte)), step = std::stod(found_in(page, of_byte, 2)),
               from = std::stod(found_in(page, of_byte, 3));
  const std::vector<int> bytes = bytes_of(found_in(page, "data-bytes='([^']*)'"));
  REQUIRE(bytes.size() == dies_k.size());
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t rack = 0; rack < 2; ++rack) {
      const double shown = lowest + step * (bytes[3 * rack + row] - from);
      CHECK(shown == Approx(double(dies_k[2 * row + rack]) - 273.15).margin(0.51 * step));
    }
  }
  CHECK_THAT(page, Contains("from rack_1 at the top to rack_2 at the bottom") &&
                       Contains("from 0 s on the left to 2 min on the right"));
}

TEST_CASE("a chart of swings says of how many samples it is, how far apart, and which swings it cannot show",
          "[report][chart_words]") {
  // Windows of 64 samples: the lowest band begins at half of one period in a window, of 2 s each or of 4 s.
  CHECK_THAT(
      swings_of(512, 2.0, false),
      Contains("<p>From 512 values, one every 2 s: faster swings show as slower ones, those slower than 4 min 16 "
               "s are not resolved.</p>"));
  CHECK_THAT(swings_of(300, 4.0, true), Contains("<p>From 300 means, one every 4 s: faster swings are averaged away, "
                                                 "those slower than 8 min 32 s are not resolved.</p>"));
  CHECK(swings_of(63, 2.0, false).empty());
}
