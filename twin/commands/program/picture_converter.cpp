#include "twin/commands/program/picture_converter.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"

namespace wattloop::twin {

void convert_to_png(const std::filesystem::path& svg, const std::filesystem::path& png) {
  std::string program = "rsvg-convert", width = "--width=1600", to = "--output=" + png.string(), from = svg.string();
  std::array<char*, 5> arguments{program.data(), width.data(), to.data(), from.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
    throw FileError("cannot draw a PNG: rsvg-convert is not installed (Debian: librsvg2-bin); an SVG needs nothing");
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw FileError(fmt::format("cannot write {}: rsvg-convert failed", printable(png.string())));
}

}  // namespace wattloop::twin
