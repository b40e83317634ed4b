// `--isa`: which instructions a command computes with, and keeping to those with which something was begun.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/numbers/instruction_level.hpp"
#include "core/text/problem.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

/// What can compute here.
struct Machine {
  std::string program{};  ///< instructions of the program that runs
  std::optional<InstructionLevel> processor{};
  std::vector<InstructionLevel> installed{};  ///< programs that are there
};
Machine this_machine();

/// Why these instructions cannot be had on the machine; empty where they can.
std::string why_not(const std::string& instructions, const Machine& machine);

/// With the environment's WATTLOOP_ISA where the option is not given.
void add_isa(CLI::App& command, std::string& isa);

/// Throws InputError where this program does not compute with what is asked for: the launcher found no way.
void demand_isa(const std::string& asked, const Machine& machine);

/// Something that was begun and goes on.
struct Begun {
  Place place{};          ///< of messages
  std::string what{};     ///< "the run", "the study"
  std::string with{};     ///< instructions
  std::string go_on{};    ///< what to type where other ones were asked for: "wattloop resume day.h5"
  std::string instead{};  ///< what to do where the machine does not have them
};

/// The level with which to go on in another program; nothing where this one is right. Throws InputError where others are asked for, or
/// the machine does not have them.
std::optional<InstructionLevel> level_to_go_on_with(const Begun& begun, const std::string& asked,
                                                    const Machine& machine);

/// Starts the program of that level instead of this one, with the same arguments. Throws FileError where it fails.
[[noreturn]] void go_on_with(InstructionLevel level);

/// Both: returns where this program is right.
void keep_to_instructions(const Begun& begun, const std::string& asked);

}  // namespace wattloop::twin
