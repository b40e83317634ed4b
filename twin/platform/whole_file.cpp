#include "twin/platform/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/platform/unfinished_name.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

/// The names in a folder; where it cannot be opened or kept, the files are there all the same.
void keep_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

void demand_place(const fs::path& file, const fs::path& name) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) throw FileError(fmt::format("cannot write {}: it is a folder", name.string()));
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw FileError(fmt::format("cannot write {}: it is a device or a pipe", name.string()));
  }
  if (!file.has_parent_path()) return;
  fs::create_directories(file.parent_path(), error);
  if (error && !fs::is_directory(file.parent_path())) {
    throw FileError(fmt::format("cannot make the folder {}: {}", file.parent_path().string(), error.message()));
  }
}

}  // namespace

fs::path without_links(fs::path file) {
  constexpr int most_links = 40;  // as the system has it
  std::error_code error;
  for (int link = 0; fs::is_symlink(fs::symlink_status(file, error)); ++link) {
    if (link == most_links) throw FileError(fmt::format("cannot write {}: its links lead in a circle", file.string()));
    const fs::path next = fs::read_symlink(file, error);
    if (error) throw FileError(fmt::format("cannot write {}: {}", file.string(), error.message()));
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return file;
}

void give_name(const fs::path& unfinished, const fs::path& file, const fs::path& name) {
  SystemFile(unfinished, SystemFile::Access::read, name).keep();
  std::error_code error;
  fs::rename(unfinished, file, error);
  if (error) {
    throw FileError(fmt::format("cannot rename {} to {}: {}", unfinished.string(), name.string(), error.message()));
  }
  keep_folder(file);
}

WholeFile::WholeFile(const fs::path& file) : name_(file), file_(without_links(file)) {
  demand_place(file_, name_);
  const fs::path unfinished = unfinished_name(file_);
  open_.emplace(unfinished, SystemFile::Access::create, name_);
  unfinished_ = unfinished;
}

WholeFile::~WholeFile() {
  open_.reset();
  std::error_code ignored;
  if (!unfinished_.empty()) fs::remove(unfinished_, ignored);
}

void WholeFile::finish() {
  open_->close();
  give_name(unfinished_, file_, name_);
  unfinished_.clear();
}

void write_whole(const fs::path& file, std::string_view text) {
  WholeFile whole(file);
  whole.write(text);
  whole.finish();
}

}  // namespace wattloop::twin
