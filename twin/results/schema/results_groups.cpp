#include "twin/results/schema/results_groups.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/results/hdf5/results_seal.hpp"
#include "twin/results/schema/item_labels.hpp"
#include "twin/results/schema/layout_cells.hpp"

namespace wattloop::twin {

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t time_chunk = 4096;
constexpr std::size_t event_chunk = 64;  // of texts, which are not compressed

/// CF time: "seconds since 2026-01-01 00:00:00".
Attributes time_attributes(std::string start_iso, const char* long_name) {
  std::replace(start_iso.begin(), start_iso.end(), 'T', ' ');
  return {{"units", "seconds since " + start_iso},
          {"calendar", "proleptic_gregorian"},
          {"standard_name", "time"},
          {"long_name", long_name}};
}

}  // namespace

std::array<std::size_t, 2> chunk_shape(const TableSpec& table) {
  const std::size_t items = std::clamp<std::size_t>(table.item_count(), 1, 2560);
  const std::size_t rows = std::bit_floor(std::max<std::size_t>(160 * 1024 / (items * sizeof(float)), 1));
  return {std::clamp<std::size_t>(rows, 32, 1024), items};
}

void write_header(Hdf5Writer& file, const std::string& start_iso) {
  file.set_attribute("Conventions", "CF-1.10");
  file.set_attribute(format_attribute, results_format_version);
  file.set_attribute(start_attribute, start_iso);
  file.set_attribute(seal_attribute, seal_description);
}

TableVariables add_table_group(Hdf5Writer& file, const TableSpec& table, const std::string& start_iso) {
  const Hdf5Dimension time{"time", 0, true};
  const Hdf5Dimension item{table.item_dimension, table.item_count()};
  const auto [chunk_rows, chunk_items] = chunk_shape(table);
  Attributes time_texts = time_attributes(start_iso, "simulated time");
  Attributes bounds_texts = time_attributes(start_iso, "begin and end of the interval of a mean");
  std::erase_if(bounds_texts, [](const auto& attribute) { return attribute.first == "standard_name"; });
  time_texts.emplace_back("axis", "T");
  time_texts.emplace_back("bounds", bounds_name);
  TableVariables variables;
  variables.time = file.add(
      {.group = table.group, .name = "time", .dimensions = {time}, .attributes = time_texts, .chunk = {time_chunk}});
  variables.bounds = file.add({.group = table.group,
                               .name = bounds_name,
                               .dimensions = {time, {"bnds", 2}},
                               .attributes = std::move(bounds_texts),
                               .chunk = {time_chunk, 2}});
  if (!table.item_dimension.empty()) {
    const bool is_named = !table.items.empty();
    const std::size_t coordinate =
        file.add({.group = table.group,
                  .name = table.item_dimension,
                  .type = is_named ? Hdf5Type::text : Hdf5Type::int32,
                  .dimensions = {item},
                  .attributes = {{"long_name", table.item_long_name}},
                  .chunk = is_named ? std::vector<std::size_t>{} : chunk_of_columns({item})});
    std::vector<std::int32_t> numbers(is_named ? 0 : item.size);
    for (std::size_t number = 0; number < numbers.size(); ++number) numbers[number] = static_cast<int>(number) + 1;
    if (is_named) file.write(coordinate, 0, std::span<const std::string>(table.items));
    if (!is_named) file.write(coordinate, 0, std::span<const std::int32_t>(numbers));
  }
  std::string label_names;  // CF: what makes them coordinates
  for (const ItemLabels& labels : table.labels) {
    write_labels(file, table.group, item, labels);
    label_names += (label_names.empty() ? "" : " ") + labels.name;
  }
  for (const ColumnSpec& column : table.columns) {
    Hdf5Variable variable{.group = table.group,
                          .name = column.name,
                          .type = Hdf5Type::float32,
                          .dimensions = {time},
                          .attributes = {{"units", column.unit},
                                         {"long_name", column.long_name},
                                         {"cell_methods", column.is_mean ? "time: mean" : "time: point"},
                                         {"coordinates", label_names}},
                          .chunk = {chunk_rows}};
    if (!table.item_dimension.empty()) {
      variable.dimensions.push_back(item);
      variable.chunk.push_back(chunk_items);
    }
    variables.columns.push_back(file.add(variable));
  }
  return variables;
}

EventVariables add_events_group(Hdf5Writer& file, const std::string& start_iso) {
  const auto column = [&](const char* name, Hdf5Type type, Attributes attributes) {
    return file.add({.group = "events",
                     .name = name,
                     .type = type,
                     .dimensions = {{"event", 0, true}},
                     .attributes = std::move(attributes),
                     .chunk = {event_chunk}});
  };
  EventVariables variables;
  variables.event = column("event", Hdf5Type::int32, {{"long_name", "number of the event, from 1"}});
  variables.time = column("time", Hdf5Type::float64, time_attributes(start_iso, "simulated time of the event"));
  variables.kind = column("kind", Hdf5Type::text, {{"long_name", "what happened"}});
  variables.target = column("target", Hdf5Type::text, {{"long_name", "component to which it happened"}});
  variables.detail = column("detail", Hdf5Type::text, {{"long_name", "values and causes in words"}});
  return variables;
}

void write_event_rows(Hdf5Writer& file, const EventVariables& variables, std::size_t first_event,
                      std::span<const EventRecord> events) {
  std::vector<std::int32_t> number;
  std::vector<double> time_s;
  std::vector<std::string> kind, target, detail;
  for (const EventRecord& event : events) {
    number.push_back(static_cast<std::int32_t>(first_event + number.size() + 1));
    time_s.push_back(event.time_s);
    kind.push_back(event.kind);
    target.push_back(event.target);
    detail.push_back(event.detail);
  }
  file.write(variables.event, first_event, std::span<const std::int32_t>(number));
  file.write(variables.time, first_event, std::span<const double>(time_s));
  file.write(variables.kind, first_event, std::span<const std::string>(kind));
  file.write(variables.target, first_event, std::span<const std::string>(target));
  file.write(variables.detail, first_event, std::span<const std::string>(detail));
}

namespace {

/// A group of rows, one for each record, a variable for each member of it.
template <class Record>
class RowGroup {
 public:
  RowGroup(Hdf5Writer& file, const char* group, const char* dimension, std::size_t variables,
           std::span<const Record> records)
      : file_(file), group_(group), dimension_(dimension), records_(records) {
    file.add_group(group, variables + 1);  // with the empty scale
  }
  void text(const char* name, const char* long_name, std::string Record::*member) {
    add(name, Hdf5Type::text, {{"long_name", long_name}}, member);
  }
  void number(const char* name, Attributes attributes, double Record::*member) {
    add(name, Hdf5Type::float64, std::move(attributes), member);
  }
  void seconds(const char* name, const char* long_name, double Record::*member) {
    number(name, {{"units", "s"}, {"long_name", long_name}}, member);
  }
  void count(const char* name, const char* long_name, std::int64_t Record::*member) {
    add(name, Hdf5Type::int64, {{"units", "1"}, {"long_name", long_name}}, member);
  }

 private:
  template <class Value>
  void add(const char* name, Hdf5Type type, Attributes attributes, Value Record::*member) {
    std::vector<Value> values;
    for (const Record& record : records_) values.push_back(record.*member);
    const std::size_t variable = file_.add({.group = group_,
                                            .name = name,
                                            .type = type,
                                            .dimensions = {{dimension_, 0, true}},
                                            .attributes = std::move(attributes),
                                            .chunk = {event_chunk}});
    file_.write(variable, 0, std::span<const Value>(values));
  }

  Hdf5Writer& file_;
  const char *group_, *dimension_;
  std::span<const Record> records_;
};

}  // namespace

void write_limits_group(Hdf5Writer& file, std::span<const LimitRecord> limits, const std::string& start_iso) {
  constexpr std::size_t variables = 10;
  RowGroup<LimitRecord> rows(file, "limits", "limit", variables, limits);
  rows.text("part", "part that was beyond a limit", &LimitRecord::part);
  rows.text("quantity", "quantity of the part that was beyond the limit", &LimitRecord::quantity);
  rows.text("unit", "unit of allowed and worst", &LimitRecord::unit);
  rows.text("limited_by", "what the limit is, in words", &LimitRecord::limited_by);
  rows.text("beyond", "consequence of the limit: log, derate, trip or stop", &LimitRecord::beyond);
  rows.number("allowed", {{"units", "see unit"}, {"long_name", "the limit"}}, &LimitRecord::limit);
  rows.number("worst", {{"units", "see unit"}, {"long_name", "value that was farthest beyond the limit"}},
              &LimitRecord::worst);
  rows.number("worst_time", time_attributes(start_iso, "simulated time of the worst value"),
              &LimitRecord::worst_time_s);
  rows.number("first_time", time_attributes(start_iso, "simulated time at which the limit was first exceeded"),
              &LimitRecord::first_time_s);
  rows.seconds("duration", "total time beyond the limit", &LimitRecord::duration_s);
}

void write_jobs_group(Hdf5Writer& file, std::span<const JobOutcome> jobs, const std::string& start_iso) {
  if (jobs.empty()) return;
  constexpr std::size_t variables = 19;
  const bool has_waited = std::ranges::any_of(jobs, [](const JobOutcome& job) { return job.storage_wait_s != 0.0; });
  RowGroup<JobOutcome> rows(file, "jobs", "job", variables + (has_waited ? 1 : 0), jobs);
  rows.text("name", "name of the job", &JobOutcome::name);
  rows.text("state", "at the end: to_come, waiting, running, done or over_limit", &JobOutcome::state);
  rows.count("nodes", "nodes that it needs", &JobOutcome::nodes);
  rows.count("starts", "number of times that it got nodes", &JobOutcome::starts);
  rows.count("stops", "number of times that it stopped because a node was lost or the job was interrupted",
             &JobOutcome::stops);
  rows.number("submitted", time_attributes(start_iso, "simulated time of its submission"), &JobOutcome::submitted_s);
  rows.number("started", time_attributes(start_iso, "simulated time of its first start"), &JobOutcome::started_s);
  rows.number("ended", time_attributes(start_iso, "simulated time of its end"), &JobOutcome::ended_s);
  rows.number("steps", {{"units", "1"}, {"long_name", "whole steps"}}, &JobOutcome::steps);
  rows.seconds("done", "time that the work done takes at full clock without stops", &JobOutcome::done_s);
  rows.seconds("saving", "time for which GPUs waited for checkpoints", &JobOutcome::saving_s);
  rows.seconds("slowed", "delay by GPUs below full clock", &JobOutcome::slowed_s);
  rows.seconds("shrunk", "delay by missing nodes", &JobOutcome::shrunk_s);
  rows.seconds("stopped", "time for which the job noticed a lost node, was idle or restarted", &JobOutcome::stopped_s);
  rows.seconds("redone", "work that was lost since the last checkpoints", &JobOutcome::redone_s);
  if (has_waited) rows.seconds("storage_wait", "waiting for storage that other jobs used", &JobOutcome::storage_wait_s);
  rows.seconds("node_time", "number of nodes times the time for which the job had them", &JobOutcome::node_time_s);
  rows.number("energy",
              {{"units", "J"}, {"long_name", "energy of its nodes at their AC inlets while the job had them"}},
              &JobOutcome::energy_j);
  rows.text("waited_for", "reason for which it waited until its first start or until the end of the run",
            &JobOutcome::waited_for);
  rows.text("why", "reason for which it waits, stopped last or ended early; empty: no delay", &JobOutcome::why);
}

void write_placements_group(Hdf5Writer& file, std::span<const JobPlace> places, const std::string& start_iso) {
  if (places.empty()) return;
  constexpr std::size_t variables = 5;
  RowGroup<JobPlace> rows(file, "placements", "placement", variables, places);
  rows.count("job", "row of the job in the group jobs, from 0", &JobPlace::job);
  rows.count("rack", "place of the rack in the group racks, from 0", &JobPlace::rack);
  rows.count("nodes", "nodes of the rack that the job has", &JobPlace::nodes);
  rows.number("begin", time_attributes(start_iso, "simulated time from which the job has these nodes"),
              &JobPlace::begin_s);
  rows.number(
      "end",
      time_attributes(start_iso, "simulated time until which the job has these nodes; NaN: beyond the end of the run"),
      &JobPlace::end_s);
}

/// `begin`, `end` and a variable of each figure over the months.
void write_months_group(Hdf5Writer& file, std::span<const MonthRecord> months, const std::string& start_iso) {
  if (months.empty()) return;
  const std::vector<NamedValue>& figures = months.front().figures;
  const Hdf5Dimension along{"month", months.size()};
  file.add_group("months", figures.size() + 3);
  std::vector<std::string> names;
  for (const MonthRecord& month : months) names.push_back(month.month);
  const std::size_t coordinate = file.add({.group = "months",
                                           .name = "month",
                                           .type = Hdf5Type::text,
                                           .dimensions = {along},
                                           .attributes = {{"long_name", "calendar month, local standard time"}}});
  file.write(coordinate, 0, std::span<const std::string>(names));
  const auto add = [&](const std::string& name, Attributes attributes, const auto& value_of) {
    std::vector<double> values;
    for (const MonthRecord& month : months) values.push_back(value_of(month));
    const std::size_t variable =
        file.add({.group = "months", .name = name, .dimensions = {along}, .attributes = std::move(attributes)});
    file.write(variable, 0, std::span<const double>(values));
  };
  const auto begin_s = [](const MonthRecord& month) { return month.begin_s; };
  const auto end_s = [](const MonthRecord& month) { return month.end_s; };
  add("begin", time_attributes(start_iso, "begin of the part of the month that the run covers"), begin_s);
  add("end", time_attributes(start_iso, "end of it"), end_s);
  for (std::size_t k = 0; k < figures.size(); ++k) {
    const auto value = [k](const MonthRecord& month) { return std::get<double>(month.figures[k].value); };
    add(figures[k].name, {{"units", unit_in_files(figures[k].unit)}, {"long_name", figures[k].long_name}}, value);
  }
}

void write_throttles_group(Hdf5Writer& file, const GpuThrottles& throttles, const std::string& start_iso) {
  if (throttles.names.empty()) return;
  const Hdf5Dimension along{"gpu_name", throttles.names.size()};
  file.add_group("throttles", 5);
  const std::size_t coordinate = file.add({.group = "throttles",
                                           .name = "gpu_name",
                                           .type = Hdf5Type::text,
                                           .dimensions = {along},
                                           .attributes = {{"long_name", "name of the GPU, as events have it"}}});
  file.write(coordinate, 0, std::span<const std::string>(throttles.names));
  const auto add = [&](const char* name, Attributes attributes, const std::vector<double>& values) {
    const std::size_t variable =
        file.add({.group = "throttles", .name = name, .dimensions = {along}, .attributes = std::move(attributes)});
    file.write(variable, 0, std::span<const double>(values));
  };
  const auto ratio = [&](const char* name, const char* of, const std::vector<double>& values) {
    add(name, {{"units", "1"}, {"long_name", fmt::format("{}, over the mean of its kind", of)}}, values);
  };
  add("first_throttle_time",
      time_attributes(start_iso, "first time below full clock because of temperature; NaN: never"), throttles.first_s);
  ratio("resistance", "thermal resistance of the GPU between die and coolant", throttles.resistance_ratio);
  ratio("flow", "share of the coolant or air that the GPU gets", throttles.flow_ratio);
  ratio("leakage", "slope of the leakage of the GPU", throttles.leakage_ratio);
}

void write_layout_group(Hdf5Writer& file, std::span<const LayoutBox> boxes) {
  const Hdf5Dimension component{"component", boxes.size()};
  const auto texts = [&](const char* name, const char* long_name, std::string LayoutBox::*member) {
    std::vector<std::string> values;
    for (const LayoutBox& box : boxes) values.push_back(box.*member);
    write_texts(file, "layout", name, long_name, component, values);
  };
  const auto lengths = [&](const std::string& name, const char* long_name, auto member, std::size_t axis) {
    std::vector<double> values;
    for (const LayoutBox& box : boxes) values.push_back((box.*member)[axis]);
    const std::size_t variable = file.add({.group = "layout",
                                           .name = name,
                                           .dimensions = {component},
                                           .attributes = {{"units", "m"}, {"long_name", long_name}},
                                           .chunk = chunk_of_columns({component})});
    file.write(variable, 0, std::span<const double>(values));
  };
  texts("name", "name of the component", &LayoutBox::name);
  texts("kind", "kind of the component", &LayoutBox::kind);
  texts("parent", "component that contains it", &LayoutBox::parent);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string letter(1, "xyz"[axis]);
    lengths("centre_" + letter, "position of the centre", &LayoutBox::centre_m, axis);
    lengths("size_" + letter, "extent along the axis", &LayoutBox::size_m, axis);
  }
  write_layout_cells(file, boxes);
}

void write_origin(Hdf5Writer& file, std::span<const NamedValue> provenance) {
  const auto text = [&](std::string_view name) {
    const auto found = std::ranges::find(provenance, name, &NamedValue::name);
    const auto* known = found == provenance.end() ? nullptr : std::get_if<std::string>(&found->value);
    return known == nullptr ? std::string{} : *known;
  };
  const std::string title = text("title"), version = text("version"), command = text("command");
  file.set_attribute("title", title.empty() ? "Wattloop results" : title);
  if (!version.empty()) file.set_attribute("source", fmt::format("Wattloop {}, commit {}", version, text("commit")));
  if (!command.empty()) file.set_attribute("history", command);
}

void write_value_group(Hdf5Writer& file, const std::string& group, std::span<const NamedValue> values) {
  file.add_group(group, values.size());
  for (const NamedValue& named : values) {
    constexpr std::array types{Hdf5Type::float64, Hdf5Type::int64, Hdf5Type::text};
    const std::size_t variable =
        file.add({.group = group,
                  .name = named.name,
                  .type = types.at(named.value.index()),
                  .dimensions = {},
                  .attributes = {{"units", unit_in_files(named.unit)},
                                 {kelvin_attribute, named.unit == "delta_K" ? kelvin_difference : ""},
                                 {"long_name", named.long_name},
                                 {"reason", named.reason}}});
    std::visit([&]<class T>(const T& value) { file.write(variable, 0, std::span<const T>(&value, 1)); }, named.value);
  }
}

}  // namespace wattloop::twin
