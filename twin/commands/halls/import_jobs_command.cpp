#include "twin/commands/halls/import_jobs_command.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/imports/jobs/job_log.hpp"
#include "twin/imports/jobs/jobs_text.hpp"

namespace wattloop::twin {

namespace {

struct JobsCommand {
  std::filesystem::path file;
  std::filesystem::path output = "jobs.csv";
  JobRequest request;
  std::size_t procs_per_node = 0;
  bool is_forced = false;  ///< replaces a file that this command did not write
  bool is_quiet = false;   ///< no notes
  bool is_json = false;
};

int import_jobs_command(const JobsCommand& command) {
  demand_own_place(command.output, {command.file}, imported_jobs_head, command.is_forced);
  JobRequest request = command.request;
  if (command.procs_per_node > 0) request.procs_per_node = command.procs_per_node;
  const JobLog log = import_jobs(command.file, request);
  write_whole(command.output, workload::jobs_table_text(log.jobs, jobs_comment(log)));
  if (!command.is_quiet) {
    for (const std::string& note : log.notes) report("note: " + printable(note));
  }
  if (command.is_json) {
    fmt::print("{}\n", jobs_json(log, command.output));
    return done;
  }
  for (const std::string& line : jobs_text(log, command.output)) fmt::print("{}\n", line);
  return done;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const JobFormat& one : job_formats) names.emplace_back(one.name);
  return names;
}

}  // namespace

void add_import_jobs(CLI::App& import, std::function<int()>& action) {
  auto options = std::make_shared<JobsCommand>();
  CLI::App* command = import.add_subcommand("jobs", "A table of jobs from the log of a scheduler");
  command->add_option("file", options->file, "Log of a scheduler, or a public trace")->type_name("FILE")->required();
  command->add_option("-o,--out", options->output, "Table of jobs to write")->type_name("FILE")->capture_default_str();
  command
      ->add_option("--format", options->request.format,
                   "Format of the log, detected if not given: swf, sacct, alibaba, acme")
      ->check(one_of(format_names()))
      ->type_name("NAME");
  command
      ->add_option("--procs-per-node", options->procs_per_node,
                   "Processors per node, for logs that count processors (swf)")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  command->add_flag("--json", options->is_json, "Print the report as JSON");
  command->add_flag("--force", options->is_forced, "Replace a file that this command did not write");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no notes");
  command->footer(
      "Examples:\n"
      "  sacct -P -a -X --format=JobID,Partition,Submit,Start,End,Elapsed,State,NNodes,AllocTRES,Timelimit,Priority > "
      "sacct.txt\n"
      "  wattloop import jobs sacct.txt -o jobs.csv\n"
      "  wattloop import jobs log.swf --procs-per-node 8 -o jobs.csv\n"
      "docs/importing_logs.md describes formats and the report.");
  command->callback([options, &action] { action = [options] { return import_jobs_command(*options); }; });
}

}  // namespace wattloop::twin
