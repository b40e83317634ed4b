#include "core/text/printable.hpp"

#include <fmt/format.h>

#include "core/text/code_point.hpp"

namespace wattloop {

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint one = code_point_at(text, i);
    if (one.value == '\n') {
      shown += "\\n";
    } else if (one.value == '\t') {
      shown += "\\t";
    } else if (one.value == no_character) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    } else if (is_unprintable(one.value)) {
      shown += one.value < 0x100 ? fmt::format("\\x{:02x}", std::uint32_t{one.value})
                                 : fmt::format("\\u{:04x}", std::uint32_t{one.value});
    } else {
      shown += text.substr(i, one.bytes);
    }
    i += one.bytes;
  }
  return shown;
}

}  // namespace wattloop
