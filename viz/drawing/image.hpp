// Pixels, and PNG files of them.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "twin/platform/picture_texts.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// Row after row from the bottom, as on a page.
struct Image {
  int width = 0, height = 0;
  std::vector<Colour> pixels;

  const Colour& at(int x, int y) const { return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

/// Creates missing folders; the file appears whole or not at all, and carries the texts. Throws `FileError`.
void write_png(const Image& image, const std::filesystem::path& file, std::span<const twin::PictureText> texts = {});

/// Throws `FileError` where the file is not a PNG image of red, green and blue.
Image read_png(const std::filesystem::path& file);

}  // namespace wattloop::viz
