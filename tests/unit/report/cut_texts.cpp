// Texts that are too long for their place: they keep their last number with its unit, no number is cut, and dots stand where words are left out.
#include "tests/support/catch.hpp"
#include "tests/support/cut_numbers.hpp"
#include "twin/drawings/charts/live_charts.hpp"
#include "twin/drawings/names/fitted_text.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;

namespace {

constexpr double size = 12.0;

const std::vector<std::string> long_texts{
    "LOST: an air-cooled hall loses two of its three fans, with a supply of 27.5 degC",
    "row 3, rack 18: inlet air temperature 38.25 degC where 35 degC is allowed",
    "row 3, rack 18 is hotter than the maker of its servers allows: 38.25 °C",
    "a job with a rather long name that is not short (1024 nodes)",
    "chilled_water_of_the_eastern_hall_and_its_extension_12",
    "PDU a and b 1 to 20: 30.5 to 65.25 % of what they are rated for"};

}  // namespace

TEST_CASE("a text that is cut keeps its last number and cuts none, at every width", "[cut_texts]") {
  for (const std::string& text : long_texts) {
    const double whole = size * letters_width(text);
    for (double width = 0.5 * whole; width < whole; width += 0.37 * size) {
      const std::string cut = cut_to(text, width, size);
      INFO(width << ": " << cut);
      CHECK(wrong_of_cut(text, cut).empty());
      CHECK(size * letters_width(cut) <= width * 1.000001);
      CHECK(letters_width(cut) > 0.6 * width / size);  // it uses its room
      std::string lines;
      for (const std::string& line : wrapped(text, 0.6 * width, size, 2)) {
        CHECK(size * letters_width(line) <= 0.6 * width * 1.000001);
        lines += line + " ";
      }
      CHECK(numbers_of(lines).back() == numbers_of(text).back());
    }
    CHECK(cut_to(text, whole, size) == text);
  }
  CHECK(cut_to("row 3, rack 18: inlet air temperature 38.25 degC", 170.0, size) == "row 3, rack... 38.25 degC");
}

TEST_CASE("planted texts that are cut before or within their number are noticed", "[cut_texts]") {
  for (const std::string& text : long_texts) {
    const std::size_t digit = text.find_last_of("0123456789");
    CHECK_FALSE(wrong_of_cut(text, text.substr(0, digit - 6) + "...").empty());
    CHECK_FALSE(wrong_of_cut(text, text.substr(0, digit) + "...").empty());
    CHECK_FALSE(wrong_of_cut(text, text.substr(0, digit)).empty());
  }
}

TEST_CASE("a text without room for its number ends in dots behind a whole word or number", "[cut_texts]") {
  CHECK(cut_to("1024 nodes are off, and no log has the reason for it", 60.0, size) == "1024 n...");
  CHECK(cut_to("heat of 1024.5 kW", 80.0, size).find("1024") == std::string::npos);
  CHECK(cut_to("words without any number at all", 100.0, size).starts_with("words with"));
  CHECK(cut_to("words without any number at all", 100.0, size).ends_with("..."));
  CHECK(cut_to("1234567890123456", 40.0, size) == "...");
}
