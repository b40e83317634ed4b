// Files that appear whole or not at all: written beside their place under another name, which they lose when nothing is missing.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "twin/platform/system_file.hpp"

namespace wattloop::twin {

/// Where links lead, also where the last of them leads to nothing yet. FileError where they lead in a circle.
std::filesystem::path without_links(std::filesystem::path file);

/// Gives a file that is on the disk, whatever happens next, its name. `name` is what messages call the latter.
void give_name(const std::filesystem::path& unfinished, const std::filesystem::path& file,
               const std::filesystem::path& name);

/// A file in the making. Missing folders are made, links followed. All functions throw FileError; what is not finished leaves nothing.
class WholeFile {
 public:
  explicit WholeFile(const std::filesystem::path& file);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  void write(std::string_view bytes) { open_->write(bytes); }
  void finish();

 private:
  std::filesystem::path name_, file_, unfinished_;
  std::optional<SystemFile> open_;
};

/// The same of a file whose text is ready.
void write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace wattloop::twin
