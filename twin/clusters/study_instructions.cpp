#include "twin/clusters/study_instructions.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/numbers/instruction_level.hpp"
#include "core/text/problem.hpp"
#include "twin/platform/system_file.hpp"
#include "twin/platform/unfinished_name.hpp"
#include "twin/study/tables/journal.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "study.isa";

std::string text_of(const fs::path& file) {
  const SystemFile open(file, SystemFile::Access::read);
  std::string text(static_cast<std::size_t>(open.size()), '\0');
  open.read(text, 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// Whole from the first instant at which it is there, and never replaced: a link is made by one only. Where a file system has no links,
/// the file gets its name in the ordinary way, which two at the same instant could do.
void write_first(const fs::path& file, const std::string& text) {
  const fs::path own = unfinished_name(file);
  std::error_code ignored;
  SystemFile open(own, SystemFile::Access::create, file);
  try {
    open.write(text + "\n");
    open.keep();
    open.close();
  } catch (const FileError&) {
    fs::remove(own, ignored);
    throw;
  }
  const bool is_made = link(own.c_str(), file.c_str()) == 0 || errno == EEXIST;
  const int reason = errno;
  if (!is_made && reason != EPERM && reason != EOPNOTSUPP && reason != ENOSYS) {
    fs::remove(own, ignored);
    throw FileError(fmt::format("cannot write {}: {}", file.string(), std::strerror(reason)));
  }
  if (is_made) {
    fs::remove(own, ignored);
  } else {
    fs::rename(own, file);
  }
}

}  // namespace

std::string fixed_instructions(const fs::path& folder, const std::string& requested, bool is_afresh) {
  demand_study_folder(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  const fs::path file = folder / file_name;
  if (is_afresh) fs::remove(file, error);
  if (!fs::exists(file, error)) write_first(file, requested);
  return text_of(file);
}

std::string requested_instructions(const std::string& of_program) {
  const auto level = level_named(of_program);
  if (!level || *level < InstructionLevel::v3) return of_program;
  return std::string(name_of(InstructionLevel::v3));
}

}  // namespace wattloop::twin
