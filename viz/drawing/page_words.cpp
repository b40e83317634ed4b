#include "viz/drawing/page_words.hpp"

#include <algorithm>

#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {
namespace {

double words_width(const std::string& text, double size) { return text_width({text, {}, size}); }

/// Where the word at `begin` ends; a number and the short unit behind it are one: "87.50 °C".
std::size_t end_of_word(const std::string& text, std::size_t begin) {
  constexpr std::size_t longest_unit = 5;  // bytes of "min)" or "°C)"
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const bool is_number = end > begin && text[end - 1] >= '0' && text[end - 1] <= '9';
  const std::size_t next = is_number && end < text.size() ? std::min(text.find(' ', end + 1), text.size()) : end;
  return next - end <= longest_unit + 1 ? next : end;
}

}  // namespace

std::string with_degrees(std::string text) {
  for (std::size_t at = text.find("degC"); at != std::string::npos; at = text.find("degC")) text.replace(at, 4, "°C");
  return text;
}

std::vector<std::string> wrapped(const std::string& text, double width, double size, std::size_t most_lines) {
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_word(text, begin);
    const std::string word = text.substr(begin, end - begin);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (words_width(longer, size) <= width || lines.back().empty()) {
      lines.back() = longer;
    } else if (lines.size() < most_lines) {
      lines.push_back(word);
    } else {
      lines.back() += " ...";
      break;
    }
    begin = end + 1;
  }
  while (words_width(lines.back(), size) > width && lines.back().size() > 8) {
    std::size_t cut = lines.back().size() - 7;
    while (cut > 0 && (static_cast<unsigned char>(lines.back()[cut]) & 0xC0U) == 0x80U) --cut;  // within a character
    lines.back().replace(cut, std::string::npos, "...");
  }
  return lines;
}

}  // namespace wattloop::viz
