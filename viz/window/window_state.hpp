// What a window shows and how keys change it. Nothing here knows a screen: tests press keys as people do.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "viz/hall/camera.hpp"

namespace wattloop::viz {

enum class Layer { racks, doors, pipes, equipment, busways, outside };

struct LayerKey {
  Layer layer;
  std::string_view key, words;
};
inline constexpr std::array layer_keys{
    LayerKey{Layer::racks, "1", "racks"},     LayerKey{Layer::doors, "2", "rear doors"},
    LayerKey{Layer::pipes, "3", "pipes"},     LayerKey{Layer::equipment, "4", "equipment in the hall"},
    LayerKey{Layer::busways, "5", "busways"}, LayerKey{Layer::outside, "6", "equipment outside"},
};

/// From where the hall is seen.
struct ViewPoint {
  double azimuth_deg = -53.7, elevation_deg = 47.1;  ///< where isometric pictures are seen from
  double zoom = 1.0;                                 ///< 1: all of it fits
  Point shift{};                                     ///< pixels

  Metres towards_viewer() const;
};

struct WindowState {
  std::vector<double> times_s{};  ///< that can be shown, at least one
  std::size_t shown = 0;          ///< of them
  std::size_t worst = 0;          ///< of them
  std::size_t stride = 1;         ///< records to the next one while playing
  bool is_playing = false;
  bool is_plan = false;  ///< from above, cut into blocks; else in three dimensions
  bool has_labels = true;
  bool has_help = false;
  bool is_closed = false;
  std::set<Layer> hidden{Layer::outside};  ///< so that the hall fills the window
  ViewPoint view{};
  std::string picked{};    ///< name of the part that is shown; empty: none
  bool is_pinned = false;  ///< it was clicked: moving on does not change it

  double time_s() const { return times_s[shown]; }
};

/// A window on these times, the worst shown first; playing takes about half a minute however many there are.
WindowState window_state(std::vector<double> times_s, double worst_s);

/// Key names are those of X: "space", "Right", "h". False where the key means nothing.
bool press_key(WindowState& state, std::string_view key);

/// The next time while playing, which ends at the last.
void play_on(WindowState& state);

/// The time at a share of the slider.
void show_share(WindowState& state, double share);

/// Turns, tilts, moves and enlarges, within what makes sense.
void turn(WindowState& state, double azimuth_deg, double elevation_deg);
void zoom(WindowState& state, double factor);

/// What the keys do, for the help in the window and on the command line.
struct KeyHelp {
  std::string_view keys, words;
};
std::vector<KeyHelp> key_help();

}  // namespace wattloop::viz
