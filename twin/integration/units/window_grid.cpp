#include "twin/integration/units/window_grid.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

void WindowGrid::fill(double begin_s, const Window& window, double longest_s) {
  instants_s_.clear();
  shows_units_.clear();
  is_asked_.clear();
  for (std::size_t instant = 0; instant < window.instants_s.size(); ++instant) {
    const double end_s = window.instants_s[instant];
    const int pieces = std::max(1, static_cast<int>(std::ceil((end_s - begin_s) / longest_s - 1e-6)));
    for (int piece = 1; piece <= pieces; ++piece) {
      const bool is_last = piece == pieces;
      instants_s_.push_back(is_last ? end_s : begin_s + (end_s - begin_s) * piece / pieces);
      shows_units_.push_back(is_last ? window.shows_units[instant] : 0);
      is_asked_.push_back(is_last ? 1 : 0);
    }
    begin_s = end_s;
  }
}

void WindowGrid::cut(double end_s) {
  while (instants_s_.size() > 1 && instants_s_[instants_s_.size() - 2] >= end_s) instants_s_.pop_back();
  instants_s_.back() = end_s;
}

Window part_until(double end_s, const Window& whole) {
  const auto after = std::ranges::lower_bound(whole.instants_s, end_s);
  const auto count = std::min(static_cast<std::size_t>(after - whole.instants_s.begin()) + 1, whole.instants_s.size());
  Window part = whole;
  part.instants_s = whole.instants_s.first(count);
  part.shows_units = whole.shows_units.first(count);
  return part;
}

}  // namespace wattloop::twin
