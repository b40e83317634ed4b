#include "twin/drawings/diagrams/power_symbols.hpp"

#include <fmt/format.h>

#include "twin/drawings/diagrams/transfer_switches.hpp"

namespace wattloop::twin {

namespace {

constexpr double half = symbol_size / 2;

std::string circle(double x, double y, double radius) {
  return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}'/>", x, y, radius);
}

std::string square(double x, double y, double half_side) {
  return fmt::format("<path d='M{0:.1f} {1:.1f}h{2:.1f}v{2:.1f}h-{2:.1f}z'/>", x - half_side, y - half_side,
                     2 * half_side);
}

std::string machine(double x, double y, char letter) {
  return circle(x, y, half) + fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>", x, y + 4, letter);
}

}  // namespace

std::string symbol_svg(std::string_view kind, double x, double y) {
  std::string shapes;
  if (kind == "transformer" || kind == "substation") shapes = circle(x, y - 3.5, 5.5) + circle(x, y + 3.5, 5.5);
  if (kind == "breaker")  // a contact with a cross at the fixed one
    shapes =
        fmt::format("<path d='M{0:.1f} {1:.1f}v5M{2:.1f} {3:.1f}l5 5m0 -5l-5 5M{4:.1f} {5:.1f}L{0:.1f} {6:.1f}v5'/>", x,
                    y - half, x - 2.5, y - 6.5, x - 5, y - 5, y + 4);
  if (kind == "fuse")  // a rectangle with the conductor through it
    shapes = fmt::format("<path d='M{:.1f} {:.1f}h6v14h-6zM{:.1f} {:.1f}v14'/>", x - 3, y - 7, x, y - 7);
  if (kind == "UPS")
    shapes = square(x, y, half - 1) +
             fmt::format("<path d='M{0:.1f} {1:.1f}l{2:.1f} -{2:.1f}'/>", x - half + 1, y + half - 1, symbol_size - 2);
  if (kind == "UPS bypass")  // thyristors of a static switch, one each way
    shapes =
        square(x, y, half - 1) +
        fmt::format(
            "<path d='M{0:.1f} {1:.1f}v7l6 -3.5zM{2:.1f} {1:.1f}v7M{3:.1f} {4:.1f}v7l-6 -3.5zM{5:.1f} {4:.1f}v7'/>",
            x - 3, y - 7.5, x + 3, x + 3, y + 0.5, x - 3);
  if (kind == transfer_switch)  // a blade from one of two contacts
    shapes = circle(x - 4, y - 6, 1.6) + circle(x + 4, y - 6, 1.6) + circle(x, y + 6, 1.6) +
             fmt::format("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}'/>", x, y + 4.4, x - 3.6, y - 4.4);
  if (kind == "generator") shapes = machine(x, y, 'G');
  return shapes.empty() ? shapes : "<g class='symbol'>" + shapes + "</g>";
}

}  // namespace wattloop::twin
