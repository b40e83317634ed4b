#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

const std::regex production("(core|physics|electrical|network|workload|twin|viz|api)/.*\\.cpp");

/// Files without a header of their name, the header that declares what is in them instead, and why it does.
struct SharedHeader {
  std::regex files;
  std::string header;
  std::string_view reason;
};

const std::array shared_headers{
    SharedHeader{std::regex("viz/(commands|program)/(main|launcher)\\.cpp"), "", "programs: nothing calls them"},
    SharedHeader{std::regex("api/library/(c_functions|errors|hall|runs)\\.cpp"), "", "headers of api/include/wattloop"},
    SharedHeader{std::regex("core/parts/units_format\\.cpp"), "core/units/units.hpp",
                 "callers ask for a text in one header; the table needs the units of core/parts/field.hpp"},
    SharedHeader{std::regex("electrical/energise\\.cpp"), "electrical/power_tree.hpp",
                 "it writes what the header calls derived"},
    SharedHeader{std::regex("electrical/one_line_check\\.cpp"), "electrical/one_line.hpp",
                 "one function about what the header describes"},
    SharedHeader{std::regex("workload/queue/queue_figures\\.cpp"), "workload/queue/queue_run.hpp",
                 "figures of what a run of a queue returns"},
    SharedHeader{std::regex("workload/replay/replayed_work\\.cpp"), "workload/replay/replay.hpp",
                 "a kind of work is one header"},
    SharedHeader{std::regex("workload/training/training_storage\\.cpp"), "workload/training/training_clock.hpp",
                 "members of one class"},
    SharedHeader{std::regex("twin/simulation/simulation_memory\\.cpp"), "twin/simulation/simulation.hpp",
                 "members of one class"},
    SharedHeader{std::regex("twin/results/hdf5/hdf5_file_(reader|writer)\\.cpp"),
                 "twin/results/hdf5/hdf5_file_calls.hpp", "two classes of hdf5_file.hpp, and calls that both need"},
    SharedHeader{std::regex("twin/build/templates/template_(one_line|power|ups_heat|voltages)\\.cpp"),
                 "twin/build/templates/one_line_templates.hpp", "sections of power, in the order in which they build"},
    SharedHeader{std::regex("twin/build/templates/template_(racks|storage)\\.cpp"), "twin/build/templates/rack_air.hpp",
                 "the same, of racks and of the air in them"},
    SharedHeader{std::regex("twin/build/templates/template_[a-z_]+\\.cpp"), "twin/build/templates/templates.hpp",
                 "sections of a scenario, in the order in which they build"},
    SharedHeader{std::regex("twin/scenario/sections/[a-z_]+\\.cpp"), "twin/scenario/sections/scenario_sections.hpp",
                 "one list of keys, a file for the keys of a section"},
    SharedHeader{std::regex("twin/scenario/checks/[a-z_]+_check\\.cpp"), "twin/scenario/checks/consistency_check.hpp",
                 "checks of one list"},
    SharedHeader{std::regex("twin/actions/(node_)?controllers\\.cpp"), "twin/actions/controller.hpp",
                 "one interface, and all that implement it, in the order in which they act"},
    SharedHeader{std::regex("twin/actions/work/(fabric_load|rack_loads)\\.cpp"), "twin/actions/work/coupling.hpp",
                 "what work, power and heat exchange is one header"},
    SharedHeader{std::regex("twin/integration/core/integrator_core_(cvode|rosenbrock)\\.cpp"),
                 "twin/integration/core/core_integrator.hpp", "two implementations of one interface"},
    SharedHeader{std::regex("twin/integration/integrator_(monolithic|multirate)\\.cpp"),
                 "twin/integration/core/integrator.hpp", "two implementations of one interface"},
    SharedHeader{std::regex("twin/ratings/set_points\\.cpp"), "twin/ratings/load_at_rating.hpp",
                 "what a hall at its rating does not meet"},
    SharedHeader{std::regex("twin/ratings/outages\\.cpp"), "twin/ratings/nameplate_hall.hpp",
                 "the hall at its rating without a part"},
    SharedHeader{std::regex("twin/run/figures/(months|job_outcomes|summary_text)\\.cpp"),
                 "twin/run/figures/summary.hpp", "pieces of the summary"},
    SharedHeader{std::regex("twin/run/recording/recorded_[a-z]+\\.cpp"), "twin/run/recording/recorder.hpp",
                 "tables of a results file, in their order"},
    SharedHeader{std::regex("twin/drawings/diagrams/(cooling_schematic|one_line_diagram)\\.cpp"),
                 "twin/drawings/diagrams/hall_diagrams.hpp", "the diagrams from which commands choose"},
    SharedHeader{std::regex("twin/drawings/charts/plan_scales\\.cpp"), "twin/drawings/charts/hall_plan.hpp",
                 "plans, and their colours"},
    SharedHeader{std::regex("twin/report/charts/hall_plans\\.cpp"), "twin/report/charts/run_pictures.hpp",
                 "pictures of one page"},
    SharedHeader{std::regex("twin/report/run/limits_table\\.cpp"), "twin/report/run/run_tables.hpp",
                 "tables of one page"},
    SharedHeader{std::regex("twin/imports/jobs/(sacct_log|swf_log|trace_jobs)\\.cpp"), "twin/imports/jobs/job_log.hpp",
                 "readers of one list of formats"},
    SharedHeader{std::regex("twin/imports/telemetry/(csv_logs|dcgm_logs|log_formats|mlperf_logs|nvidia_smi_log)\\.cpp"),
                 "twin/imports/telemetry/log_readers.hpp", "readers of one list of formats"},
    SharedHeader{std::regex("viz/hall/hall_labels\\.cpp"), "viz/hall/labels.hpp", "labels, and those of a hall"},
    SharedHeader{std::regex("viz/window/box_at\\.cpp"), "viz/window/window_page.hpp", "a question to the page"},
};

bool includes(const TextFile& file, const std::string& header) {
  const std::string line = "#include \"" + header + "\"";
  return header.empty() || std::ranges::find(file.lines, line) != file.lines.end();
}

}  // namespace

Violations header_violations(const Project& project) {
  std::set<std::string> paths;
  for (const TextFile& file : project.files) paths.insert(file.path);
  Violations found;
  for (const TextFile& file : project.files) {
    if (!std::regex_match(file.path, production)) continue;
    if (paths.contains(file.path.substr(0, file.path.size() - 4) + ".hpp")) continue;
    const auto shared = std::ranges::find_if(
        shared_headers, [&](const SharedHeader& one) { return std::regex_match(file.path, one.files); });
    if (shared == shared_headers.end()) {
      found.push_back(
          violation(file, 0, "has no header of its name; tests/architecture/header_rules.cpp lists exceptions"));
    } else if (!includes(file, shared->header)) {
      found.push_back(violation(file, 0, "does not include " + shared->header));
    }
  }
  return found;
}

}  // namespace wattloop::tests
