// Texts that keep within what is drawn around them: their width, in lines of a width, smaller, cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

/// Width of a text over its size in the wide letters of pictures, a little overestimated, so that what is placed by it does not overlap.
double letters_width(std::string_view text);

/// Letters of SVG (Arial and its like) are narrower than those of pictures by that.
inline constexpr double svg_letters = 0.93;

/// Words on at most `most_lines` lines of at most `width` pixels in letters of `size`; what does not fit the last of them is cut.
std::vector<std::string> wrapped(const std::string& text, double width, double size, std::size_t most_lines);

/// Dots where it would be wider: behind the first words and before the last numbers, which stay with what is behind them. No number is cut.
std::string cut_to(std::string text, double width, double size);

/// A line of text at a size, pixels.
struct FittedLine {
  std::string text{};
  double size = 0.0;
};

/// The same, each line that is still too long, as a name in one word is, smaller and at last cut.
std::vector<FittedLine> fitted_lines(const std::string& text, double width, double size, std::size_t most_lines);

}  // namespace wattloop::twin
