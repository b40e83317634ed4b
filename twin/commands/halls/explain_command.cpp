#include "twin/commands/halls/explain_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "core/text/problem.hpp"
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/written_picture.hpp"
#include "twin/drawings/charts/step_chart.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "twin/build/plant_builder.hpp"
#include "twin/commands/studies/job_text.hpp"
#include "twin/planning/work/explained_job.hpp"
#include "twin/ratings/part_list.hpp"
#include "twin/report/charts/picture_origin.hpp"
#include "twin/scenario/explain/explain.hpp"
#include "twin/scenario/explain/json_schema.hpp"
#include "twin/scenario/library/device_list.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/study/plan/study_topics.hpp"

namespace wattloop::twin {

namespace {

struct ExplainOptions {
  std::string topic;               ///< a section, a kind, "hardware" or a device; empty: the list of topics
  std::filesystem::path scenario;  ///< whose parts are listed, if any
  std::filesystem::path of;        ///< scenario whose jobs are explained, with the topic `job`
  std::size_t plans = 0;           ///< other plans of each job
  std::string best = "throughput";
  std::filesystem::path picture;  ///< of a step of the first job; empty: none
  std::vector<std::string> overrides;
  bool is_markdown = false;
  bool is_json = false;
  bool is_schema = false;
};

void print_parts(const ExplainOptions& options) {
  const std::vector<PartRow> parts = part_list(build_plant(read_scenario(options.scenario, options.overrides)));
  if (!options.is_json) {
    fmt::print("{}", part_table(parts));
    return;
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const PartRow& part : parts) {
    json.push_back({{"name", part.name},
                    {"kind", part.kind},
                    {"on", part.hangs_on},
                    {"events", part.events},
                    {"limits", part.limits}});
    if (part.rated_w > 0.0) json.back()["rating"] = {{"value", part.rated_w}, {"unit", "W"}};
  }
  fmt::print("{}\n", json.dump(2));
}

void print_jobs(const ExplainOptions& options) {
  std::vector<std::string> warnings;
  const std::vector<ExplainedJob> jobs = explained_jobs(read_scenario(options.of, options.overrides),
                                                        {options.plans, options.best == "energy"}, &warnings);
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (options.is_json) {
    fmt::print("{}\n", jobs_json(jobs));
    return;
  }
  if (!options.picture.empty()) {
    demand_picture_place(options.picture, {options.of}, false, "--picture");
    if (!jobs.empty()) write_picture(options.picture, step_chart(jobs.front()), picture_origin());
  }
  for (const ExplainedJob& job : jobs) fmt::print("{}{}", &job == &jobs.front() ? "" : "\n", job_text(job));
  if (jobs.empty())
    fmt::print("{} has no job of `kind: transformer`; other kinds follow from no model\n", options.of.string());
}

int explain_command(const ExplainOptions& options) {
  if (options.of.empty() && options.topic == "job")
    throw InputError({{{}, "explain job needs a scenario", "wattloop explain job hall.yaml", {}}}, "the command line");
  if (!options.of.empty()) {
    if (options.topic != "job")
      throw InputError({{{},
                         fmt::format("explain {} takes no scenario", options.topic),
                         fmt::format("wattloop explain job {}", options.of.string()),
                         {}}},
                       "the command line");
    print_jobs(options);
  } else if (!options.scenario.empty()) {
    print_parts(options);
  } else if (options.is_schema) {
    fmt::print("{}", json_schema(study_topics()));
  } else if (options.is_markdown) {
    fmt::print("{}", scenario_reference_markdown(study_topics()));
  } else if (options.topic == "hardware") {
    fmt::print("{}", device_list_text());
  } else if (const auto device = find_device(options.topic)) {
    fmt::print("{}", device_text(*device));
  } else {
    fmt::print("{}", explain(options.topic, study_topics()));
  }
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a section of a scenario, a kind of hardware, a device, or the parts of a hall");
  CLI::Option* topic = command->add_option("kind", options->topic, "What to explain; without it, a list of all names");
  command
      ->add_option("scenario", options->of,
                   "With `job`: the scenario whose training jobs of a transformer model (LLM) are explained: step, "
                   "memory, power")
      ->type_name("SCENARIO");
  CLI::Option* plans =
      command->add_option("--plans", options->plans, "With `job`: number of the best plans that fit into memory")
          ->type_name("N")
          ->check(CLI::Range(1, 1000));
  command->add_option("--best", options->best, "Order of the plans: by throughput, or by energy per token")
      ->check(one_of({"throughput", "energy"}))
      ->needs(plans);
  command->add_option("--picture", options->picture, "With `job`: plot one step of the first job as SVG or PNG")
      ->type_name("FILE");
  command
      ->add_option("--parts", options->scenario,
                   "List the parts of a scenario: what feeds and cools each part, its events and settings, its rating")
      ->type_name("SCENARIO")
      ->excludes(topic);
  add_overrides(*command, options->overrides);
  command->add_flag("--json", options->is_json, "Print parts or jobs as JSON, each part or job separately");
  command->add_flag("--markdown", options->is_markdown,
                    "Print the whole reference as Markdown: docs/scenario_reference.md");
  command->add_flag("--schema", options->is_schema, "Print a JSON Schema of scenarios and studies, for editors")
      ->excludes(topic);
  command->footer(
      "Examples:\n  wattloop explain\n  wattloop explain hall.cooling.loops\n  wattloop explain hardware\n"
      "  wattloop explain cdu_1370kw\n  wattloop explain --parts scenarios/h100_10k.yaml\n"
      "  wattloop explain job hall.yaml --plans 10");
  command->callback([options, &action] { action = [options] { return explain_command(*options); }; });
}

}  // namespace wattloop::twin
