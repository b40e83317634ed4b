// Texts inside of picture files, which viewers show as their properties: iTXt chunks of PNG, the metadata element of SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wattloop::twin {

struct PictureText {
  std::string keyword{};  ///< "Title", "Software": 1 to 79 letters of ASCII
  std::string text{};     ///< UTF-8
};

/// The PNG file with the texts behind its header. What is no PNG file is returned as it is.
/// Source: PNG specification, third edition, 11.3.3.4 (iTXt).
std::string png_with_texts(std::string_view png, std::span<const PictureText> texts);

/// The SVG file with the texts as first element, a line each.
std::string svg_with_texts(std::string_view svg, std::span<const PictureText> texts);

}  // namespace wattloop::twin
