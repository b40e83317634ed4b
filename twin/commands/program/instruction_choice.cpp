#include "twin/commands/program/instruction_choice.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/platform/program_files.hpp"

namespace wattloop::twin {

namespace {

bool is_for_one_machine(const std::string& instructions) { return !level_named(instructions); }

[[noreturn]] void refuse(Place place, std::string message, std::string hint) {
  const std::string subject = place.file;
  throw InputError({{std::move(place), std::move(message), std::move(hint), {}}}, subject);
}

}  // namespace

Machine this_machine() { return {std::string(instructions()), level_of_processor(), installed_levels()}; }

std::string why_not(const std::string& instructions, const Machine& machine) {
  if (instructions == machine.program) return {};
  const auto level = level_named(instructions);
  if (!level || is_for_one_machine(machine.program)) return fmt::format("this program has only {}", machine.program);
  if (!machine.processor || *level > *machine.processor)
    return fmt::format("this processor supports at most {}",
                       machine.processor ? name_of(*machine.processor) : "less than v2");
  if (std::ranges::find(machine.installed, *level) == machine.installed.end())
    return fmt::format("there is no program wattloop_{} beside this one", instructions);
  return {};
}

void add_isa(CLI::App& command, std::string& isa) {
  std::vector<std::string> names{std::string(any_level)};
  for (const InstructionLevel level : all_levels()) names.emplace_back(name_of(level));
  command
      .add_option("--isa", isa,
                  "CPU instruction set (x86-64 level); the same set gives the same bytes on any processor")
      ->type_name("LEVEL")
      ->check(one_of(names))
      ->envname(level_variable)
      ->capture_default_str();
}

void demand_isa(const std::string& asked, const Machine& machine) {
  if (asked == any_level || asked == machine.program) return;
  const std::string reason = why_not(asked, machine);
  const bool is_native = is_for_one_machine(machine.program);
  std::string hint = fmt::format("write --isa {}, the best instruction set here", machine.program);
  if (is_native) hint = "build with WATTLOOP_NATIVE=OFF and WATTLOOP_LEVELS to have all levels";
  if (reason.empty()) hint = "start it as wattloop, which chooses the program";
  refuse({"--isa " + asked, 0, 0}, reason.empty() ? fmt::format("this is the program for {}", machine.program) : reason,
         hint);
}

std::optional<InstructionLevel> level_to_go_on_with(const Begun& begun, const std::string& asked,
                                                    const Machine& machine) {
  if (begun.with == machine.program) return {};
  const std::string message = fmt::format("{} was begun with the CPU instruction set {}", begun.what, begun.with);
  const std::string reason = why_not(begun.with, machine);
  if (!reason.empty()) refuse(begun.place, fmt::format("{}, and {}", message, reason), begun.instead);
  if (asked != any_level)
    refuse(begun.place, fmt::format("{}, and {} is requested: the bytes would differ", message, asked),
           fmt::format("{} --isa {}", begun.go_on, begun.with));
  return level_named(begun.with);
}

void go_on_with(InstructionLevel level) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<char*> arguments;
  for (std::size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) arguments.push_back(text.data() + at);
  arguments.push_back(nullptr);
  setenv(level_variable, std::string(name_of(level)).c_str(), 1);
  become(level, arguments.data());
  throw FileError(fmt::format("cannot start the program for {}: {}", name_of(level), std::strerror(errno)));
}

void keep_to_instructions(const Begun& begun, const std::string& asked) {
  if (const auto level = level_to_go_on_with(begun, asked, this_machine())) go_on_with(*level);
}

}  // namespace wattloop::twin
