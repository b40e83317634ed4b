#include "twin/document/other_place.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace wattloop::twin {

std::string other_place(const Place& other, const Place& here) {
  if (other.line == 0) return other.file;
  if (other.file != here.file)
    return fmt::format("{}:{}", std::filesystem::path(other.file).filename().string(), other.line);
  if (other.line == here.line) return fmt::format("column {}", other.column);
  return fmt::format("line {}", other.line);
}

}  // namespace wattloop::twin
