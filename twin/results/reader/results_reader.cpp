#include "twin/results/reader/results_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>

#include "core/text/problem.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/schema/results_groups.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view means_over_time = "time: mean";

std::string path_of(std::string_view group, std::string_view name) { return fmt::format("{}/{}", group, name); }

NamedValue read_value(const Hdf5Reader& file, std::string_view group, const Hdf5Info& info) {
  const std::string path = path_of(group, info.name);
  NamedValue named{.name = info.name,
                   .value = {},
                   .unit = info.attribute("units"),
                   .long_name = info.attribute("long_name"),
                   .reason = info.attribute("reason")};
  if (info.attribute(kelvin_attribute) == kelvin_difference) named.unit = "delta_K";
  switch (info.type) {
    case Hdf5Type::text:
      named.value = file.read<std::string>(path).at(0);
      break;
    case Hdf5Type::int32:
    case Hdf5Type::int64:
      named.value = file.read<std::int64_t>(path).at(0);
      break;
    default:
      named.value = file.read<double>(path).at(0);
  }
  return named;
}

std::vector<NamedValue> read_values(const Hdf5Reader& file, std::string_view group) {
  std::vector<NamedValue> values;
  if (!file.has(group)) return values;
  for (const Hdf5Info& info : file.variables(group)) values.push_back(read_value(file, group, info));
  return values;
}

}  // namespace

bool is_results_file(const std::filesystem::path& file) {
  constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> begin{};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    return false;  // a pipe would be read empty, or wait without limit
  std::ifstream in(file, std::ios::binary);
  return in.read(begin.data(), begin.size()) && begin == signature;
}

namespace {

bool is_label(const Hdf5Info& info) {
  return info.type == Hdf5Type::text || (!info.dimensions.empty() && info.dimensions.front() != "time");
}

ItemLabels read_labels(const Hdf5Reader& file, const std::string& path, const Hdf5Info& info) {
  ItemLabels labels{.name = info.name, .long_name = info.attribute("long_name")};
  if (info.type == Hdf5Type::text) {
    labels.texts = file.read<std::string>(path);
    return labels;
  }
  labels.numbers = file.read<double>(path);
  if (info.type == Hdf5Type::float64) labels.unit = info.attribute("units");
  return labels;
}

TableSpec read_table(const Hdf5Reader& file, std::string_view group) {
  TableSpec table{.group = std::string(group)};
  for (const Hdf5Info& info : file.variables(group)) {
    if (info.name == "time" || info.name == bounds_name) continue;
    if (!info.is_coordinate && is_label(info)) continue;
    if (!info.is_coordinate) {
      table.columns.push_back({info.name, info.attribute("units"), info.attribute("long_name"),
                               info.attribute("cell_methods") == means_over_time});
      continue;
    }
    table.item_dimension = info.name;
    table.item_long_name = info.attribute("long_name");
    if (info.type == Hdf5Type::text) {
      table.items = file.read<std::string>(path_of(group, info.name));
    } else {
      table.numbered_items = info.shape.at(0);
    }
  }
  return table;
}

std::vector<LayoutBox> read_layout(const Hdf5Reader& file) {
  if (!file.has("layout/component")) return {};
  const auto name = file.read<std::string>(file.has("layout/name") ? "layout/name" : "layout/component");
  const auto kind = file.read<std::string>("layout/kind");
  const auto parent = file.read<std::string>("layout/parent");
  std::vector<LayoutBox> boxes;
  for (std::size_t box = 0; box < name.size(); ++box) {
    boxes.push_back({.name = name[box], .kind = kind.at(box), .parent = parent.at(box)});
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto centre_m = file.read<double>(fmt::format("layout/centre_{}", "xyz"[axis]));
    const auto size_m = file.read<double>(fmt::format("layout/size_{}", "xyz"[axis]));
    for (std::size_t box = 0; box < boxes.size(); ++box) {
      boxes[box].centre_m[axis] = centre_m.at(box);
      boxes[box].size_m[axis] = size_m.at(box);
    }
  }
  return boxes;
}

Topology read_topology(const Hdf5Reader& file) {
  Topology topology;
  if (!file.has("topology/part")) return topology;
  const auto texts = [&](const char* name) { return file.read<std::string>(path_of("topology", name)); };
  const auto name = texts("part"), kind = texts("kind"), from = texts("from"), to = texts("to"),
             medium = texts("medium");
  const auto rating_w = file.read<double>("topology/rating");
  for (std::size_t part = 0; part < name.size(); ++part)
    topology.parts.push_back({.name = name[part], .kind = kind.at(part), .rating_w = rating_w.at(part)});
  if (file.has("topology/nominal_voltage")) {  // older files do not have it
    const auto nominal_v = file.read<double>("topology/nominal_voltage");
    const auto both_ways = file.read<std::int32_t>("topology/goes_both_ways");
    for (std::size_t part = 0; part < name.size(); ++part) {
      topology.parts[part].nominal_v = nominal_v.at(part);
      topology.parts[part].goes_both_ways = both_ways.at(part) != 0;
    }
  }
  if (file.has("topology/fault_level")) {
    const auto fault_level_a = file.read<double>("topology/fault_level");
    for (std::size_t part = 0; part < name.size(); ++part) topology.parts[part].fault_level_a = fault_level_a.at(part);
  }
  for (std::size_t one = 0; one < from.size(); ++one)
    topology.connections.push_back({from[one], to.at(one), medium.at(one)});
  return topology;
}

}  // namespace

struct ResultsReader::State {
  explicit State(const std::filesystem::path& results) : path(results), file(results) {}

  std::filesystem::path path;
  Hdf5Reader file;

  // What a page asks for many times, and no run changes: read once, because the library opens every dataset of a group for it.
  std::mutex reading{};
  std::map<std::string, TableSpec, std::less<>> tables{};
  std::optional<std::vector<NamedValue>> summary{};
  std::optional<std::vector<LayoutBox>> layout{};
  std::optional<Topology> topology{};

  template <class Value, class Read>
  Value once(std::optional<Value>& kept, const Read& read) {
    const std::lock_guard lock(reading);
    if (!kept) kept = read(file);
    return *kept;
  }

  /// A block of a series that is known to lie inside it.
  std::vector<float> values(std::string_view group, std::string_view column, std::size_t axis,
                            std::size_t index) const {
    const std::string dataset = path_of(group, column);
    const std::vector<std::size_t> shape = file.shape(dataset);
    Hdf5Block block{std::vector<std::size_t>(shape.size(), 0), shape};
    if (axis < shape.size()) {
      if (index >= shape[axis]) {
        throw FileError(fmt::format("cannot read {}: {} has no {} {}, only {}", path.string(), dataset,
                                    axis == 0 ? "row" : "item", index, shape[axis]));
      }
      block.start[axis] = index;
      block.count[axis] = 1;
    }
    return file.read<float>(dataset, block);
  }
};

ResultsReader::ResultsReader(std::filesystem::path file) : state_(std::make_unique<State>(file)) {
  const int version = state_->file.number_attribute(format_attribute);
  if (version < 0) throw FileError(fmt::format("cannot read {}: not a results file of Wattloop", file.string()));
  if (version > results_format_version) {
    throw FileError(fmt::format("cannot read {}: its format is version {}, this Wattloop reads up to {}", file.string(),
                                version, results_format_version));
  }
}

ResultsReader::ResultsReader(ResultsReader&&) noexcept = default;
ResultsReader& ResultsReader::operator=(ResultsReader&&) noexcept = default;
ResultsReader::~ResultsReader() = default;

std::string ResultsReader::start_iso() const { return state_->file.text_attribute(start_attribute); }

std::vector<std::string> ResultsReader::tables() const {
  std::vector<std::string> tables = state_->file.groups();
  std::erase_if(tables, [&](const std::string& group) { return !has_table(group); });
  return tables;
}

bool ResultsReader::has_table(std::string_view group) const {
  return group != "events" && state_->file.has(path_of(group, "time"));
}

bool ResultsReader::has_column(std::string_view group, std::string_view column) const {
  return state_->file.has(path_of(group, column));
}

TableSpec ResultsReader::table(std::string_view group) const {
  const std::lock_guard lock(state_->reading);
  const auto known = state_->tables.find(group);
  if (known != state_->tables.end()) return known->second;
  return state_->tables.emplace(group, read_table(state_->file, group)).first->second;
}

std::vector<ItemLabels> ResultsReader::labels(std::string_view group) const {
  std::vector<ItemLabels> labels;
  for (const Hdf5Info& info : state_->file.variables(group)) {
    if (info.name == "time" || info.name == bounds_name || info.is_coordinate || !is_label(info)) continue;
    labels.push_back(read_labels(state_->file, path_of(group, info.name), info));
  }
  return labels;
}

bool ResultsReader::is_mean(std::string_view group, std::string_view column) const {
  return has_column(group, column) && state_->file.attribute(path_of(group, column), "cell_methods") == means_over_time;
}

std::vector<double> ResultsReader::times_s(std::string_view group) const {
  return state_->file.read<double>(path_of(group, "time"));
}

std::vector<float> ResultsReader::frame(std::string_view group, std::string_view column, std::size_t row) const {
  return state_->values(group, column, 0, row);
}

std::vector<float> ResultsReader::series(std::string_view group, std::string_view column, std::size_t item) const {
  return state_->values(group, column, 1, item);
}

std::vector<float> ResultsReader::column(std::string_view group, std::string_view column) const {
  return state_->file.read<float>(path_of(group, column));
}

std::vector<EventRecord> ResultsReader::events() const {
  const Hdf5Reader& file = state_->file;
  if (!file.has("events/time")) return {};
  const auto time_s = file.read<double>("events/time");
  const auto kind = file.read<std::string>("events/kind");
  const auto target = file.read<std::string>("events/target");
  const auto detail = file.read<std::string>("events/detail");
  std::vector<EventRecord> events;
  for (std::size_t event = 0; event < time_s.size(); ++event) {
    events.push_back({time_s[event], kind.at(event), target.at(event), detail.at(event)});
  }
  return events;
}

std::vector<LimitRecord> ResultsReader::limits() const {
  const Hdf5Reader& file = state_->file;
  if (!file.has("limits/part")) return {};
  const auto texts = [&](const char* name) { return file.read<std::string>(path_of("limits", name)); };
  const auto numbers = [&](const char* name) { return file.read<double>(path_of("limits", name)); };
  const auto part = texts("part"), quantity = texts("quantity"), unit = texts("unit"), limited_by = texts("limited_by"),
             beyond = texts("beyond");
  const auto limit = numbers("allowed"), worst = numbers("worst"), worst_time = numbers("worst_time"),
             first_time = numbers("first_time"), duration = numbers("duration");
  std::vector<LimitRecord> limits;
  for (std::size_t k = 0; k < part.size(); ++k) {
    limits.push_back({part[k], quantity.at(k), unit.at(k), limited_by.at(k), beyond.at(k), limit.at(k), worst.at(k),
                      worst_time.at(k), first_time.at(k), duration.at(k)});
  }
  return limits;
}

std::vector<JobOutcome> ResultsReader::jobs() const {
  const Hdf5Reader& file = state_->file;
  if (!file.has("jobs/name")) return {};
  std::vector<JobOutcome> jobs(file.read<std::string>(path_of("jobs", "name")).size());
  const auto fill = [&]<class Value>(const char* name, Value JobOutcome::*member) {
    const auto values = file.read<Value>(path_of("jobs", name));
    for (std::size_t k = 0; k < jobs.size(); ++k) jobs[k].*member = values.at(k);
  };
  fill("name", &JobOutcome::name);
  fill("state", &JobOutcome::state);
  fill("nodes", &JobOutcome::nodes);
  fill("starts", &JobOutcome::starts);
  fill("stops", &JobOutcome::stops);
  fill("submitted", &JobOutcome::submitted_s);
  fill("started", &JobOutcome::started_s);
  fill("ended", &JobOutcome::ended_s);
  fill("steps", &JobOutcome::steps);
  fill("done", &JobOutcome::done_s);
  fill("slowed", &JobOutcome::slowed_s);
  fill("stopped", &JobOutcome::stopped_s);
  fill("redone", &JobOutcome::redone_s);
  fill("node_time", &JobOutcome::node_time_s);
  if (file.has("jobs/shrunk")) fill("shrunk", &JobOutcome::shrunk_s);
  if (file.has("jobs/storage_wait")) fill("storage_wait", &JobOutcome::storage_wait_s);
  if (file.has("jobs/waited_for")) fill("waited_for", &JobOutcome::waited_for);
  if (!file.has("jobs/energy")) {  // of an earlier version
    for (JobOutcome& job : jobs) job.energy_j = std::numeric_limits<double>::quiet_NaN();
    return jobs;
  }
  fill("energy", &JobOutcome::energy_j);
  fill("saving", &JobOutcome::saving_s);
  fill("why", &JobOutcome::why);
  return jobs;
}

std::vector<JobPlace> ResultsReader::placements() const {
  const Hdf5Reader& file = state_->file;
  if (!file.has("placements/job")) return {};
  const auto job = file.read<std::int64_t>("placements/job"), rack = file.read<std::int64_t>("placements/rack"),
             nodes = file.read<std::int64_t>("placements/nodes");
  const auto begin_s = file.read<double>("placements/begin"), end_s = file.read<double>("placements/end");
  std::vector<JobPlace> places;
  for (std::size_t k = 0; k < job.size(); ++k)
    places.push_back({job[k], rack.at(k), nodes.at(k), begin_s.at(k), end_s.at(k)});
  return places;
}

std::vector<MonthRecord> ResultsReader::months() const {
  const Hdf5Reader& file = state_->file;
  if (!file.has("months/month")) return {};
  std::vector<MonthRecord> months;
  for (const std::string& name : file.read<std::string>("months/month")) months.push_back({.month = name});
  for (const Hdf5Info& info : file.variables("months")) {
    if (info.type == Hdf5Type::text) continue;
    const auto values = file.read<double>(path_of("months", info.name));
    for (std::size_t k = 0; k < months.size(); ++k) {
      MonthRecord& month = months[k];
      if (info.name == "begin") {
        month.begin_s = values.at(k);
      } else if (info.name == "end") {
        month.end_s = values.at(k);
      } else {
        month.figures.push_back({info.name, values.at(k), info.attribute("units"), info.attribute("long_name")});
      }
    }
  }
  return months;
}

GpuThrottles ResultsReader::throttles() const {
  const Hdf5Reader& file = state_->file;
  if (!file.has("throttles/gpu_name")) return {};
  GpuThrottles found{.names = file.read<std::string>("throttles/gpu_name"),
                     .first_s = file.read<double>("throttles/first_throttle_time"),
                     .resistance_ratio = file.read<double>("throttles/resistance"),
                     .flow_ratio = file.read<double>("throttles/flow"),
                     .leakage_ratio = file.read<double>("throttles/leakage")};
  for (const auto* column : {&found.first_s, &found.resistance_ratio, &found.flow_ratio, &found.leakage_ratio}) {
    if (column->size() != found.names.size()) throw FileError("the group 'throttles' has columns of different lengths");
  }
  return found;
}

std::vector<LayoutBox> ResultsReader::layout() const { return state_->once(state_->layout, read_layout); }

std::size_t ResultsReader::layout_count(std::string_view kind) const {
  if (!state_->file.has("layout/kind")) return 0;
  return static_cast<std::size_t>(std::ranges::count(state_->file.read<std::string>("layout/kind"), kind));
}

Topology ResultsReader::topology() const { return state_->once(state_->topology, read_topology); }

std::vector<NamedValue> ResultsReader::summary() const {
  return state_->once(state_->summary, [](const Hdf5Reader& file) { return read_values(file, "summary"); });
}

std::vector<NamedValue> ResultsReader::provenance() const { return read_values(state_->file, "provenance"); }

std::optional<double> ResultsReader::summary_number(std::string_view name) const {
  const std::string path = path_of("summary", name);
  if (!state_->file.has(path) || state_->file.type(path) == Hdf5Type::text) return std::nullopt;
  return state_->file.read<double>(path).at(0);
}

std::optional<std::string> ResultsReader::provenance_text(std::string_view name) const {
  const std::string path = path_of("provenance", name);
  if (!state_->file.has(path) || state_->file.type(path) != Hdf5Type::text) return std::nullopt;
  return state_->file.read<std::string>(path).at(0);
}

}  // namespace wattloop::twin
