#include "twin/platform/unfinished_name.hpp"

#include <unistd.h>

#include <array>
#include <random>

#include <fmt/format.h>

namespace wattloop::twin {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0' ? name.data() : "unknown";
}

std::filesystem::path unfinished_name(const std::filesystem::path& file, std::string_view end) {
  constexpr std::size_t longest_reported = 24;  ///< of the name: file systems bound that of a file
  std::random_device chance;
  const std::string host = host_name().substr(0, longest_reported);
  return fmt::format("{}.{}-{}-{:08x}{:08x}{}", file.string(), getpid(), host, chance(), chance(), end);
}

}  // namespace wattloop::twin
