#include "twin/clusters/claims.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/platform/system_file.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr const char* claims_start = "study-claims-";

}  // namespace

Claims::Claims(const fs::path& folder, const std::string& launch)
    : folder_(folder), claims_(folder / fmt::format("{}{:08x}", claims_start, checksum_of(launch))) {
  std::error_code error;
  fs::create_directories(claims_, error);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", claims_.string(), error.message()));
}

bool Claims::take(const std::string& what) const {
  const fs::path file = claims_ / what;
  const int descriptor = open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor >= 0) return close(descriptor) == 0;
  if (errno == EEXIST) return false;
  throw FileError(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
}

void Claims::keep_only(const std::string& what) const noexcept {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const bool is_of_launch = entry.path().filename().string().starts_with(claims_start);
    if (is_of_launch && entry.path() != claims_) fs::remove_all(entry.path(), ignored);
  }
  for (const auto& entry : fs::directory_iterator(claims_, ignored)) {
    if (entry.path().filename() != what) fs::remove(entry.path(), ignored);
  }
}

}  // namespace wattloop::twin
