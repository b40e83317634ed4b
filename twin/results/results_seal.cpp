#include "twin/results/results_seal.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/problem.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view beginning = "\nwattloop results end: ";

/// Always of the same length.
std::string seal_text(std::uint32_t checksum, std::uintmax_t size) {
  return fmt::format("{}{:016x} bytes, crc32 {:08x}\n", beginning, size, checksum);
}

const std::size_t seal_length = seal_text(0, 0).size();

[[noreturn]] void throw_unreadable(const std::filesystem::path& file) {
  throw FileError(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
}

/// Of the first `size` bytes.
std::uint32_t checksum_of(std::ifstream& in, std::uintmax_t size, const std::filesystem::path& file) {
  std::vector<char> block(std::size_t{1} << 20);
  std::uint32_t checksum = 0;
  in.seekg(0);
  while (size > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::uintmax_t>(size, block.size()));
    if (!in.read(block.data(), static_cast<std::streamsize>(part))) throw_unreadable(file);
    checksum = libdeflate_crc32(checksum, block.data(), part);
    size -= part;
  }
  return checksum;
}

}  // namespace

void seal_results(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw_unreadable(file);
  const std::uintmax_t size = std::filesystem::file_size(file);
  const std::string seal = seal_text(checksum_of(in, size, file), size);
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out << seal << std::flush;
  out.close();
  if (!out) throw FileError(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
}

bool is_sealed(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || !in || size < seal_length) return false;
  std::string seal(seal_length, '\0');
  in.seekg(static_cast<std::streamoff>(size - seal_length));
  if (!in.read(seal.data(), static_cast<std::streamsize>(seal_length))) return false;
  if (!seal.starts_with(beginning)) return false;
  const std::uintmax_t sealed = size - seal_length;
  if (seal == seal_text(checksum_of(in, sealed, file), sealed)) return true;
  throw FileError(
      fmt::format("cannot read {}: it is damaged: its bytes are not those that the run wrote", file.string()));
}

}  // namespace wattloop::twin
