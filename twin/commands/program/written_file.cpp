#include "twin/commands/program/written_file.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{{}, std::move(message), std::move(hint), {}}}, "the command line");
}

bool begins_with(const fs::path& file, std::string_view head) {
  std::ifstream in(file, std::ios::binary);
  std::string begin(head.size(), '\0');
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == head;
}

}  // namespace

void demand_own_place(const fs::path& output, const std::vector<fs::path>& inputs, std::string_view head,
                      bool is_forced) {
  const fs::path file = without_links(output);
  std::error_code error;
  for (const fs::path& input : inputs) {
    if (fs::equivalent(file, input, error) && !error)
      refuse(fmt::format("'{}' is read by this command", output.string()), "name another file");
  }
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status) || output.filename().empty())
    refuse(fmt::format("'{}' names a folder", output.string()), "write a path that ends with the name of a file");
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status))
    throw FileError(fmt::format("cannot write {}: it is a device or a pipe", output.string()));
  if (is_forced || begins_with(file, head)) return;
  refuse(fmt::format("'{}' was not written by this command from such input", output.string()),
         "give another name, or replace the file with --force");
}

}  // namespace wattloop::twin
