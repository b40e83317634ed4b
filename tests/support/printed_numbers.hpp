// The numbers of a text that people read, with their units, back in SI: what is printed is held against what is known.
#pragma once

#include <string>
#include <vector>

namespace wattloop::tests {

struct PrintedNumber {
  double si = 0.0;
  double half_digit_si = 0.0;  ///< half of what its last digit is worth
  std::string unit{};          ///< as printed; empty: none that this knows
  std::string text{};
};

/// In their order, "2 h 13 min" as one. Digits of names ("cdu_2", "GPT-3") are no numbers.
std::vector<PrintedNumber> printed_numbers(const std::string& text);

/// The text with every number and its unit as "#": what it says besides.
std::string without_numbers(const std::string& text);

/// Whether that is what would be printed of `si`.
bool shows(const PrintedNumber& number, double si);

}  // namespace wattloop::tests
