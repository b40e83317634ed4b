// One writer for each results file: who comes second is told who is first.
#pragma once

#include <filesystem>

namespace wattloop::twin {

/// Holds `FILE.lock` beside the file, with the number of this process in it, and removes it in the end. One that a killed
/// process left is taken over. Where the file system knows no locks it does nothing: partial files are apart all the same.
class OutputLock {
 public:
  /// Throws FileError, naming the process, where another one holds it.
  explicit OutputLock(const std::filesystem::path& file);
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;
  ~OutputLock() { release(); }

  void release() noexcept;

 private:
  std::filesystem::path lock_;
  int descriptor_ = -1;
};

}  // namespace wattloop::twin
