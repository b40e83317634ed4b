#include "viz/drawing/page_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace wattloop::viz {

std::string with_degrees(std::string text) {
  for (std::size_t at = text.find("degC"); at != std::string::npos; at = text.find("degC")) text.replace(at, 4, "°C");
  return text;
}

Text fitted(Text text, double width, double smallest_share) {
  const double needed = text_width(text);
  if (needed <= width) return text;
  text.size *= std::max(width / needed, smallest_share);
  const double bold = text_width(text) / std::max(text.size * twin::letters_width(text.text), 1e-9);
  text.text = twin::cut_to(std::move(text.text), width / bold, text.size);
  return text;
}

Text fitted_list(const std::vector<std::string>& items, Text text, double width, Rest rest) {
  constexpr double smallest_share = 0.7;
  for (std::size_t count = items.size(); count > 0; --count) {
    text.text = fmt::format("{}", fmt::join(items.begin(), items.begin() + std::ptrdiff_t(count), "; "));
    if (count < items.size() && rest == Rest::counted) text.text += fmt::format("; and {} more", items.size() - count);
    if (smallest_share * text_width(text) <= width) break;
  }
  return fitted(std::move(text), width, smallest_share);
}

}  // namespace wattloop::viz
