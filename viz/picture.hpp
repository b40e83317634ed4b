// One picture of a run: the hall at one time and a timeline beside it, as a PNG file.
#pragma once

#include <filesystem>

#include "viz/scene.hpp"
#include "viz/timeline.hpp"

namespace wattloop::viz {

struct PictureSize {
  int width = 1600, height = 1000;
};

/// Draws off-screen. Creates missing folders; the file appears whole or not at all. Throws `FileError` where it cannot be
/// written, or where there is nothing to draw on (see VirtualDisplay).
void write_picture(const Scene& scene, const Timeline& timeline, PictureSize size, const std::filesystem::path& file);

}  // namespace wattloop::viz
