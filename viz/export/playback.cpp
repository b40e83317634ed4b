#include "viz/export/playback.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/tables/time_of_run.hpp"
#include "core/text/problem.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/events/most_important.hpp"
#include "twin/report/events/shown_time.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/schema/layout_cells.hpp"
#include "viz/export/derived_fields.hpp"
#include "viz/hall/scene.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {
namespace {

/// What is drawn as points, since layouts do not have it, and its group.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kinds_of_points{
    {{"motor", "motors"}, {"breaker", "breakers"}}};

/// A group of series that blocks are coloured by.
struct Series {
  twin::TableSpec table;
  std::vector<double> times_s;
};

struct Sources {
  explicit Sources(const std::filesystem::path& path);

  twin::ResultsReader results;
  twin::Hdf5Reader file;
  std::map<std::string, std::vector<std::string>> names;  ///< of the boxes, by kind; of pipes, their loops
  std::map<std::string, Series> series;                   ///< by group, those that are there
};

Sources::Sources(const std::filesystem::path& path) : results(path), file(path) {
  for (const twin::LayoutBox& box : results.layout()) {
    const bool is_pipe =
        std::find(twin::pipe_kinds.begin(), twin::pipe_kinds.end(), box.kind) != twin::pipe_kinds.end();
    std::vector<std::string>& of_kind = names[box.kind];
    const std::string& name = is_pipe ? box.parent : box.name;
    if (!is_pipe || std::find(of_kind.begin(), of_kind.end(), name) == of_kind.end()) of_kind.push_back(name);
  }
  if (names.empty())
    throw FileError(
        fmt::format("{}: contains no layout to draw, because the run was recorded as summary only", path.string()));
  for (const auto& [kind, group] : kinds_of_points)
    if (results.has_table(group)) names[std::string(kind)] = results.table(group).items;
  for (const std::string& group : results.tables()) {
    Series of_group{results.table(group), results.times_s(group)};
    if (!of_group.table.item_dimension.empty() && !of_group.times_s.empty()) series[group] = of_group;
  }
}

/// Item of the group that is the first of `names`, where all of them follow it in the same order.
std::optional<std::size_t> first_item(const twin::TableSpec& table, const std::vector<std::string>& names) {
  if (table.items.empty())  // numbered in the order of the layout
    return table.numbered_items == names.size() ? std::optional<std::size_t>(0) : std::nullopt;
  const auto found = std::search(table.items.begin(), table.items.end(), names.begin(), names.end());
  if (found == table.items.end()) return std::nullopt;
  return std::size_t(found - table.items.begin());
}

/// A block under construction, and the group that its fields come from; empty where it has none.
struct Drawn {
  XdmfBlock block;
  std::string group;
  std::string kind{};
};

/// Gives the block all fields of its group; supply and return pipes their own temperature under one name, so
/// that both take part in one colouring.
void add_fields(Drawn& drawn, const Sources& sources, std::string_view kind, const std::string& group,
                std::vector<std::string>& left_out) {
  const auto found = sources.series.find(group);
  if (found == sources.series.end()) return;
  const twin::TableSpec& table = found->second.table;
  const std::vector<std::string>& names = sources.names.at(std::string(kind));
  const auto first = first_item(table, names);
  const bool is_recorded = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return table.items.empty() || std::find(table.items.begin(), table.items.end(), name) != table.items.end();
  });
  if (!is_recorded) return;
  if (!first) {
    left_out.push_back(fmt::format("{}: drawn without fields, because '{}' has other items or another order",
                                   drawn.block.name, group));
    return;
  }
  drawn.group = group;
  const std::string own_temperature = kind == "supply_pipe"   ? "supply_temperature"
                                      : kind == "return_pipe" ? "return_temperature"
                                                              : "";
  for (const twin::ColumnSpec& column : table.columns) {
    const std::string path = fmt::format("{}/{}", group, column.name);
    const std::vector<std::size_t> shape = sources.file.shape(path);
    constexpr double zero_celsius_k = 273.15;
    const bool is_temperature = column.unit == "K";
    const std::string unit = is_temperature ? "degC" : column.unit;
    XdmfField field{fmt::format("{} ({})", column.name, unit), path, shape.at(0), shape.at(1), *first,
                    is_temperature ? -zero_celsius_k : 0.0};
    if (is_temperature && names.size() == 1) field.written = sources.results.series(group, column.name, *first);
    drawn.block.fields.push_back(field);
    if (column.name != own_temperature) continue;
    field.name = fmt::format("temperature ({})", unit);
    drawn.block.fields.push_back(field);
  }
}

std::optional<Drawn> boxes_block(const Sources& sources, const twin::Cells& kind, std::vector<std::string>& left_out) {
  if (!sources.file.has(twin::hexahedra_path(kind.kind))) return std::nullopt;
  if (kind.kind == "gpu" && !sources.series.contains("gpus")) return std::nullopt;  // they would hide the racks
  Drawn drawn;
  drawn.block.name = fmt::format("{}{}", kind.kind, kind.kind.ends_with("s") ? "" : "s");
  drawn.block.points = twin::points_path(kind.kind);
  drawn.block.connections = twin::hexahedra_path(kind.kind);
  drawn.block.point_count = sources.file.shape(drawn.block.points).at(0);
  drawn.block.cell_count = sources.file.shape(drawn.block.connections).at(0);
  drawn.kind = kind.kind;
  add_fields(drawn, sources, kind.kind, kind.group, left_out);
  return drawn;
}

std::optional<Drawn> pipes_block(const Sources& sources, std::string_view kind, std::vector<std::string>& left_out) {
  const std::string path = twin::polylines_path(kind);
  if (!sources.file.has(path)) return std::nullopt;
  Drawn drawn;
  drawn.block.name = fmt::format("{}s", kind);
  drawn.block.cells = XdmfBlock::Cells::polylines;
  drawn.block.points = twin::points_path(kind);
  drawn.block.connections = path;
  drawn.block.point_count = sources.file.shape(drawn.block.points).at(0);
  drawn.block.entry_count = sources.file.shape(path).at(0);
  drawn.block.cell_count = sources.names.at(std::string(kind)).size();
  add_fields(drawn, sources, kind, "loops", left_out);
  return drawn;
}

std::optional<Drawn> points_block(const Sources& sources, std::string_view kind, const std::string& group,
                                  std::vector<std::string>& left_out) {
  if (!sources.series.contains(group)) return std::nullopt;
  Drawn drawn;
  drawn.block.name = group;
  drawn.block.cells = XdmfBlock::Cells::points;
  drawn.block.names = sources.names.at(std::string(kind));
  drawn.block.cell_count = drawn.block.point_count = drawn.block.names.size();
  drawn.block.inlined_points = points_of(drawn.block.names, sources.results.layout());
  add_fields(drawn, sources, kind, group, left_out);
  return drawn;
}

/// Margins of racks, and states of all other equipment.
void add_derived_fields(XdmfBlock& block, std::string_view kind, const Sources& sources,
                        std::span<const double> times_s, std::span<const twin::BoxesBeyond> beyond) {
  if (block.cells != XdmfBlock::Cells::hexahedra || kind == "gpu") return;
  const XdmfField derived = kind == "rack"
                                ? margin_field(sources.results, times_s)
                                : state_field(sources.results, sources.names.at(std::string(kind)), times_s, beyond);
  const bool is_whole = !derived.inlined.empty() && derived.inlined.front().size() == block.cell_count;
  const bool is_recorded = std::ranges::count(block.fields, derived.name, &XdmfField::name) > 0;
  if (is_whole && !is_recorded) block.fields.push_back(derived);
}

std::vector<double> records_between(const std::vector<double>& times_s, const PlaybackRequest& request) {
  std::vector<double> inside;
  for (const double time_s : times_s)
    if (time_s >= request.from_s.value_or(time_s) && time_s <= request.to_s.value_or(time_s)) inside.push_back(time_s);
  return inside;
}

using Times = std::map<std::string, const std::vector<double>*>;  ///< of groups

/// Racks and GPUs are what is looked at; every record is one of any group.
bool gives_times(const std::string& group, const Times& groups, bool has_every_record) {
  const bool is_looked_at = group == "racks" || group == "gpus";
  return is_looked_at || has_every_record || !(groups.contains("racks") || groups.contains("gpus"));
}

/// Times of the frames, from the group that has most records: evenly spread, at events, and the last.
std::vector<double> frames_of(const Times& groups, const PlaybackRequest& request,
                              const std::vector<double>& event_times_s, std::size_t& record_count) {
  std::vector<double> records_s;
  std::string finest;
  double end_s = 0.0;
  for (const auto& [group, times_s] : groups) {
    const std::vector<double> inside = records_between(*times_s, request);
    end_s = std::max(end_s, times_s->back());
    if (!gives_times(group, groups, request.has_every_record) || inside.size() <= records_s.size()) continue;
    records_s = inside;
    finest = group;
  }
  record_count = records_s.size();
  if (records_s.empty())
    refuse_option(request.from_s ? "--from" : "--to", "nothing was recorded in that time",
                  fmt::format("the run was recorded until {}", time_of_run(end_s)));
  if (request.has_every_record) return records_s;
  std::vector<std::vector<double>> others_s;
  for (const auto& [group, times_s] : groups)
    if (group != finest) others_s.push_back(*times_s);
  std::vector<double> times_s = frame_times_s(records_s, others_s, request.most_frames);
  for (const double event_s : event_times_s) {
    const auto record = std::ranges::lower_bound(records_s, event_s);
    if (record != records_s.end() && event_s >= records_s.front()) times_s.push_back(*record);
  }
  if (times_s.back() != records_s.back()) times_s.push_back(records_s.back());
  std::ranges::sort(times_s);
  times_s.erase(std::ranges::unique(times_s).begin(), times_s.end());
  return times_s;
}

}  // namespace

std::vector<double> reporting_times_s(const twin::ResultsReader& results) {
  constexpr std::size_t most_moments = 12;
  std::vector<double> times_s;
  for (const twin::EventSummaryLine& line : twin::most_important(twin::event_summary(results.events()), most_moments))
    if (line.weight == twin::Weight::cause || line.weight == twin::Weight::loss) times_s.push_back(line.first_s);
  return times_s;
}

std::vector<double> frame_times_s(const std::vector<double>& records_s, std::span<const std::vector<double>> others_s,
                                  std::size_t most) {
  const std::size_t count = records_s.size();
  const auto every = [&](std::size_t step) {
    std::vector<double> times_s;
    for (std::size_t record = 0; record < count; record += step) times_s.push_back(records_s[record]);
    return times_s;
  };
  const auto is_recorded = [&](double time_s) {
    return std::all_of(others_s.begin(), others_s.end(), [&](const std::vector<double>& other_s) {
      return std::binary_search(other_s.begin(), other_s.end(), time_s);
    });
  };
  const std::size_t least = std::max<std::size_t>((count + most - 1) / most, 1);
  for (std::size_t step = least; least > 1 && step <= least + least / 2; ++step) {
    const std::vector<double> times_s = every(step);
    if (std::all_of(times_s.begin(), times_s.end(), is_recorded)) return times_s;
  }
  return every(least);
}

Playback read_playback(const std::filesystem::path& results, const PlaybackRequest& request) {
  const Sources sources(results);
  Playback playback;
  std::vector<Drawn> drawn;
  for (const twin::Cells& kind : twin::cells_of(sources.results.layout()))
    if (auto block = boxes_block(sources, kind, playback.left_out)) drawn.push_back(std::move(*block));
  for (const std::string_view kind : twin::pipe_kinds)
    if (auto block = pipes_block(sources, kind, playback.left_out)) drawn.push_back(std::move(*block));
  if (drawn.empty()) throw FileError(fmt::format("{}: its layout holds no cells", results.string()));
  for (const auto& [kind, group] : kinds_of_points)
    if (auto block = points_block(sources, kind, std::string(group), playback.left_out))
      drawn.push_back(std::move(*block));

  Times groups;
  for (const Drawn& one : drawn)
    if (!one.group.empty()) groups[one.group] = &sources.series.at(one.group).times_s;
  if (groups.empty()) throw FileError(fmt::format("{}: contains no record of any drawn part", results.string()));
  std::vector<double> moments_s = reporting_times_s(sources.results);
  const double worst_s = twin::worst_time(sources.results).time_s;
  moments_s.push_back(worst_s);
  const std::vector<double> times_s = frames_of(groups, request, moments_s, playback.record_count);
  playback.worst_s = std::ranges::count(times_s, worst_s) > 0 ? worst_s : times_s.front();
  for (const double time_s : times_s) {
    XdmfFrame frame{time_s, {}};
    for (const Drawn& one : drawn)
      frame.rows.push_back(one.group.empty() ? 0 : nearest_row(sources.series.at(one.group).times_s, time_s));
    playback.document.frames.push_back(std::move(frame));
  }
  const std::vector<twin::BoxesBeyond> beyond = boxes_beyond_over(sources.results, times_s);
  for (Drawn& one : drawn) {
    add_derived_fields(one.block, one.kind, sources, times_s, beyond);
    playback.document.blocks.push_back(std::move(one.block));
  }
  return playback;
}

}  // namespace wattloop::viz
