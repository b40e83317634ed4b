// One writer for each results file: the second one learns who is first.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

/// Holds `FILE.lock` beside the file, with the number of this process and its machine in it, and removes it in the end. One that a
/// killed process left is taken over. Where the file system knows no locks, the file itself is the lock: one of another machine, or
/// of a process that lives, holds until somebody removes it.
class OutputLock {
 public:
  /// Throws FileError, naming the process, where another one holds it.
  explicit OutputLock(const std::filesystem::path& file);
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;
  ~OutputLock() { release(); }

  /// Where somebody removed the lock meanwhile, takes it again; throws FileError where another process was faster.
  void take_again();
  void release() noexcept;

  bool has_locks() const { return has_locks_; }  ///< of the file system

 private:
  /// False where it should be tried once more: the file went away in between.
  bool take();
  bool take_without_locks(bool is_mine);
  [[noreturn]] void refuse(const std::string& why);

  std::filesystem::path file_, lock_;
  int descriptor_ = -1;
  bool has_locks_ = true;
};

}  // namespace wattloop::twin
