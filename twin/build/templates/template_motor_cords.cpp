// `power.cords` of motors: which blocks they hang on, in the order of the file; of two lists that name one motor the later holds. Those of
// a unit or a water go by its name, too: `cdu_1` are its pumps.
#include <algorithm>

#include <fmt/format.h>

#include "twin/build/templates/templates.hpp"
#include "twin/scenario/specs/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_blocks = 2;  ///< that a transfer switch chooses from

/// Those of the list that are there.
std::vector<std::string> blocks_of(const NamesSpec& named, const PowerSpec& power, Problems& problems) {
  std::vector<std::string> known, found;
  for (const PowerBlockSpec& block : power.blocks()) known.push_back(block.name);
  for (std::size_t k = 0; k < named.names.size(); ++k) {
    const std::string& name = named.names[k];
    const Mention& mention = named.mentions[k];
    if (std::ranges::find(found, name) != found.end())
      problems.add({mention.place, fmt::format("motors name block {} twice", name), {}, mention.excerpt});
    else if (std::ranges::find(known, name) != known.end())
      found.push_back(name);
    else
      report_unknown(fmt::format("there is no power block '{}'", name), name, known, mention, problems);
  }
  if (found.size() > most_blocks) {
    const Mention& mention = named.mentions[most_blocks];
    problems.add({mention.place,
                  fmt::format("motors are fed by {} blocks, but a transfer switch has two sides", found.size()),
                  {},
                  mention.excerpt});
  }
  return found;
}

}  // namespace

void lay_motors(Diagram& diagram, const PowerSpec& power, Problems& problems) {
  std::vector<std::string> motors;
  for (const MotorPart& motor : diagram.motors) motors.push_back(motor.name);
  for (const CordsSpec& cords : power.cords) {
    if (!cords.feeds.empty()) continue;  // on buses: of the diagram that follows
    const std::vector<std::string> blocks = blocks_of(cords.blocks, power, problems);
    for (std::size_t k = 0; k < cords.motors.names.size(); ++k) {
      const std::string& pattern = cords.motors.names[k];
      bool is_found = false;
      for (const MotorPart& motor : diagram.motors) {
        if (!means_motor(pattern, motor.name)) continue;
        is_found = true;
        diagram.loads[motor.load].blocks = blocks;
      }
      if (!is_found)
        report_unknown(fmt::format("there is no motor '{}'", pattern), pattern, motors, cords.motors.mentions[k],
                       problems);
    }
  }
}

}  // namespace wattloop::twin
