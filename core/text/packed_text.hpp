// Text of a file, unpacked where gzip has packed it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

struct gzFile_s;

namespace wattloop {

/// None where it cannot be read or is damaged.
std::optional<std::string> unpacked_text(const std::filesystem::path& file);

/// The same piece by piece, of files that no memory would hold.
class UnpackedPieces {
 public:
  explicit UnpackedPieces(const std::filesystem::path& file);

  /// Appends the next piece; false at the end, and where the file cannot be read or is damaged.
  bool next(std::string& text);
  bool is_damaged() const { return is_damaged_; }

 private:
  struct Close {
    void operator()(gzFile_s* opened) const;
  };
  std::unique_ptr<gzFile_s, Close> opened_;
  bool is_damaged_ = false;
};

}  // namespace wattloop
