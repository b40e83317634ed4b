#include "twin/scenario/scenario_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "core/text/name_pattern.hpp"
#include "twin/document/document.hpp"
#include "twin/document/environment.hpp"
#include "twin/document/yaml_text.hpp"
#include "twin/scenario/checks/consistency_check.hpp"
#include "twin/scenario/checks/size_check.hpp"
#include "twin/scenario/library/extended_mistakes.hpp"
#include "twin/scenario/library/hardware_library.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/short_forms.hpp"
#include "twin/scenario/site_air.hpp"
#include "twin/units/catalog.hpp"
#include "workload/burn_in/burn_in.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* burn_in_field = "burn_in_time_ratio";

/// What can be recorded of any GPU of the hall.
std::vector<std::string> gpu_field_names(const Scenario& scenario) {
  std::vector<std::string> names{"power", "clock_fraction", burn_in_field};
  for (const RacksSpec& racks : scenario.racks) {
    for (const NodeUnits& units : racks.hardware.units) {
      if (units.name != "gpu") continue;
      for (const StateInfo& state : find_unit_kind(units.spec.kind)->states) {
        if (std::ranges::find(names, state.name) == names.end()) names.emplace_back(state.name);
      }
    }
  }
  return names;
}

void read_gpu_fields(const Node& list, Scenario& scenario, Problems& problems) {
  if (!list.is_sequence()) {
    problems.add(problem_at(list, fmt::format("record.gpus.fields is {}, expected a list of names", describe(list))));
    return;
  }
  const NameIndex known(gpu_field_names(scenario));
  NameIndex requested;
  for (const Node& item : list.items) {
    const std::vector<std::size_t> fitting = known.fitting(item.text);
    for (const std::size_t field : fitting) requested.add(known.names()[field]);
    if (fitting.empty())
      problems.add(problem_at(item, fmt::format("{} cannot be recorded of a GPU", describe(item)),
                              known.hint(item.text, problems)));
  }
  scenario.record.gpu_fields = requested.names();
}

/// Where no one asked for an interval: a record of every GPU each minute is worth its bytes in a hall of ordinary size, large halls write
/// a tenth; runs longer than a day have no more rows than those of a day.
void thin_records(const Node& root, Scenario& scenario) {
  constexpr std::int64_t largest_ordinary_hall_gpus = 20000;
  constexpr double thinned_s = 600.0, day_s = 86400.0;
  RecordSpec& record = scenario.record;
  std::int64_t gpus = 0;
  for (const RacksSpec& racks : scenario.racks) {
    for (const NodeUnits& units : racks.hardware.units) {
      if (units.name == "gpu") gpus += std::int64_t{units.count} * racks.nodes * racks.count;
    }
  }
  const double days = std::max(1.0, std::ceil(scenario.duration_s / day_s));
  const auto is_asked = [&](const std::vector<std::string>& path) {
    const Node* value = find_path(root, path);
    return value != nullptr && !value->is_null();
  };
  if (!is_asked({"record", "gpus", "every"})) {
    if (gpus > largest_ordinary_hall_gpus) record.gpus_s = thinned_s;
    record.gpus_s *= days;
  }
  if (!is_asked({"record", "racks"})) record.racks_s *= days;
  if (!is_asked({"record", "facility"})) record.facility_s *= days;
}

/// Names the file from anywhere. What is written with a variable stays so: its value is no one's business but this machine's.
void make_absolute(Node& name, const std::string& file) {
  name.is_quoted = true;
  if (name.written.empty()) {
    name.text = std::filesystem::absolute(file).lexically_normal().string();
  } else if (!std::filesystem::path(name.text).is_absolute()) {
    const bool is_override = name.place.line == 0;
    const std::filesystem::path folder = is_override ? "" : std::filesystem::path(name.place.file).parent_path();
    const std::filesystem::path absolute = std::filesystem::current_path() / folder / "";
    name.written = without_environment(absolute.lexically_normal().string()) + name.written;
  }
}

/// A trace that is replayed, and where it is named.
struct ReplayedTrace {
  Node* name;
  std::string file;
};

/// Those of the hall and of groups of racks.
std::vector<ReplayedTrace> replayed_traces(Node& root, const Scenario& scenario) {
  std::vector<ReplayedTrace> traces;
  const auto add = [&](Node* section, const WorkloadSpec& work) {
    Node* workload = section != nullptr ? find(*section, "workload") : nullptr;
    const auto* replay = work.get<workload::ReplayParams>();
    Node* name = workload != nullptr && replay != nullptr ? find(*workload, "trace") : nullptr;
    if (name != nullptr) traces.push_back({name, replay->trace});
  };
  add(&root, scenario.workload);
  for (const RacksSpec& racks : scenario.racks) {
    Node* section = &root;
    for (const std::string& key : racks.path) section = section != nullptr ? find(*section, key) : nullptr;
    if (racks.workload) add(section, *racks.workload);
  }
  if (!scenario.jobs) return traces;
  std::size_t number = 0;
  for (Node& entry : find(*find(root, "jobs"), "queue")->items) {
    Node* name = find(entry, "trace");
    if (name != nullptr) traces.push_back({name, scenario.jobs->traces.at(number++).trace});
  }
  return traces;
}

/// Files that are followed, each once.
std::vector<Node*> followed_files(Node& root) {
  std::vector<Node*> names = names_of_followed_files(root);
  std::erase_if(names, [](const Node* name) { return name->text.empty(); });
  return names;
}

/// Files of watts that events follow.
std::vector<Node*> followed_watts(Node& root) {
  std::vector<Node*> names;
  Node* events = find(root, "events");
  if (events == nullptr) return names;
  for (Node& event : events->items) {
    Node* follow = find(event, "follow");
    Node* name = follow != nullptr ? find(*follow, "file") : nullptr;
    if (name != nullptr && !name->text.empty()) names.push_back(name);
  }
  return names;
}

bool is_duration_known(const Scenario& scenario) { return scenario.duration_s > 0.0; }

/// The document with absolute paths, so that it can be run from anywhere.
std::string resolved_text(Node root, const Scenario& scenario) {
  for (const ReplayedTrace& trace : replayed_traces(root, scenario)) make_absolute(*trace.name, trace.file);
  for (Node* name : followed_files(root)) make_absolute(*name, named_file(*name).string());
  for (Node* name : followed_watts(root)) make_absolute(*name, named_file(*name).string());
  if (!scenario.weather.file.empty()) make_absolute(*find(*find(root, "weather"), "file"), scenario.weather.file);
  return document_text(root);
}

/// Is there enough of a file that was read with problems for more of them to mean anything?
bool is_worth_reading(const Node& root) {
  return (find(root, "workload") != nullptr || find(root, "jobs") != nullptr) && find(root, "hall") != nullptr;
}

/// A document with where it came from.
struct Source {
  Node root;
  std::vector<ReadFile> files;
  std::size_t scenarios = 0;  ///< the first so many of these
  bool reports_what_extends = true;
};

Scenario scenario_of(Source source, const std::filesystem::path& file, Problems& problems);

std::vector<Problem> mistakes_of_file(const std::filesystem::path& file) {
  Problems problems;
  Source source;
  source.root = read_document(file, problems, {.overrides = {}, .files = &source.files});
  source.reports_what_extends = false;
  try {
    scenario_of(std::move(source), file, problems);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

/// Problems file by file from top to bottom, those of the scenario itself first.
void throw_in_order(const Problems& problems, const std::filesystem::path& file, const Node& root,
                    std::span<const ReadFile> bases) {
  if (problems.empty()) return;
  std::vector<Problem> sorted = problems.all();
  report_what_extends(root, bases, mistakes_of_file, sorted);
  std::ranges::stable_sort(sorted, {}, [&](const Problem& problem) {
    const Place& place = problem.place;
    return std::tuple(place.file != file.string(), place.file, place.line, place.column);
  });
  throw InputError(std::move(sorted), file.string());
}

/// What a run must not write over, and what its results depend on. Those from `first_device` on are of the library.
std::vector<InputFile> input_files(Source& source, std::size_t first_device, const Scenario& scenario) {
  std::vector<InputFile> inputs;
  for (std::size_t i = 0; i < source.files.size(); ++i) {
    const auto& [file, name] = source.files[i];
    inputs.push_back({i < source.scenarios ? "scenario" : i < first_device ? "base" : "library", file.string(), name});
  }
  const auto add = [&](const char* role, const std::string& file, const Node* named) {
    inputs.push_back({role, file, named != nullptr ? shown_file_name(*named, file) : role});
  };
  for (const ReplayedTrace& trace : replayed_traces(source.root, scenario)) add("trace", trace.file, trace.name);
  std::set<std::string> followed;
  for (const Node* name : followed_files(source.root)) {
    if (const std::string file = named_file(*name).string(); followed.insert(file).second) add("followed", file, name);
  }
  if (!scenario.weather.file.empty())
    add("weather", scenario.weather.file, find_path(source.root, {"weather", "file"}));
  if (scenario.begin_at) add("checkpoint", scenario.begin_at->file, find_path(source.root, {"initial", "from"}));
  return inputs;
}

/// A title is stored with the results: variables in it stay what they are called.
void read_title(const Node& root, Scenario& scenario) {
  const Node* title = find(root, "title");
  if (title != nullptr && !title->written.empty()) scenario.title = title->written;
}

Scenario scenario_of(Source source, const std::filesystem::path& file, Problems& problems) {
  Node& root = source.root;
  std::vector<ReadFile> bases;  // before the library adds its files
  if (source.reports_what_extends && source.files.size() > source.scenarios)
    bases.assign(source.files.begin() + static_cast<std::ptrdiff_t>(source.scenarios), source.files.end());
  if (!is_worth_reading(root)) throw_in_order(problems, file, root, bases);
  const std::size_t first_device = source.files.size();
  inline_hardware(root, file.parent_path(), problems, &source.files);
  spell_out_record(root);
  std::optional<TakenBegin> begin = take_begin(root, problems);
  ScenarioDraft draft;
  Scenario& scenario = draft.scenario;
  scenario.name = file.stem().string();
  scenario.title = scenario.name;
  scenario.file = file.string();
  read_section(root, "", scenario_section(draft), problems);
  std::erase_if(scenario.cooling.loops, [](const LoopsSpec& loops) { return !loops.is_given; });
  std::erase_if(scenario.cooling.water, [](const FacilitySpec& water) { return !water.is_given; });
  std::erase_if(scenario.cooling.doors, [](const DoorsSpec& doors) { return !doors.is_given; });
  std::erase_if(scenario.cooling.chilled_water, [](const ChilledWaterSpec& water) { return !water.is_given; });
  if (is_duration_known(scenario)) {
    read_followed(scenario, problems);
    place_events(scenario, problems);
  }
  if (problems.empty()) {
    check_size(root, scenario, problems);
  } else {
    check_names(root, scenario, problems);
  }
  if (problems.empty()) {
    check_consistency(root, draft, problems);
    if (draft.gpu_fields)
      read_gpu_fields(*draft.gpu_fields, scenario, problems);
    else if (scenario.workload.get<workload::BurnInParams>() != nullptr)
      scenario.record.gpu_fields.emplace_back(burn_in_field);
  }
  throw_in_order(problems, file, root, bases);
  scenario.weather.year = year_of_file(scenario.weather);
  move_to_site(scenario, site_density_ratio(scenario.weather));
  scenario.initial = draft.initial == "cold"     ? InitialState::cold
                     : draft.initial == "steady" ? InitialState::steady
                                                 : InitialState::settled;
  scenario.seed = static_cast<std::uint64_t>(draft.seed);
  if (begin) {
    scenario.warm_up_s = begin->warm_up_s;
    scenario.begin_at = begin->begin;
    if (begin->begin) make_absolute(*find(begin->written, "from"), begin->begin->file);
    *find(root, "initial") = std::move(begin->written);
  }
  for (LoopsSpec& loops : scenario.cooling.loops) {
    FilePath keys = loops.path;
    keys.insert(keys.end(), {"hardware", "pumps"});
    if (const Node* pumps = find_path(root, keys)) loops.pumps_mention = {pumps->place, pumps->excerpt};
    loops.pumps_per_cdu = loops.cdu.pump_count;
  }
  thin_records(root, scenario);
  read_title(root, scenario);
  scenario.input_files = input_files(source, first_device, scenario);
  scenario.variables = variables_of(root);
  scenario.resolved_text = resolved_text(std::move(root), scenario);
  return std::move(scenario);
}

}  // namespace

Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Problems problems;
  Source source;
  source.root = read_document(file, problems, {.overrides = overrides, .files = &source.files});
  source.scenarios = 1;
  return scenario_of(std::move(source), file, problems);
}

Scenario read_scenario_text(std::string_view text, const std::filesystem::path& name,
                            const std::vector<std::string>& overrides) {
  Problems problems;
  Source source;
  source.root = read_document_text(text, name.string(), problems, {.overrides = overrides, .files = &source.files});
  return scenario_of(std::move(source), name, problems);
}

struct ScenarioBase::Source : twin::Source {};

ScenarioBase::ScenarioBase(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                           std::span<const DocumentChange> changes)
    : file_(file), source_(std::make_unique<Source>()) {
  Problems problems;
  source_->root = read_document(file, problems, {.overrides = {}, .files = &source_->files});
  source_->scenarios = 1;
  for (const DocumentChange& change : changes) apply_change(source_->root, change, problems);
  for (const std::string& path_and_value : overrides) apply_override(source_->root, path_and_value, problems);
  if (!problems.empty()) scenario_of(*source_, file, problems);
}

ScenarioBase::ScenarioBase(ScenarioBase&&) noexcept = default;
ScenarioBase::~ScenarioBase() = default;

Scenario ScenarioBase::with(std::span<const DocumentChange> changes) const {
  Problems problems;
  twin::Source source = *source_;
  for (const DocumentChange& change : changes) apply_change(source.root, change, problems);
  return scenario_of(std::move(source), file_, problems);
}

std::optional<Scenario> ScenarioBase::with_later_events(const Scenario& same, std::span<const DocumentChange> changes,
                                                        double from_s) const {
  Node list;
  list.kind = Node::Kind::sequence;
  for (const DocumentChange& change : changes) {
    if (!change.appends) continue;
    if (change.path != "events") return std::nullopt;
    list.items.push_back(change.value);
  }
  Problems problems;
  std::vector<EventSpec> later;
  events_key(later).read(list, problems);
  if (!problems.empty()) return std::nullopt;
  for (const EventSpec& event : later) {
    if (event.at_s < from_s || event.at_s > same.duration_s) return std::nullopt;
  }
  Scenario scenario = same;
  std::ranges::move(later, std::back_inserter(scenario.events));
  std::ranges::stable_sort(scenario.events, {}, &EventSpec::at_s);
  return scenario;
}

}  // namespace wattloop::twin
