#include "twin/commands/program/command_line_mistake.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// However many commands there are.
std::string command_hint(const CLI::App& program, const std::string& word) {
  const std::vector<std::string> names = command_names(program);
  const std::string best = nearest(word, names);
  return best.empty() ? fmt::format("known: {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", best);
}

/// The first word that no one took, and what it was meant to be.
Problem unknown_word(const CLI::App& program, const CLI::App& command, const std::string& word) {
  Problem problem;
  if (is_option(word)) {
    const std::string name = word.substr(0, word.find('='));
    problem.message = fmt::format("{} has no option '{}'", command.get_name(), name);
    if (const std::string best = nearest(name, option_names(command)); !best.empty()) {
      problem.hint = fmt::format("did you mean '{}'?", best);
    }
  } else if (&command == &program) {
    problem.message = fmt::format("there is no command '{}'", word);
    problem.hint = command_hint(program, word);
  } else {
    problem.message = fmt::format("{} has no use for '{}'", command.get_name(), word);
  }
  return problem;
}

}  // namespace

std::string command_line_mistake(const CLI::App& program, const CLI::Error& error) {
  const auto chosen = program.get_subcommands();
  const CLI::App& command = chosen.empty() ? program : *chosen.front();
  const std::vector<std::string> rest = program.remaining(true);
  Problem problem;
  if (!rest.empty()) {
    problem = unknown_word(program, command, rest.front());
  } else if (chosen.empty()) {
    problem.message = "which command?";
    problem.hint = command_hint(program, {});
  } else {
    problem.message = error.what();
  }
  const std::string help = chosen.empty() ? "wattloop --help" : fmt::format("wattloop {} --help", command.get_name());
  problem.hint += fmt::format("{}{} shows examples", problem.hint.empty() ? "" : "; ", help);
  return fmt::format("{}\n", InputError({std::move(problem)}, "the command line").what());
}

CLI::Validator one_of(std::vector<std::string> choices) {
  return CLI::Validator(
      [choices = std::move(choices)](std::string& word) -> std::string {
        if (std::ranges::find(choices, word) != choices.end()) return {};
        const std::string best = nearest(word, choices);
        return fmt::format("'{}' is unknown, expected {}{}", word, fmt::join(choices, " or "),
                           best.empty() ? "" : fmt::format("; did you mean '{}'?", best));
      },
      "");
}

}  // namespace wattloop::twin
