#include "twin/platform/system_file.hpp"

#include <fcntl.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

int flags_of(SystemFile::Access access) {
  switch (access) {
    case SystemFile::Access::read:
      return O_RDONLY | O_CLOEXEC;
    case SystemFile::Access::append:
      return O_WRONLY | O_APPEND | O_CLOEXEC;
    case SystemFile::Access::create:
      return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  }
  return O_RDONLY;
}

}  // namespace

SystemFile::SystemFile(std::filesystem::path file, Access access, std::filesystem::path name)
    : file_(std::move(file)),
      name_(name.empty() ? file_ : std::move(name)),
      access_(access),
      descriptor_(open(file_.c_str(), flags_of(access), 0666)) {
  if (descriptor_ < 0) refuse();
}

SystemFile::~SystemFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SystemFile::refuse() const {
  const char* reason = std::strerror(errno);  // before anything else sets it
  throw FileError(fmt::format("cannot {} {}: {}", access_ == Access::read ? "read" : "write", name_.string(), reason));
}

std::uintmax_t SystemFile::size() const {
  struct stat found = {};
  if (fstat(descriptor_, &found) != 0) refuse();
  return static_cast<std::uintmax_t>(found.st_size);
}

void SystemFile::read(std::span<char> bytes, std::uintmax_t offset) const {
  while (!bytes.empty()) {
    const ssize_t count = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse();
    if (count == 0) throw FileError(fmt::format("cannot read {}: it became shorter during reading", name_.string()));
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uintmax_t>(count);
  }
}

void SystemFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = ENOSPC;  // it takes no more, and says no reason
    if (count <= 0) refuse();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void SystemFile::keep() {
  const bool is_kept = fsync(descriptor_) == 0 || errno == EINVAL || errno == ENOTSUP;  // where nothing can be kept
  if (!is_kept) refuse();
}

void SystemFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) refuse();
}

std::uint32_t checksum_of(const SystemFile& file, std::uintmax_t size) {
  std::vector<char> block(std::size_t{1} << 20);
  std::uint32_t checksum = 0;
  for (std::uintmax_t offset = 0; offset < size;) {
    const auto part = static_cast<std::size_t>(std::min<std::uintmax_t>(size - offset, block.size()));
    file.read(std::span(block).first(part), offset);
    checksum = libdeflate_crc32(checksum, block.data(), part);
    offset += part;
  }
  return checksum;
}

std::uint32_t checksum_of(std::string_view text) { return libdeflate_crc32(0, text.data(), text.size()); }

}  // namespace wattloop::twin
