// What a text that was cut says wrong: a number that the whole text does not have, or the last number of it left out.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

namespace wattloop::tests {

inline std::vector<std::string> numbers_of(const std::string& text) {
  static const std::regex number("[0-9]+(?:[.,][0-9]+)*");
  std::vector<std::string> numbers;
  for (std::sregex_iterator found(text.begin(), text.end(), number), end; found != end; ++found)
    numbers.push_back(found->str());
  return numbers;
}

/// Of a drawn text that is `whole` or a shorter form of it; empty where nothing is wrong.
inline std::string wrong_of_cut(const std::string& whole, const std::string& drawn) {
  if (drawn == whole) return {};
  const std::vector<std::string> all = numbers_of(whole), shown = numbers_of(drawn);
  if (drawn.find("...") == std::string::npos) return "no dots say that it is cut: " + drawn;
  for (const std::string& number : shown)
    if (std::ranges::count(all, number) == 0) return "no number of the text is " + number;
  if (!all.empty() && (shown.empty() || shown.back() != all.back())) return "is cut before its number " + all.back();
  return {};
}

}  // namespace wattloop::tests
