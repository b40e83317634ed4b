#include "twin/drawings/names/fitted_text.hpp"

#include <algorithm>
#include <utility>

namespace wattloop::twin {

namespace {

constexpr double smallest_share = 0.75;  ///< of the size that was asked for

/// Of a letter, or of the first byte of one, over the size of the text.
double letter_width(char letter) {
  if ((static_cast<unsigned char>(letter) & 0xC0U) == 0x80U) return 0.0;  // inside a letter of several bytes
  const bool is_narrow = std::string_view("ijl.,:;'|! ()[]ft").find(letter) != std::string_view::npos;
  const bool is_wide = (letter >= 'A' && letter <= 'Z') || letter == 'm' || letter == 'w';
  return is_narrow ? 0.34 : is_wide ? 0.78 : 0.61;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// The end of a text from one of its numbers on with the word before it, the longest that is at most `width` of its size: "air 38.3 °C
/// where 35 °C is allowed".
std::string last_numbers(const std::string& text, double width) {
  std::size_t best = text.size();
  bool has_number = false, follows_number = false;  // the word that is read, and the one before which it stands
  for (std::size_t begin = text.size(); begin-- > 1 && letters_width(std::string_view(text).substr(begin)) <= width;) {
    has_number = has_number || is_digit(text[begin]);
    if (text[begin - 1] != ' ' && text[begin - 1] != '_') continue;
    if (has_number || follows_number) best = begin;
    follows_number = std::exchange(has_number, false);
  }
  return text.substr(best);
}

/// How many bytes of a text are at most `width` of its size; a letter or a number is left out as a whole.
std::size_t bytes_within(const std::string& text, double width) {
  std::size_t end = 0;
  for (double used = 0.0; end < text.size() && used + letter_width(text[end]) <= width; ++end)
    used += letter_width(text[end]);
  while (end > 0 && end < text.size() && letter_width(text[end]) == 0.0) --end;
  const auto is_of_number = [&](std::size_t at) { return is_digit(text[at]) || text[at] == '.' || text[at] == ','; };
  if (end < text.size() && is_of_number(end))
    while (end > 0 && is_of_number(end - 1)) --end;
  while (end > 0 && text[end - 1] == ' ') --end;
  return end;
}

double words_width(const std::string& text, double size) { return size * letters_width(text); }

/// Where the word at `begin` ends; a number and the short unit behind it are one: "87.50 °C".
std::size_t end_of_word(const std::string& text, std::size_t begin) {
  constexpr std::size_t longest_unit = 5;  // bytes of "min)" or "°C)"
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const bool is_number = end > begin && text[end - 1] >= '0' && text[end - 1] <= '9';
  const std::size_t next = is_number && end < text.size() ? std::min(text.find(' ', end + 1), text.size()) : end;
  return next - end <= longest_unit + 1 ? next : end;
}

/// Where the last number of a text ends, its unit included; the end of the text where it has none.
std::size_t number_end(const std::string& text) {
  const std::size_t digit = text.find_last_of("0123456789");
  if (digit == std::string::npos) return text.size();
  const std::size_t space = text.rfind(' ', digit);
  return std::min(end_of_word(text, space == std::string::npos ? 0 : space + 1), text.size());
}

}  // namespace

double letters_width(std::string_view text) {
  double units = 0.0;
  for (const char letter : text) units += letter_width(letter);
  return units;
}

std::string cut_to(std::string text, double width, double size) {
  constexpr double rounding = 1.0 + 1e-9, most_of_numbers = 0.6;
  constexpr std::size_t shortest = 8;  // bytes
  if (text.size() <= shortest || words_width(text, size) <= width * rounding) return text;
  const std::string numbers = last_numbers(text, most_of_numbers * width / size);
  const std::size_t last = number_end(text);
  if (numbers.empty() && last < text.size() && words_width(text.substr(0, last) + " ...", size) > width) {
    const std::string to_number = cut_to(text.substr(0, last), width - words_width(" ...", size), size);
    if (!to_number.ends_with("...")) return to_number + " ...";
  }
  const std::string behind = (numbers.empty() ? " ..." : " ... ") + numbers;
  std::string first = text.substr(0, text.size() - numbers.size());
  first.resize(bytes_within(first, width * rounding / size - letters_width(behind)));
  const bool may_touch = first.empty() || !is_digit(first.back());  // a number that seems to go on would be another one
  return first + (may_touch ? behind.substr(1) : behind);
}

std::vector<std::string> wrapped(const std::string& text, double width, double size, std::size_t most_lines) {
  std::vector<std::string> lines{""};
  std::size_t line_begin = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_word(text, begin);
    const std::string word = text.substr(begin, end - begin);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (words_width(longer, size) <= width || lines.back().empty()) {
      lines.back() = longer;
    } else if (lines.size() < most_lines) {
      lines.push_back(word);
      line_begin = begin;
    } else {
      lines.back() = text.substr(line_begin);
      break;
    }
    begin = end + 1;
  }
  lines.back() = cut_to(lines.back(), width, size);
  return lines;
}

namespace {

std::string together(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : " ") + line;
  return text;
}

}  // namespace

std::vector<FittedLine> fitted_lines(const std::string& text, double width, double size, std::size_t most_lines) {
  std::vector<std::string> lines = wrapped(text, width, size, most_lines);
  if (together(lines) != text) lines = wrapped(text, width, smallest_share * size, most_lines);
  std::vector<FittedLine> fitted;
  for (const std::string& line : lines) {
    const double needed = std::max(words_width(line, size), 1e-9);
    const double smaller = std::clamp(size * width / needed, smallest_share * size, size);
    fitted.push_back({cut_to(line, width, smaller), smaller});
  }
  return fitted;
}

}  // namespace wattloop::twin
