#include "twin/platform/program_files.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

fs::path this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

/// Functions of glibc for powers, exponentials and waves have versions with products that are added unrounded, and others; which of
/// them runs is a matter of the processor unless it is reported.
constexpr const char *tunables = "GLIBC_TUNABLES", *below_v3 = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4";

void keep_c_library_to(InstructionLevel level) {
  const char* before = std::getenv(tunables);
  std::string text = before == nullptr ? "" : before;
  const std::size_t ours = text.find(below_v3);
  if (level == InstructionLevel::v2 && ours == std::string::npos) {
    setenv(tunables, (text.empty() ? below_v3 : text + ":" + below_v3).c_str(), 1);
  } else if (level != InstructionLevel::v2 && ours != std::string::npos) {
    text.erase(ours > 0 ? ours - 1 : ours, std::strlen(below_v3) + (ours > 0 ? 1 : 0));
    setenv(tunables, text.c_str(), 1);
  }
}

}  // namespace

fs::path program_of_people() {
  const fs::path program = this_program();
  if (!program.filename().string().starts_with("wattloop_")) return program;
  for (const fs::path& place : {program.parent_path() / "wattloop",
                                (program.parent_path() / WATTLOOP_FROM_LIBEXEC / "wattloop").lexically_normal()}) {
    if (is_there(place)) return place;
  }
  return program;
}

std::optional<fs::path> folder_of_library() {
  Dl_info found{};
  std::error_code error;
  const auto own_address = reinterpret_cast<const void*>(&folder_of_library);
  if (dladdr(own_address, &found) == 0 || found.dli_fname == nullptr) return {};
  const fs::path file = fs::absolute(found.dli_fname, error);
  if (error || !is_there(file) || fs::equivalent(file, this_program(), error)) return {};
  const fs::path folder = file.parent_path();
  return folder.parent_path().filename() == "glibc-hwcaps" ? folder.parent_path().parent_path() : folder;
}

std::optional<fs::path> program_of(InstructionLevel level) {
  const fs::path folder = this_program().parent_path();
  const std::string name = "wattloop_" + std::string(name_of(level));
  for (const fs::path& place : {folder / name, (folder / WATTLOOP_LIBEXEC / name).lexically_normal()}) {
    if (is_there(place)) return place;
  }
  return {};
}

std::vector<InstructionLevel> installed_levels() {
  std::vector<InstructionLevel> levels = all_levels();
  std::erase_if(levels, [](InstructionLevel level) { return !program_of(level); });
  return levels;
}

fs::path program_reported_apart() {
  const fs::path own = this_program();
  if (!level_named(instructions())) return own;
  for (const InstructionLevel level : installed_levels()) return *program_of(level);
  return own;
}

void become(InstructionLevel level, char** arguments) {
  const auto program = program_of(level);
  if (!program) return;
  keep_c_library_to(level);
  execv(program->c_str(), arguments);
}

}  // namespace wattloop::twin
