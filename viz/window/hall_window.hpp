// VTK's window on a run: draws what its state says, and passes on what keys and mouse do.
#pragma once

#include <memory>
#include <string>

#include "twin/results/reader/results_reader.hpp"
#include "viz/drawing/image.hpp"
#include "viz/window/window_state.hpp"

namespace wattloop::viz {

struct WindowRequest {
  std::string file_name{};                ///< of the results, for what is said of them
  std::string field = "die_temperature";  ///< see viz/hall/shown_field.hpp
  bool has_fixed_scales = true;
  double at_s = 0.0;     ///< shown first; what `w` comes back to is the worst moment
  std::string picked{};  ///< the part that is shown at first; empty: none
  int width = 1600, height = 1000;
};

/// Needs a display (viz/drawing/screen.hpp). `results` must outlive it. Throws `InputError` where nothing is called as what is picked.
class HallWindow {
 public:
  HallWindow(const twin::ResultsReader& results, WindowRequest request);
  HallWindow(HallWindow&&) noexcept;
  HallWindow& operator=(HallWindow&&) noexcept;
  ~HallWindow();

  /// Until it is closed.
  void run();

  // What a person does, through the same events of VTK: for tests, and pictures of the window.
  void press(const std::string& key);  ///< "space", "Right", "h"
  void point(Point at);
  void drag(Point from, Point to);  ///< with the left button; from a place to the same one it is a click
  void turn_wheel(bool is_forward);
  void wait_a_frame();

  const WindowState& state() const;
  /// What stands in the window.
  Image image();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wattloop::viz
