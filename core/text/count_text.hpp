// Counts and names in messages.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace wattloop {

/// "1 rack", "3 racks": a noun whose plural takes an s.
inline std::string count_text(std::integral auto count, std::string_view noun) {
  return (std::to_string(count) + ' ').append(noun) + (count == 1 ? "" : "s");
}

/// "rated power" for "rated_power".
inline std::string words_of_name(std::string name) {
  for (char& letter : name)
    if (letter == '_') letter = ' ';
  return name;
}

}  // namespace wattloop
