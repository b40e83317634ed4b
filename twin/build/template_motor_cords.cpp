// `power.cords` of motors: which blocks they hang on, in the order of the file; of two lists that name one motor the later holds. Those of
// a unit or a water go by its name, too: `cdu_1` are its pumps.
#include <algorithm>

#include <fmt/format.h>

#include "core/name_pattern.hpp"
#include "core/nearest.hpp"
#include "twin/build/templates.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_blocks = 2;  ///< that a transfer switch chooses from

void complain(std::string message, std::string hint, const Mention& mention, Problems& problems) {
  problems.add({mention.place, std::move(message), std::move(hint), mention.excerpt});
}

/// Those of the list that are there.
std::vector<std::string> blocks_of(const NamesSpec& named, const PowerSpec& power, Problems& problems) {
  std::vector<std::string> known, found;
  for (const PowerBlockSpec& block : power.blocks()) known.push_back(block.name);
  for (std::size_t k = 0; k < named.names.size(); ++k) {
    const std::string& name = named.names[k];
    if (std::ranges::find(known, name) != known.end())
      found.push_back(name);
    else
      complain(fmt::format("there is no block of power '{}'", name), nearest_hint(name, known), named.mentions[k],
               problems);
  }
  if (found.size() > most_blocks)
    complain(fmt::format("motors hang on {} blocks: a transfer switch has two sides", found.size()), {},
             named.mentions[most_blocks], problems);
  return found;
}

bool is_meant(std::string_view motor, std::string_view pattern) {
  return fits_pattern(motor, pattern) || fits_pattern(motor.substr(0, motor.rfind('.')), pattern);
}

}  // namespace

void lay_motors(Diagram& diagram, const PowerSpec& power, Problems& problems) {
  std::vector<std::string> motors;
  for (const MotorPart& motor : diagram.motors) motors.push_back(motor.name);
  for (const CordsSpec& cords : power.cords) {
    const std::vector<std::string> blocks = blocks_of(cords.blocks, power, problems);
    for (std::size_t k = 0; k < cords.motors.names.size(); ++k) {
      const std::string& pattern = cords.motors.names[k];
      bool is_found = false;
      for (const MotorPart& motor : diagram.motors) {
        if (!is_meant(motor.name, pattern)) continue;
        is_found = true;
        diagram.loads[motor.load].blocks = blocks;
      }
      if (!is_found)
        complain(fmt::format("there is no motor '{}'", pattern), nearest_hint(pattern, motors),
                 cords.motors.mentions[k], problems);
    }
  }
}

}  // namespace wattloop::twin
