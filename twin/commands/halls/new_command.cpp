#include "twin/commands/halls/new_command.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/sizing/figures_in_library.hpp"
#include "twin/sizing/one_line_text.hpp"
#include "twin/sizing/sized_text.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

std::string joined(std::span<const AskedChoice> choices) {
  std::string text;
  for (const AskedChoice& choice : choices) text += (text.empty() ? "" : ", ") + std::string(choice.name);
  return text;
}

std::string list_of(const char* heading, std::span<const AskedChoice> choices, const std::string& usual) {
  std::string text = fmt::format("\n{}\n", heading);
  for (const AskedChoice& choice : choices)
    text += fmt::format("  {:<26}{}{}\n", choice.name, choice.words, choice.name == usual ? " (default)" : "");
  return text;
}

int list_choices(const fs::path& folder) {
  const AskedHall usual;
  std::string text = fmt::format("{:<28}GPUs a node   nameplate   nodes a rack   --cooling\n", "--hardware");
  for (const std::string& name : node_names(folder)) {
    const NodeFigures node = read_node_figures(name, folder);
    text += fmt::format("  {:<26}{:>11}   {:>9}   {:>12}   {}{}\n", name, node.gpus, watts(node.nameplate_w),
                        usual_nodes_per_rack(node), joined(fitting_coolings(node)),
                        name == usual.hardware ? " (default)" : "");
  }
  text += list_of("--cooling (default: the first that the hardware can have)", cooling_choices(), "");
  text += list_of("--redundancy", redundancy_choices(), usual.redundancy);
  text += list_of("--climate, or --weather FILE.epw", climate_choices(), usual.climate);
  fmt::print("{}", text);
  return done;
}

/// Names as they are, of what was asked for.
AskedHall resolved(AskedHall asked, const fs::path& folder) {
  if (node_names(folder).empty())
    throw InputError(
        {{{"--hardware", 0, 0},
          "no hardware library was found",
          "the share folder of the program has none: set WATTLOOP_LIBRARY to a folder that contains a folder hardware/",
          {}}},
        "the command line");
  asked.hardware = chosen_name("--hardware", asked.hardware, node_names(folder));
  if (!asked.cooling.empty()) asked.cooling = chosen_name("--cooling", asked.cooling, cooling_choices());
  asked.redundancy = chosen_name("--redundancy", asked.redundancy, redundancy_choices());
  if (asked.weather.empty()) asked.climate = chosen_name("--climate", asked.climate, climate_choices());
  return asked;
}

void demand_free_place(const NewOptions& options) {
  const std::vector<fs::path> inputs =
      options.asked.weather.empty() ? std::vector<fs::path>{} : std::vector{options.asked.weather};
  demand_own_place(options.output, inputs, {}, true);
  std::error_code error;
  if (options.is_forced || !fs::exists(without_links(options.output), error)) return;
  throw InputError({{{"-o", 0, 0},
                     fmt::format("'{}' exists already", options.output.string()),
                     "give another name, or replace the file with --force",
                     {}}},
                   "the command line");
}

/// Every warning of `check`, if any.
std::vector<std::string> warnings_of(const Scenario& scenario) {
  omp_set_num_threads(1);  // what is searched here is over before a second thread pays
  return check_warnings(scenario);
}

struct Written {
  HallSizes hall;
  std::string text;
  std::vector<std::string> warnings;
};

/// Where the search of `check` for the hall in steady state ends at nothing, the hall with warmer water is tried: the same counts at other numbers.
Written sized_and_checked(AskedHall asked, const fs::path& folder, const NewOptions& options) {
  const fs::path& output = options.output;
  constexpr int most_trials = 4;
  const NodeFigures node = read_node_figures(asked.hardware, folder);
  const LibraryFigures library = read_library_figures(folder);
  const Climate climate = read_climate(asked, folder);
  std::optional<Written> first;
  for (int trial = 0; trial < most_trials; ++trial, asked.warmer_k += 1.0) {
    HallSizes hall = size_hall(asked, node, climate, library);
    const std::string file = printable(output.filename().string());
    std::string text = sized_text(hall, file);
    if (options.is_drawn) {
      const Scenario with_blocks = read_scenario_text(text, output);
      text = sized_text(hall, file, one_line_text(with_blocks, build_plant(with_blocks)));
    }
    const Scenario scenario = read_scenario_text(text, output);  // nothing is written that `check` would not read
    std::vector<std::string> warnings;
    if (!options.is_unchecked) warnings = warnings_of(scenario);
    const auto found_none = [](const std::string& reported) {
      return reported.find("has no steady state") != std::string::npos;
    };
    const bool is_found = std::ranges::none_of(warnings, found_none);
    if (is_found || !first) first = Written{std::move(hall), std::move(text), std::move(warnings)};
    if (is_found) break;
  }
  return std::move(*first);
}

}  // namespace

int new_command(const NewOptions& given) {
  NewOptions options = given;
  const fs::path folder = options.output.parent_path();
  if (options.is_listing) return list_choices(folder);
  demand_free_place(options);
  if (!options.has_answers) {
    if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) {
      ask_for_hall(std::cin, std::cout, options.asked);
    } else if (!options.is_quiet) {
      report(
          "note: no options and no terminal for questions: all answers are the defaults; wattloop new --list shows "
          "others");
    }
  }
  const AskedHall asked = resolved(options.asked, folder);
  const Written written = sized_and_checked(asked, folder, options);
  const HallSizes& hall = written.hall;
  write_whole(options.output, written.text);
  if (!options.is_quiet) {
    for (const std::string& note : hall.notes) report("note: " + printable(note));
  }
  for (const std::string& warning : written.warnings) report("warning: " + printable(warning));
  fmt::print("{}: {} GPUs in {} racks of {}, {} at nameplate, {}, {}; {}\n", printable(options.output.string()),
             grouped(hall.racks.gpus), grouped(hall.racks.racks), hall.node.name, watts(hall.racks.it_w),
             hall.asked.cooling, asked.redundancy,
             options.is_unchecked ? "not checked" : nameplate_verdict(written.warnings.size()));
  if (!options.is_quiet) fmt::print("wattloop run {}\n", shell_file(options.output.string()));
  return done;
}

namespace {

/// Asks until `take` does not throw.
template <class Take>
void ask(std::istream& answers, std::ostream& questions, const std::string& question, const std::string& usual,
         const Take& take) {
  for (std::string line; questions << question << " [" << usual << "]: " << std::flush, std::getline(answers, line);) {
    const auto first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first == std::string::npos) return;
    try {
      return take(line.substr(first, last - first + 1));
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) questions << problem.message << "; " << problem.hint << "\n";
    }
  }
}

int asked_count(const std::string& text) {
  const bool is_count = !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos;
  const int count = is_count ? std::stoi(text) : 0;
  if (count >= 1 && count <= most_asked_gpus) return count;
  throw InputError({{{"--gpus", 0, 0},
                     fmt::format("'{}' is not a number of GPUs", text),
                     fmt::format("a whole number from 1 to {}", most_asked_gpus),
                     {}}},
                   "the command line");
}

}  // namespace

void ask_for_hall(std::istream& answers, std::ostream& questions, AskedHall& asked) {
  const std::vector<std::string> nodes = node_names({});
  const auto name = [](std::string& into, const char* option, auto choices) {
    return [&into, option, choices](const std::string& text) { into = chosen_name(option, text, choices); };
  };
  ask(answers, questions, "How many GPUs?", std::to_string(asked.gpus),
      [&](const std::string& text) { asked.gpus = asked_count(text); });
  std::string all;
  for (const std::string& node : nodes) all += (all.empty() ? "" : ", ") + node;
  ask(answers, questions, "Nodes of which hardware? " + all, asked.hardware,
      [&](const std::string& text) { asked.hardware = chosen_name("--hardware", text, nodes); });
  const NodeFigures node = read_node_figures(asked.hardware, {});
  const std::vector<AskedChoice> coolings = fitting_coolings(node);
  ask(answers, questions, "How is it cooled? " + joined(coolings), usual_cooling(node),
      name(asked.cooling, "--cooling", std::span<const AskedChoice>(coolings)));
  ask(answers, questions, "Power how redundant? " + joined(redundancy_choices()), asked.redundancy,
      name(asked.redundancy, "--redundancy", redundancy_choices()));
  ask(answers, questions, "In which climate? " + joined(climate_choices()), asked.climate,
      name(asked.climate, "--climate", climate_choices()));
}

namespace {

CLI::Option* add_quantity(CLI::App& command, const char* name, const char* unit, double& into, const char* words) {
  return command
      .add_option_function<std::string>(
          name, [&into, unit](const std::string& text) { into = to_si(text, unit); }, words)
      ->type_name("QUANTITY")
      ->check(CLI::Validator(
          [unit](std::string& text) -> std::string {
            try {
              to_si(text, unit);
              return "";
            } catch (const QuantityError& error) {
              return error.what();
            }
          },
          ""));
}

}  // namespace

void add_new(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Write a scenario of a new hall, sized from five answers");
  AskedHall& asked = options->asked;
  std::vector<CLI::Option*> answers{
      command
          ->add_option("--gpus", asked.gpus, "Smallest number of GPUs; it is rounded up to whole racks of equal nodes")
          ->check(CLI::Range(1, most_asked_gpus)),
      command->add_option("--hardware", asked.hardware, "Node of the library, or the first letters of its name")
          ->type_name("NAME"),
      command
          ->add_option("--cooling", asked.cooling, "Cooling: warm_water, dry_coolers, chilled_water, air or rear_doors")
          ->type_name("NAME"),
      command->add_option("--redundancy", asked.redundancy, "Redundancy of the power: N, N+1, 2N, block or distributed")
          ->type_name("NAME"),
      command->add_option("--climate", asked.climate, "Climate with the hottest outdoor air: leesburg or chicago")
          ->type_name("NAME"),
      command->add_option("--weather", asked.weather, "EPW file instead of a climate")->type_name("FILE"),
      add_quantity(
          *command, "--offset", "delta_K", asked.offset_k,
          "Temperature difference added to dry bulb and dew point of the weather: \"-10 K\" is a colder place"),
      add_quantity(*command, "--pressure", "Pa", asked.pressure_pa,
                   "Outdoor air pressure, instead of that of the weather file: \"83.4 kPa\" at 1,600 m"),
      command
          ->add_option("--nodes-per-rack", asked.nodes_per_rack,
                       "Nodes per rack, instead of the usual number for the hardware")
          ->check(CLI::Range(1, 128)),
  };
  for (CLI::Option* answer : answers) answer->capture_default_str();
  answers[4]->excludes(answers[5]);
  command->add_option("-o,--output", options->output, "Scenario to write")->type_name("FILE")->capture_default_str();
  command->add_flag("--list", options->is_listing, "Show the possible answers, with GPUs and power of the nodes");
  command->add_flag("--one-line", options->is_drawn,
                    "Write power as a one-line diagram: buses, sources, branches, cords (docs/power_as_drawn.md)");
  command->add_flag("--no-check", options->is_unchecked,
                    "Write the scenario without the findings of wattloop check; for halls beyond 20,000 GPUs");
  command->add_flag("--force", options->is_forced, "Replace an existing file");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no notes");
  command->footer(
      "Examples:\n"
      "  wattloop new --list\n"
      "  wattloop new --gpus 2048 --hardware dgx_h100_air --cooling air -o my_hall.yaml\n"
      "  wattloop new --gpus 10240 --redundancy distributed -o my_hall.yaml\n"
      "  wattloop new --gpus 1296 --hardware gb200 --cooling dry_coolers --redundancy N+1 -o nvl72.yaml\n"
      "  wattloop check my_hall.yaml\n"
      "Without options it asks at a terminal. docs/new_hall.md explains how it sizes.");
  command->callback([options, answers, &action] {
    options->has_answers = std::ranges::any_of(answers, [](const CLI::Option* answer) { return answer->count() > 0; });
    action = [options] { return new_command(*options); };
  });
}

}  // namespace wattloop::twin
