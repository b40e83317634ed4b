#include "viz/window/window_state.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "twin/results/reader/records_at.hpp"

namespace wattloop::viz {
namespace {

constexpr std::size_t frames_of_a_play = 300;  // some half a minute at ten a second
constexpr double lowest_deg = 3.0, highest_deg = 89.0, step_deg = 7.5;
constexpr double least_zoom = 0.5, most_zoom = 40.0;

void show(WindowState& state, std::size_t record) {
  state.shown = std::min(record, state.times_s.size() - 1);
  state.is_playing = false;
}

void step(WindowState& state, long records) {
  const long last = long(state.times_s.size()) - 1;
  show(state, std::size_t(std::clamp(long(state.shown) + records, 0L, last)));
}

void toggle(WindowState& state, Layer layer) {
  if (state.hidden.erase(layer) == 0) state.hidden.insert(layer);
}

void start_or_pause(WindowState& state) {
  if (!state.is_playing && state.shown + 1 == state.times_s.size()) state.shown = 0;  // again from the start
  state.is_playing = !state.is_playing;
}

void step_by_key(WindowState& state, std::string_view key) {
  const long far = std::max(long(state.times_s.size()) / 20, 2L);
  if (key == "Right" || key == "period") step(state, 1);
  if (key == "Left" || key == "comma") step(state, -1);
  if (key == "Next") step(state, far);
  if (key == "Prior") step(state, -far);
  if (key == "Home") show(state, 0);
  if (key == "End") show(state, state.times_s.size() - 1);
  if (key == "w") show(state, state.worst);
}

bool is_time_key(std::string_view key) {
  constexpr std::array keys{"Right", "period", "Left", "comma", "Next", "Prior", "Home", "End", "w"};
  return std::ranges::find(keys, key) != keys.end();
}

bool press_view_key(WindowState& state, std::string_view key) {
  if (key == "Up") return turn(state, 0.0, step_deg), true;
  if (key == "Down") return turn(state, 0.0, -step_deg), true;
  if (key == "bracketleft") return turn(state, -step_deg, 0.0), true;
  if (key == "bracketright") return turn(state, step_deg, 0.0), true;
  if (key == "plus" || key == "equal" || key == "KP_Add") return zoom(state, 1.25), true;
  if (key == "minus" || key == "KP_Subtract") return zoom(state, 0.8), true;
  if (key == "r") return state.view = {}, true;
  return false;
}

}  // namespace

Metres ViewPoint::towards_viewer() const {
  constexpr double per_degree = std::numbers::pi / 180.0;
  const double azimuth = azimuth_deg * per_degree, elevation = elevation_deg * per_degree;
  return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth), std::sin(elevation)};
}

WindowState window_state(std::vector<double> times_s, double worst_s) {
  WindowState state{.times_s = std::move(times_s)};
  state.worst = state.shown = twin::nearest_row(state.times_s, worst_s);
  state.stride = std::max<std::size_t>(state.times_s.size() / frames_of_a_play, 1);
  return state;
}

bool press_key(WindowState& state, std::string_view key) {
  for (const LayerKey& one : layer_keys)
    if (key == one.key) return toggle(state, one.layer), true;
  if (is_time_key(key)) return step_by_key(state, key), true;
  if (press_view_key(state, key)) return true;
  if (key == "space") return start_or_pause(state), true;
  if (key == "f") return state.stride = std::min(state.stride * 2, state.times_s.size()), true;
  if (key == "s") return state.stride = std::max<std::size_t>(state.stride / 2, 1), true;
  if (key == "p") return state.is_plan = !state.is_plan, true;
  if (key == "l") return state.has_labels = !state.has_labels, true;
  if (key == "h" || key == "question" || key == "F1") return state.has_help = !state.has_help, true;
  if (key == "Escape" && state.has_help) return state.has_help = false, true;
  if (key == "Escape" && state.is_pinned) return state.is_pinned = false, state.picked.clear(), true;
  if (key == "q" || key == "Escape") return state.is_closed = true, true;
  return false;
}

void play_on(WindowState& state) {
  if (!state.is_playing) return;
  state.shown = std::min(state.shown + state.stride, state.times_s.size() - 1);
  if (state.shown + 1 == state.times_s.size()) state.is_playing = false;
}

void show_share(WindowState& state, double share) {
  const double begin_s = state.times_s.front(), end_s = state.times_s.back();
  show(state, twin::nearest_row(state.times_s, std::lerp(begin_s, end_s, std::clamp(share, 0.0, 1.0))));
}

void turn(WindowState& state, double azimuth_deg, double elevation_deg) {
  state.view.azimuth_deg = std::remainder(state.view.azimuth_deg + azimuth_deg, 360.0);
  state.view.elevation_deg = std::clamp(state.view.elevation_deg + elevation_deg, lowest_deg, highest_deg);
}

void zoom(WindowState& state, double factor) {
  state.view.zoom = std::clamp(state.view.zoom * factor, least_zoom, most_zoom);
}

std::vector<KeyHelp> key_help() {
  std::vector<KeyHelp> help{
      {"space", "play, pause"},
      {"Left, Right", "one record back, on"},
      {"Page Up, Down", "a twentieth of the run"},
      {"Home, End", "start, end"},
      {"w", "worst moment"},
      {"f, s", "play faster, slower"},
      {"p", "plan, three dimensions"},
      {"drag, [ ]", "turn"},
      {"Up, Down", "tilt"},
      {"wheel, + -", "larger, smaller"},
      {"right drag", "move"},
      {"r", "as at the start"},
      {"point, click", "what a part is; a click pins it"},
  };
  for (const LayerKey& one : layer_keys) help.push_back({one.key, one.words});
  help.insert(help.end(), {{"l", "labels"}, {"h", "this help"}, {"q", "close"}});
  return help;
}

}  // namespace wattloop::viz
