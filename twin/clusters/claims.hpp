// Who was first: a claim is an empty file that only one process can make, on any file system that many machines share.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

/// Claims of one launch, in a folder of their own. Those of launches that were killed hold nothing: each launch has others.
class Claims {
 public:
  /// Throws FileError.
  Claims(const std::filesystem::path& folder, const std::string& launch);

  /// True for the first that asks for it. Throws FileError.
  bool take(const std::string& what) const;

  /// Forgets all but one, and those of earlier launches: when the last run is done, somebody may not have begun yet.
  void keep_only(const std::string& what) const noexcept;

 private:
  std::filesystem::path folder_, claims_;
};

}  // namespace wattloop::twin
