#include "twin/commands/command_line.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/halls/completion_command.hpp"
#include "twin/commands/halls/explain_command.hpp"
#include "twin/commands/halls/import_command.hpp"
#include "twin/commands/halls/manual_command.hpp"
#include "twin/commands/halls/new_command.hpp"
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/commands/results/compare_command.hpp"
#include "twin/commands/results/diagram_command.hpp"
#include "twin/commands/results/events_command.hpp"
#include "twin/commands/results/jobs_command.hpp"
#include "twin/commands/results/report_command.hpp"
#include "twin/commands/results/summary_command.hpp"
#include "twin/commands/run/check_command.hpp"
#include "twin/commands/run/resume_command.hpp"
#include "twin/commands/run/run_command.hpp"
#include "twin/commands/studies/audit_command.hpp"
#include "twin/commands/studies/calibrate_command.hpp"
#include "twin/commands/studies/search_command.hpp"
#include "twin/commands/studies/study_command.hpp"

namespace wattloop::twin {

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
  add_summary(app, action);
  add_compare(app, action);
  add_events(app, action);
  add_jobs(app, action);
  add_report(app, action);
  add_diagram(app, action);
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
