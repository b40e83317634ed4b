#include "twin/platform/picture_texts.hpp"

#include <cstdint>

#include "core/text/quoted_text.hpp"
#include "twin/platform/system_file.hpp"

namespace wattloop::twin {

namespace {

/// Four bytes, the highest first.
std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (const std::uint32_t shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>((number >> shift) & 0xffU);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(checksum_of(type + data));
}

}  // namespace

std::string png_with_texts(std::string_view png, std::span<const PictureText> texts) {
  constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);
  constexpr std::size_t header_end = 8 + 4 + 4 + 13 + 4;  // signature; length, type, data and checksum of IHDR
  if (!png.starts_with(signature) || png.size() < header_end) return std::string(png);
  std::string chunks;
  const std::string uncompressed_without_language(4, '\0');
  for (const PictureText& one : texts)
    chunks += chunk("iTXt", one.keyword + '\0' + uncompressed_without_language + one.text);
  return std::string(png.substr(0, header_end)) + chunks + std::string(png.substr(header_end));
}

std::string svg_with_texts(std::string_view svg, std::span<const PictureText> texts) {
  const std::size_t tag = svg.find("<svg"), end = tag == std::string_view::npos ? tag : svg.find('>', tag);
  if (end == std::string_view::npos || texts.empty()) return std::string(svg);
  std::string lines;
  for (const PictureText& one : texts) lines += page_text(one.keyword + ": " + one.text) + "\n";
  return std::string(svg.substr(0, end + 1)) + "\n<metadata>\n" + lines + "</metadata>" +
         std::string(svg.substr(end + 1));
}

}  // namespace wattloop::twin
