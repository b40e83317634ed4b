// Files as the system has them: read, written and kept, with the system's own reason where it refuses. Streams lose that reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace wattloop::twin {

/// An open file. All functions throw FileError, "cannot read FILE: ..." or "cannot write FILE: ...".
class SystemFile {
 public:
  enum class Access { read, append, create };  ///< `create`: one that was not there

  /// `name` is what messages call it; empty: its path.
  SystemFile(std::filesystem::path file, Access access, std::filesystem::path name = {});
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;
  ~SystemFile();

  std::uintmax_t size() const;
  /// Fills `bytes` with what stands from `offset`; a file that ends before is a failure.
  void read(std::span<char> bytes, std::uintmax_t offset) const;
  void write(std::string_view bytes);
  /// Until it is on the disk, as far as the system reports.
  void keep();
  /// Reports what the system found out only now.
  void close();

 private:
  [[noreturn]] void refuse() const;

  std::filesystem::path file_, name_;
  Access access_;
  int descriptor_;
};

/// CRC-32, as zlib has it, of the first `size` bytes.
std::uint32_t checksum_of(const SystemFile& file, std::uintmax_t size);
std::uint32_t checksum_of(std::string_view text);

}  // namespace wattloop::twin
