// Options that several commands have.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/units/units.hpp"
#include "twin/commands/program/instruction_choice.hpp"
#include "twin/run/run_method.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace wattloop::twin {

/// `--set` and `--event`: changes of the scenario.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);

/// `--limit`: figures of the summary that are judged.
void add_limits(CLI::App& command, std::vector<std::string>& limits);

/// `--units`: metric or inch-pound.
void add_units(CLI::App& command, UnitStyle& style);

/// `--integrator` and `--relative-tolerance`: how runs are computed.
void add_method(CLI::App& command, RunMethod& method);

/// A text with a unit of time, not before the start.
CLI::Validator is_time();

/// A command that computes, once it is known that it may with the instructions that are asked for.
template <class Options, class Command>
std::function<int()> with_isa(const std::shared_ptr<Options>& options, const Command& command) {
  return [options, command] {
    demand_isa(options->isa, this_machine());
    return command(*options);
  };
}

}  // namespace wattloop::twin
