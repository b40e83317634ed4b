// Letters instead of numbers in the names of equal machines of one system.
#pragma once

#include <cstddef>
#include <string>

namespace wattloop {

/// "a" to "z", then "aa" to "az", "ba" and so on; `number` counts from 0.
inline std::string letter_name(std::size_t number) {
  constexpr std::size_t letters = 26;
  std::string name(1, static_cast<char>('a' + number % letters));
  for (std::size_t rest = number / letters; rest > 0; rest = (rest - 1) / letters)
    name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % letters));
  return name;
}

}  // namespace wattloop
