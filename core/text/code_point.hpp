// One character of a text in UTF-8 (RFC 3629), or one byte that is none.
#pragma once

#include <cstddef>
#include <string_view>

namespace wattloop {

inline constexpr char32_t no_character = 0xFFFFFFFF;

struct CodePoint {
  char32_t value = no_character;  ///< no_character: the byte begins no UTF-8 character
  std::size_t bytes = 1;
};

/// What begins at that byte of the text. Surrogates, overlong spellings and numbers above U+10FFFF are no characters.
constexpr CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {byte, 1};
  const std::size_t bytes = byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0;
  if (bytes == 0 || at + bytes > text.size()) return {};
  char32_t value = byte & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    const auto next = static_cast<unsigned char>(text[at + k]);
    if ((next & 0xC0) != 0x80) return {};
    value = (value << 6U) | (next & 0x3FU);
  }
  const bool is_overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  return is_overlong || is_surrogate || value > 0x10FFFF ? CodePoint{} : CodePoint{value, bytes};
}

/// Not to be seen, or moves what is seen: control characters, line and paragraph separators, marks of writing direction, the byte
/// order mark, and code points that are no characters.
constexpr bool is_unprintable(char32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x061C || (value >= 0x200E && value <= 0x200F) ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) || value == 0xFEFF ||
         (value & 0xFFFE) == 0xFFFE;
}

}  // namespace wattloop
