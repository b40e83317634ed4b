#include "twin/platform/typed_command.hpp"

#include <fstream>

#include "core/text/printable.hpp"
#include "core/text/quoted_text.hpp"

namespace wattloop::twin {

std::string typed_command() {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  std::string word, command;
  while (std::getline(words, word, '\0'))
    command += command.empty() ? "wattloop" : " " + (word.starts_with('-') ? printable(word) : shell_file(word));
  return command;
}

}  // namespace wattloop::twin
