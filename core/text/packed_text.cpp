#include "core/text/packed_text.hpp"

#include <zlib.h>

#include <array>
#include <memory>

namespace wattloop {

std::optional<std::string> unpacked_text(const std::filesystem::path& file) {
  struct Close {
    void operator()(gzFile_s* opened) const { gzclose(opened); }
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return std::nullopt;
  const std::unique_ptr<gzFile_s, Close> opened(gzopen(file.c_str(), "rb"));  // reads what is not packed as it is
  if (!opened) return std::nullopt;
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const int count = gzread(opened.get(), piece.data(), static_cast<unsigned>(piece.size()));
    if (count < 0) return std::nullopt;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (count < static_cast<int>(piece.size())) break;
  }
  int error = Z_OK;
  gzerror(opened.get(), &error);
  if (error != Z_OK && error != Z_STREAM_END) return std::nullopt;
  return text;
}

}  // namespace wattloop
