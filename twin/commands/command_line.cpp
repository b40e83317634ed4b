#include "twin/commands/command_line.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/problem.hpp"
#include "twin/commands/audit_command.hpp"
#include "twin/commands/calibrate_command.hpp"
#include "twin/commands/check_command.hpp"
#include "twin/commands/command_line_mistake.hpp"
#include "twin/commands/completion_command.hpp"
#include "twin/commands/explain_command.hpp"
#include "twin/commands/import_command.hpp"
#include "twin/commands/instruction_choice.hpp"
#include "twin/commands/manual_command.hpp"
#include "twin/commands/new_command.hpp"
#include "twin/commands/results_commands.hpp"
#include "twin/commands/resume_command.hpp"
#include "twin/commands/run_command.hpp"
#include "twin/commands/search_command.hpp"
#include "twin/commands/standard_streams.hpp"
#include "twin/commands/study_command.hpp"
#include "twin/commands/trusted_results.hpp"
#include "twin/document/override.hpp"

namespace wattloop::twin {

namespace {

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Override a value of the scenario: hall.racks.nodes=4; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command
      .add_option_function<std::vector<std::string>>(
          "--event",
          [&overrides](const std::vector<std::string>& events) {
            for (const std::string& event : events) overrides.push_back(event_override(event));
          },
          "Add an event to those of the scenario: 'at: 10 min, fail: cdu_1.pump_a'; may be repeated")
      ->type_name("EVENT")
      ->allow_extra_args(false);
}

/// A command that computes, once it is known that it may with the instructions that are asked for.
template <class Options, class Command>
std::function<int()> with_isa(const std::shared_ptr<Options>& options, const Command& command) {
  return [options, command] {
    demand_isa(options->isa, this_machine());
    return command(*options);
  };
}

CLI::Validator is_time() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        try {
          return to_si(text, "s") >= 0.0 ? "" : text + " is before the start";
        } catch (const QuantityError& error) {
          return error.what();
        }
      },
      "");
}

std::vector<double> times_s(const std::vector<std::string>& texts) {
  std::vector<double> times;
  for (const std::string& text : texts) times.push_back(to_si(text, "s"));
  return times;
}

CLI::Option* add_checkpoints(CLI::App& command, RunOptions& options) {
  return command
      .add_option_function<std::string>(
          "--checkpoint", [&options](const std::string& every) { options.checkpoint_every_s = to_si(every, "s"); },
          "Save the run so often, of the machine's clock; wattloop resume goes on after a kill; SIGTERM saves and ends "
          "with exit code 75")
      ->type_name("DURATION")
      ->check(is_time());
}

void add_resume(CLI::App& app, std::function<int()>& action) {
  constexpr double usual_interval_s = 600.0;
  auto options = std::make_shared<RunOptions>();
  auto file = std::make_shared<std::filesystem::path>();
  options->checkpoint_every_s = usual_interval_s;
  CLI::App* command = app.add_subcommand("resume", "Go on with a run that was killed or asked to end");
  command->add_option("file", *file, "Checkpoint, or the results file whose run left it")
      ->type_name("FILE")
      ->required();
  command->add_option("--threads", options->threads, "Threads")->check(CLI::Range(1, 1024))->capture_default_str();
  add_isa(*command, options->isa);
  add_checkpoints(*command, *options);
  add_end_style(*command, options->end);
  command->add_flag("-q,--quiet", options->is_quiet, "No progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop run scenarios/h100_10k.yaml -o day.h5 --checkpoint 10min\n"
      "  wattloop resume day.h5\n"
      "The file is the same, byte for byte, as that of a run that was never stopped. docs/checkpoints.md");
  command->callback([options, file, &action] {
    action = with_isa(options, [file](const RunOptions& all) { return resume(*file, all); });
  });
}

void add_run(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a scenario and write its results");
  command->add_option("scenario", options->scenario, "Scenario (YAML), or a results file to run again")
      ->type_name("FILE")
      ->required();
  CLI::Option* output =
      command->add_option("-o,--output", options->output, "Results file; default: results/NAME.h5")->type_name("FILE");
  command->add_flag("--force", options->is_forced, "Replace an output file that Wattloop did not write");
  add_trust(*command, Trusted::running);
  command->add_flag("--no-results", options->has_no_results, "Write no results file")->excludes(output);
  add_overrides(*command, options->overrides);
  add_checkpoints(*command, *options)->excludes("--no-results");
  command
      ->add_option_function<std::vector<std::string>>(
          "--save-at", [options](const std::vector<std::string>& times) { options->save_at_s = times_s(times); },
          "Leave a checkpoint of this time of the run, for scenarios that begin there; may be repeated")
      ->type_name("TIME")
      ->check(is_time())
      ->excludes("--no-results")
      ->allow_extra_args(false);
  command
      ->add_option("--limit", options->limits,
                   "Judge a figure of the summary, named as in --json: 'pue <= 1.2'; exit code 3 where it is violated; "
                   "may be repeated")
      ->type_name("'KPI <= VALUE UNIT'")
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "Threads")->check(CLI::Range(1, 1024))->capture_default_str();
  command->add_option("--integrator", options->integrator, "Integrator")
      ->check(one_of({"monolithic", "multirate"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_isa(*command, options->isa);
  command
      ->add_option("--relative-tolerance", options->relative_tolerance_ratio,
                   "Relative tolerance of the monolithic integrator")
      ->check(CLI::Range(1e-12, 1e-2))
      ->check([](const std::string& text) {  // which a range lets pass
        return text.find_first_of("nN") == std::string::npos ? std::string() : text + " is no number";
      })
      ->capture_default_str();
  add_end_style(*command, options->end);
  command->add_flag("-q,--quiet", options->is_quiet, "No progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop run scenarios/one_rack.yaml\n"
      "  wattloop run scenarios/one_rack.yaml -o warm.h5 --set 'hall.cooling.loops.supply_temperature=40 degC'\n"
      "  wattloop run scenarios/one_rack.yaml --event 'at: 10 min, open: utility_a, for: 40 s'\n"
      "  wattloop run scenarios/one_rack.yaml --limit 'peak_die_temperature <= 80 degC' --limit 'trips <= 0'\n"
      "  wattloop run scenarios/one_rack.yaml --full\n"
      "  wattloop run results/one_rack.h5 --json\n"
      "  wattloop run scenarios/h100_10k.yaml -o day.h5 --checkpoint 10min\n"
      "  wattloop run scenarios/one_rack.yaml --save-at 10min");
  command->callback([options, &action] { action = with_isa(options, run); });
}

void add_check(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check a scenario without running it");
  command->add_option("scenario", options->scenario, "Scenario (YAML)")->type_name("FILE")->required();
  add_overrides(*command, options->overrides);
  command->add_flag("--resolved", options->is_resolved,
                    "Print the scenario after extends, library and overrides instead of the findings");
  command->add_flag("--all", options->are_all, "Print all limits, not the ten that are nearest");
  command->add_flag("--json", options->is_json, "Print all findings as JSON");
  command->footer(
      "Examples:\n  wattloop check scenarios/one_rack.yaml\n"
      "  wattloop check scenarios/one_rack.yaml --set hall.racks.nodes=16");
  command->callback([options, &action] { action = [options] { return check(*options); }; });
}

void add_explain(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a section of a scenario, a kind of hardware, a device, or a plant's parts");
  CLI::Option* topic =
      command->add_option("kind", options->topic, "What to explain; without it, a list of all there is");
  command
      ->add_option("--parts", options->scenario,
                   "List the parts of a scenario: what feeds and cools each, what may fail or be set, its rating")
      ->type_name("SCENARIO")
      ->excludes(topic);
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print parts as JSON, each by itself");
  command->add_flag("--markdown", options->is_markdown,
                    "Print the whole reference as Markdown: docs/scenario_reference.md");
  command->add_flag("--schema", options->is_schema, "Print a JSON Schema of scenarios and studies, for editors")
      ->excludes(topic);
  command->footer(
      "Examples:\n  wattloop explain\n  wattloop explain hall.cooling.loops\n  wattloop explain hardware\n"
      "  wattloop explain cdu_1370kw\n  wattloop explain --parts scenarios/h100_10k.yaml");
  command->callback([options, &action] { action = [options] { return explain_command(*options); }; });
}

void add_import(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* import = app.add_subcommand("import", "Make a scenario from what others have");
  import->require_subcommand(1);
  CLI::App* command = import->add_subcommand("hall", "A hall from lists of racks, CDUs and power (CSV)");
  command->add_option("folder", options->folder, "Folder with racks.csv, cdus.csv and power.csv")
      ->type_name("DIR")
      ->required();
  command->add_option("-o,--output", options->output, "Scenario to write")->type_name("FILE")->capture_default_str();
  command->add_flag("--force", options->is_forced, "Replace a file that this command did not write");
  command->add_flag("-q,--quiet", options->is_quiet, "No notes");
  const std::string examples =
      "Examples:\n  wattloop import hall lists -o hall.yaml\n  wattloop check hall.yaml\n"
      "docs/import_hall.md lists the columns.";
  import->footer(examples);
  command->footer(examples);
  command->callback([options, &action] { action = [options] { return import_command(*options); }; });
}

void add_study(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand("study", "Run all that a study stands for; the same command resumes");
  command->add_option("study", options->study, "Study (YAML)")->type_name("FILE");
  command->add_option("-o,--output", options->output, "Folder of the study; default: results/NAME")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "Runs at once")->check(CLI::Range(1, 1024))->capture_default_str();
  add_isa(*command, options->isa);
  command->add_option("--shard", options->shard, "Only every n-th run, from the i-th on: 2/3")->type_name("I/N");
  command
      ->add_option("--slurm", options->slurm,
                   "Run nothing: write into this folder an array job of Slurm, which leaves the study there")
      ->type_name("FOLDER");
  command->add_option("--task-minutes", options->task_minutes, "Minutes that a task of --slurm is to take")
      ->check(CLI::Range(0.5, 1440.0))
      ->capture_default_str();
  command->add_flag("--alone", options->is_alone, "Do all runs, also as one of several processes of mpirun or srun");
  command->add_option("--collect", options->collect, "Join the runs of these folders into the table of -o")
      ->type_name("FOLDER...");
  command
      ->add_option("--pareto", options->pareto,
                   "Runs that no other beats in two figures: pue,max:smallest_throttle_margin")
      ->type_name("A,B");
  command->add_flag("--dry-run", options->is_dry, "Show runs, and time and disk as estimated from a short trial");
  command->add_flag("--afresh", options->is_afresh, "Begin again: lose the runs that are in the folder");
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print what the study says as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "No progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml --dry-run\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml -o results/supply --threads 2\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml -o results/first --shard 1/2\n"
      "  mpirun -n 16 wattloop study scenarios/studies/one_rack_supply.yaml -o results/supply\n"
      "  wattloop study scenarios/studies/one_rack_supply.yaml --slurm results/supply\n"
      "  wattloop study --collect results/first results/second -o results/supply");
  command->callback([options, &action] { action = with_isa(options, study_command); });
}

void add_search(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<SearchOptions>();
  CLI::App* command = app.add_subcommand("search", "Find a value at a limit, an optimum, or what matters most");
  command->add_option("study", options->study, "Study with a section search (YAML)")->type_name("FILE")->required();
  command->add_option("-o,--output", options->output, "Folder of the search; default: results/NAME")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "Runs at once")->check(CLI::Range(1, 1024))->capture_default_str();
  add_isa(*command, options->isa);
  command->add_flag("--afresh", options->is_afresh, "Begin again: lose the runs that are in the folder");
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print what was found as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "No progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop search scenarios/studies/reference_highest_supply.yaml\n"
      "  wattloop search scenarios/studies/one_rack_what_matters.yaml -o results/what_matters --threads 2");
  command->callback([options, &action] { action = with_isa(options, search_command); });
}

void add_audit(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<AuditCommandOptions>();
  CLI::App* command = app.add_subcommand("audit", "Take every part out and lose it, and report what that costs");
  command->add_option("scenario", options->audit.scenario, "Scenario (YAML)")->type_name("FILE")->required();
  command->add_option("--of", options->audit.patterns, "Only these parts: \"ups_*\"; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command->add_flag("--pairs", options->audit.has_pairs, "Also every two lost together");
  command->add_option("--duration", options->audit.duration, "Duration of each run; parts fail at 1 min")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--require", options->require, "Exit code 3 where the hall is not this")
      ->check(CLI::IsMember({"concurrently_maintainable", "fault_tolerant"}));
  command->add_option("-o,--output", options->output, "Folder of the audit; default: results/audit_NAME")
      ->type_name("FOLDER");
  command->add_option("--threads", options->threads, "Runs at once")->check(CLI::Range(1, 1024))->capture_default_str();
  add_isa(*command, options->isa);
  command->add_flag("--dry-run", options->is_dry, "Show runs, and time and disk as estimated from a short trial");
  command->add_flag("--afresh", options->is_afresh, "Begin again: lose the runs that are in the folder");
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print what the audit says as JSON");
  command->add_flag("-q,--quiet", options->is_quiet, "No progress and no notes");
  command->footer(
      "Examples:\n"
      "  wattloop audit scenarios/one_rack.yaml\n"
      "  wattloop audit scenarios/halls/power_n_plus_1.yaml --set events=null --of \"ups_*\" --pairs --threads 2\n"
      "  wattloop audit scenarios/one_rack.yaml --require fault_tolerant");
  command->callback([options, &action] { action = with_isa(options, audit_command); });
}

}  // namespace

void add_twin_commands(CLI::App& app, std::function<int()>& action) {
  app.failure_message(
      [](const CLI::App* program, const CLI::Error& error) { return command_line_mistake(*program, error); });
  app.footer(
      "Examples:\n"
      "  wattloop check scenarios/one_rack.yaml\n"
      "  wattloop run scenarios/one_rack.yaml\n"
      "  wattloop summary results/one_rack.h5\n"
      "  wattloop events results/one_rack.h5\n"
      "  wattloop view results/one_rack.h5\n"
      "  wattloop export results/one_rack.h5\n"
      "`wattloop COMMAND --help` shows the options of a command.");
  add_run(app, action);
  add_resume(app, action);
  add_check(app, action);
  add_explain(app, action);
  add_new(app, action);
  add_import(app, action);
  add_study(app, action);
  add_search(app, action);
  add_audit(app, action);
  add_calibrate(app, action);
  add_results_commands(app, action);
  add_completion(app, action);
  add_manual(app, action);
}

namespace {

int outcome_of(const std::function<int()>& action) {
  try {
    return action();
  } catch (const InputError& error) {
    report(error.what());
    return bad_input;
  } catch (const EndOfModels& error) {
    report(fmt::format("no answer: {}", error.what()));
    return solver_failure;
  } catch (const SolverError& error) {
    report(fmt::format("solver failure: {}", error.what()));
    return solver_failure;
  } catch (const FileError& error) {
    report("file error: " + printable(error.what()));
    return file_failure;
  } catch (const std::filesystem::filesystem_error& error) {
    report("file error: " + printable(error.what()));
    return file_failure;
  } catch (const std::bad_alloc&) {
    report("not enough memory");
    return machine_failure;
  } catch (const std::length_error&) {
    report("not enough memory for anything of that size");
    return machine_failure;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return is_reader_gone() ? done : file_failure;  // reported below
    if (std::ferror(stderr) != 0) return file_failure;                            // no one listens
    report(fmt::format("failure of the program: {}", error.what()));
    return machine_failure;
  }
}

}  // namespace

int run_action(const std::function<int()>& action) {
  return outcome_of([&] { return with_trust([&] { return after_output(outcome_of(action)); }); });
}

}  // namespace wattloop::twin
