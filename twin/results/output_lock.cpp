#include "twin/results/output_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/problem.hpp"

namespace wattloop::twin {

namespace {

/// Whether the path still names what is open: its last holder may have removed it between our opening and our locking.
bool is_still(const std::filesystem::path& path, int descriptor) {
  struct stat named = {}, opened = {};
  return stat(path.c_str(), &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

std::string holder_of(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
  const std::string number(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
  return digits == 0 ? "another process" : "process " + number.substr(0, digits);
}

/// Only a file that a lock of ours may be: regular, under one name, empty or with the number of a process.
bool is_lock(int descriptor) {
  struct stat opened = {};
  if (fstat(descriptor, &opened) != 0 || !S_ISREG(opened.st_mode) || opened.st_nlink > 1) return false;
  std::array<char, 32> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  if (size <= 0) return size == 0;
  const std::string_view content(text.data(), static_cast<std::size_t>(size));
  return content.size() < text.size() && content.ends_with('\n') &&
         content.find_first_not_of("0123456789") == content.size() - 1;
}

void write_number(int descriptor) {
  const std::string number = fmt::format("{}\n", getpid());
  const bool is_written = ftruncate(descriptor, 0) == 0 &&
                          pwrite(descriptor, number.data(), number.size(), 0) == static_cast<ssize_t>(number.size());
  if (!is_written) return;  // the lock holds all the same; others are told of "another process"
}

}  // namespace

OutputLock::OutputLock(const std::filesystem::path& file) : lock_(file.string() + ".lock") {
  while (true) {
    descriptor_ = open(lock_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) throw FileError(fmt::format("cannot write {}: {}", lock_.string(), std::strerror(errno)));
    if (!is_lock(descriptor_)) {
      close(std::exchange(descriptor_, -1));
      throw FileError(
          fmt::format("cannot write {}: {} is needed to lock it and is somebody's file; name another output",
                      file.string(), lock_.string()));
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const bool is_held = errno == EWOULDBLOCK;
      const std::string holder = is_held ? holder_of(descriptor_) : "";
      close(std::exchange(descriptor_, -1));
      if (!is_held) return;
      throw FileError(fmt::format("cannot write {}: {} is writing it", file.string(), holder));
    }
    if (is_still(lock_, descriptor_)) break;
    close(std::exchange(descriptor_, -1));
  }
  write_number(descriptor_);
}

void OutputLock::release() noexcept {
  if (descriptor_ < 0) return;
  unlink(lock_.c_str());
  close(std::exchange(descriptor_, -1));
}

}  // namespace wattloop::twin
