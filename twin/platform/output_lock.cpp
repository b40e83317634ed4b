#include "twin/platform/output_lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/platform/unfinished_name.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view digits = "0123456789";

/// Whether the path still names what is open: its last holder may have removed it between our opening and our locking.
bool is_still(const std::filesystem::path& path, int descriptor) {
  struct stat named = {}, opened = {};
  return stat(path.c_str(), &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

/// Who holds a lock, as its file has it: "4711 host" and a line end. Number 0 where it has no one.
struct Holder {
  int process = 0;
  std::string host;

  bool is_here() const { return host.empty() || host == host_name(); }
  std::string text() const {
    if (process == 0) return "another process";
    return is_here() ? fmt::format("process {}", process) : fmt::format("process {} on {}", process, host);
  }
};

/// All that a lock may hold, and a little more.
std::string content_of(int descriptor) {
  std::array<char, 320> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

Holder holder_of(int descriptor) {
  const std::string text = content_of(descriptor);
  Holder holder;
  std::from_chars(text.data(), text.data() + text.size(), holder.process);
  const std::size_t blank = text.find(' ');
  if (blank != std::string::npos) holder.host = text.substr(blank + 1, text.find('\n') - blank - 1);
  return holder;
}

/// Only a file that a lock of ours may be: regular, under one name, empty or with the number of a process and a machine.
bool is_lock(int descriptor) {
  struct stat opened = {};
  if (fstat(descriptor, &opened) != 0 || !S_ISREG(opened.st_mode) || opened.st_nlink > 1) return false;
  const std::string text = content_of(descriptor);
  if (text.empty()) return opened.st_size == 0;
  const std::size_t number = text.find_first_not_of(digits);
  return number != 0 && number != std::string::npos && text.find('\n') == text.size() - 1 &&
         (text[number] == '\n' || (text[number] == ' ' && text.find(' ', number + 1) == std::string::npos));
}

void write_holder(int descriptor) {
  const std::string text = fmt::format("{} {}\n", getpid(), host_name());
  const bool is_written = ftruncate(descriptor, 0) == 0 &&
                          pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!is_written) return;  // the lock holds all the same; others see "another process"
}

bool is_alive(int process) { return kill(process, 0) == 0 || errno != ESRCH; }

}  // namespace

OutputLock::OutputLock(const std::filesystem::path& file) : file_(file), lock_(file.string() + ".lock") {
  while (!take()) continue;
  write_holder(descriptor_);
}

void OutputLock::refuse(const std::string& why) {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  throw FileError(fmt::format("cannot write {}: {}", file_.string(), why));
}

bool OutputLock::take() {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  descriptor_ = open(lock_.c_str(), flags | O_CREAT | O_EXCL, 0666);
  const bool is_mine = descriptor_ >= 0, is_there = !is_mine && errno == EEXIST;
  if (is_there) descriptor_ = open(lock_.c_str(), flags);
  if (descriptor_ < 0) {
    if (is_there && errno == ENOENT) return false;  // removed between the two
    throw FileError(fmt::format("cannot write {}: {}", lock_.string(), std::strerror(errno)));
  }
  if (!is_lock(descriptor_)) {
    refuse(fmt::format("{} is needed to lock it and is somebody's file; name another output", lock_.string()));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) refuse(holder_of(descriptor_).text() + " is writing it");
    has_locks_ = false;
    return take_without_locks(is_mine);
  }
  if (is_still(lock_, descriptor_)) return true;
  close(std::exchange(descriptor_, -1));
  return false;
}

/// Whoever made the file holds it. A process of this machine that lives no more holds nothing.
bool OutputLock::take_without_locks(bool is_mine) {
  if (is_mine) return true;
  const Holder holder = holder_of(descriptor_);
  const bool is_left = holder.process > 0 && holder.is_here() && !is_alive(holder.process);
  if (!is_left) {
    refuse(fmt::format("{} is writing it, or was killed: this file system knows no locks; remove {} if no program is",
                       holder.text(), lock_.string()));
  }
  if (is_still(lock_, descriptor_)) unlink(lock_.c_str());
  close(std::exchange(descriptor_, -1));
  return false;
}

void OutputLock::take_again() {
  if (is_still(lock_, descriptor_)) return;
  close(std::exchange(descriptor_, -1));
  while (!take()) continue;
  write_holder(descriptor_);
}

void OutputLock::release() noexcept {
  if (descriptor_ < 0) return;
  if (is_still(lock_, descriptor_)) unlink(lock_.c_str());  // else it is somebody else's by now
  close(std::exchange(descriptor_, -1));
}

}  // namespace wattloop::twin
