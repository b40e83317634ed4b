#include "twin/document/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/text/nearest_file.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t megabyte = 1'000'000;
constexpr std::uintmax_t largest_size = 64 * megabyte;  ///< of a text that is read as a whole: far above any scenario

/// Offset of the first byte that no UTF-8 text has, NUL included; npos if there is none.
std::size_t first_binary_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte == 0     ? 0
                               : byte < 0x80 ? 1
                               : byte < 0xC2 ? 0
                               : byte < 0xE0 ? 2
                               : byte < 0xF0 ? 3
                               : byte < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

Problem file_problem(const fs::path& file, const Node* named_at, std::string_view what, std::string hint) {
  if (named_at != nullptr) return problem_at(*named_at, fmt::format("'{}': {}", file.string(), what), std::move(hint));
  return {.place = {file.string(), 0, 0}, .message = std::string(what), .hint = std::move(hint), .excerpt = {}};
}

}  // namespace

std::optional<std::string> read_text_file(const fs::path& file, const Node* named_at, Problems& problems) {
  const auto refuse = [&](std::string_view what, std::string hint) {
    problems.add(file_problem(file, named_at, what, std::move(hint)));
    return std::nullopt;
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return refuse("no such file", nearest_file_hint(file));
  if (fs::is_directory(status)) return refuse("is a folder, expected a YAML file", {});
  if (!fs::is_regular_file(status)) {
    return refuse("is a device or a pipe, expected a YAML file", "write its output to a file and give that file");
  }
  if (const std::uintmax_t size = fs::file_size(file, error); !error && size > largest_size) {
    return refuse(
        fmt::format("has {} MB, expected a YAML file of at most {} MB", size / megabyte, largest_size / megabyte), {});
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)), {});
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)), {});
  const std::size_t binary = first_binary_byte(text);
  if (binary == std::string::npos) return text;
  const bool is_hdf5 = text.starts_with("\x89HDF\r\n");
  return refuse(fmt::format("is not a text file (byte {})", binary + 1),
                is_hdf5 ? "this is an HDF5 file, expected YAML" : "expected YAML in UTF-8");
}

}  // namespace wattloop::twin
