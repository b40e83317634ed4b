#include "core/text/packed_text.hpp"

#include <zlib.h>

namespace wattloop {

void UnpackedPieces::Close::operator()(gzFile_s* opened) const { gzclose(opened); }

UnpackedPieces::UnpackedPieces(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(file, ignored))
    opened_.reset(gzopen(file.c_str(), "rb"));  // reads what is not packed as it is
  is_damaged_ = opened_ == nullptr;
}

bool UnpackedPieces::next(std::string& text) {
  constexpr std::size_t piece_bytes = 1 << 16;
  if (!opened_ || is_damaged_) return false;
  const std::size_t before = text.size();
  text.resize(before + piece_bytes);
  const int count = gzread(opened_.get(), text.data() + before, static_cast<unsigned>(piece_bytes));
  text.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
  int error = Z_OK;
  gzerror(opened_.get(), &error);
  is_damaged_ = count < 0 || (error != Z_OK && error != Z_STREAM_END);
  return !is_damaged_ && count > 0;
}

std::optional<std::string> unpacked_text(const std::filesystem::path& file) {
  UnpackedPieces pieces(file);
  std::string text;
  while (pieces.next(text)) continue;
  if (pieces.is_damaged()) return std::nullopt;
  return text;
}

}  // namespace wattloop
