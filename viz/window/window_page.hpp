// What stands in the window as plain data: title, hall, what was picked, slider, keys; and which part lies under a point.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/report/events/event_summary.hpp"
#include "viz/hall/part_facts.hpp"
#include "viz/pages/page.hpp"
#include "viz/window/window_state.hpp"

namespace wattloop::viz {

struct WindowPage {
  Page page;         ///< its camera: of the hall, none in a plan
  Rectangle hall;    ///< where the hall is
  Rectangle slider;  ///< the track of times
};

/// The scene without the layers that are hidden; in three dimensions with what stands outside.
Scene shown_layers(const Scene& scene, const WindowState& state);

/// `scene`: all of it; `shown`: what its layers leave. `facts` are those of the part that is picked.
struct WindowContent {
  const Scene& scene;
  const Scene& shown;
  std::span<const twin::EventSummaryLine> event_lines{};
  std::span<const PartFact> facts{};
};

/// Lays it out on `width` by `height` pixels, at least 800 by 500.
WindowPage compose_window(const WindowContent& content, const WindowState& state, int width, int height);

/// The box of `shown` under a point of the window, the nearest to who looks; none beside all.
std::optional<std::size_t> box_at(const Scene& shown, const WindowPage& window, Point point);

}  // namespace wattloop::viz
