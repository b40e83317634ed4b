#include "twin/platform/typed_command.hpp"

#include <filesystem>
#include <fstream>

#include "core/text/printable.hpp"
#include "core/text/quoted_text.hpp"

namespace wattloop::twin {

std::string typed_command() {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  std::string word, command;
  while (std::getline(words, word, '\0')) {
    if (!command.empty()) {
      command += " " + (word.starts_with('-') ? printable(word) : shell_file(word));
    } else {
      const std::string program = std::filesystem::path(word).filename().string();
      command =
          program.starts_with("wattloop") ? "wattloop" : shell_file(program);  // without the level of instructions
    }
  }
  return command;
}

}  // namespace wattloop::twin
