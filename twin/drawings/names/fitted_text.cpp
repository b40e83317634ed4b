#include "twin/drawings/names/fitted_text.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

constexpr double smallest_share = 0.75;  ///< of the size that was asked for

double words_width(const std::string& text, double size) { return size * letters_width(text); }

/// Where the word at `begin` ends; a number and the short unit behind it are one: "87.50 °C".
std::size_t end_of_word(const std::string& text, std::size_t begin) {
  constexpr std::size_t longest_unit = 5;  // bytes of "min)" or "°C)"
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const bool is_number = end > begin && text[end - 1] >= '0' && text[end - 1] <= '9';
  const std::size_t next = is_number && end < text.size() ? std::min(text.find(' ', end + 1), text.size()) : end;
  return next - end <= longest_unit + 1 ? next : end;
}

}  // namespace

double letters_width(std::string_view text) {
  double units = 0.0;
  for (const char letter : text) {
    if ((static_cast<unsigned char>(letter) & 0xC0U) == 0x80U) continue;  // inside a letter of several bytes
    const bool is_narrow = std::string_view("ijl.,:;'|! ()[]ft").find(letter) != std::string_view::npos;
    const bool is_wide = (letter >= 'A' && letter <= 'Z') || letter == 'm' || letter == 'w';
    units += is_narrow ? 0.34 : is_wide ? 0.78 : 0.61;
  }
  return units;
}

std::string cut_to(std::string text, double width, double size) {
  constexpr double rounding = 1.0 + 1e-9;
  while (words_width(text, size) > width * rounding && text.size() > 8) {
    std::size_t cut = text.size() - 4 - (text.ends_with("...") ? 3 : 0);
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;  // within a character
    text.replace(cut, std::string::npos, "...");
  }
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
  lines.back() = cut_to(lines.back(), width, size);
  return lines;
}

std::vector<FittedLine> fitted_lines(const std::string& text, double width, double size, std::size_t most_lines) {
  std::vector<std::string> lines = wrapped(text, width, size, most_lines);
  if (lines.back().ends_with("...")) lines = wrapped(text, width, smallest_share * size, most_lines);
  std::vector<FittedLine> fitted;
  for (const std::string& line : lines) {
    const double needed = std::max(words_width(line, size), 1e-9);
    const double smaller = std::clamp(size * width / needed, smallest_share * size, size);
    fitted.push_back({cut_to(line, width, smaller), smaller});
  }
  return fitted;
}

}  // namespace wattloop::twin
