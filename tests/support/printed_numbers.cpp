#include "tests/support/printed_numbers.hpp"

#include <cmath>
#include <map>
#include <regex>

namespace wattloop::tests {

namespace {

struct Unit {
  double si, offset_si = 0.0;
};

const std::map<std::string, Unit> units{{"W", {1.0}},
                                        {"kW", {1e3}},
                                        {"MW", {1e6}},
                                        {"J", {1.0}},
                                        {"kJ", {1e3}},
                                        {"kWh", {3.6e6}},
                                        {"MWh", {3.6e9}},
                                        {"%", {0.01}},
                                        {"degC", {1.0, 273.15}},
                                        {"K", {1.0}},
                                        {"m3", {1.0}},
                                        {"L", {1e-3}},
                                        {"L/kWh", {1e-3 / 3.6e6}},
                                        {"d", {86400.0}},
                                        {"h", {3600.0}},
                                        {"min", {60.0}},
                                        {"s", {1.0}},
                                        {"GPU-seconds", {1.0}},
                                        {"", {1.0}}};

bool is_duration(const std::string& unit) { return unit == "d" || unit == "h" || unit == "min" || unit == "s"; }

/// What a number looks like: not within a name, a digit first, an exponent or a unit behind it.
const std::regex pattern(
    R"((^|[\s(])(-?\d+(\.\d+)?(e[-+]\d+)?)( (L/kWh|GPU-seconds|degC|kWh|MWh|MW|kW|kJ|min|m3|W|J|K|L|d|h|s|%)(?=[\s,)]|$))?(?![\w.]))");

double last_digit(const std::string& text) {
  const std::size_t point = text.find('.'), exponent = text.find('e');
  const std::string digits = text.substr(0, exponent);
  const double power = exponent == std::string::npos ? 0.0 : std::stod(text.substr(exponent + 1));
  const double decimals = point == std::string::npos ? 0.0 : static_cast<double>(digits.size() - point - 1);
  return std::pow(10.0, power - decimals);
}

}  // namespace

std::vector<PrintedNumber> printed_numbers(const std::string& text) {
  std::vector<PrintedNumber> numbers;
  std::ptrdiff_t end_of_last = -1;
  for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found) {
    const std::string digits = (*found)[2], unit = (*found)[6];
    const Unit& size = units.at(unit);
    const bool goes_on = is_duration(unit) && !numbers.empty() && is_duration(numbers.back().unit) &&
                         found->position(2) == end_of_last + 1;
    const PrintedNumber number{std::stod(digits) * size.si + size.offset_si, 0.5 * last_digit(digits) * size.si, unit,
                               digits};
    if (goes_on) {
      numbers.back().si += number.si;
      numbers.back().half_digit_si = number.half_digit_si;
      numbers.back().text += " " + numbers.back().unit + " " + digits;
      numbers.back().unit = unit;
    } else {
      numbers.push_back(number);
    }
    end_of_last = found->position(0) + found->length(0);
  }
  return numbers;
}

std::string without_numbers(const std::string& text) {
  const std::string marked = std::regex_replace(text, pattern, "$1#");
  return std::regex_replace(marked, std::regex(" +"), " ");
}

bool shows(const PrintedNumber& number, double si) {
  return std::abs(number.si - si) <= 1.001 * number.half_digit_si + 1e-9 * std::abs(si);
}

}  // namespace wattloop::tests
