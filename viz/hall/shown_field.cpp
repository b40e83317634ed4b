#include "viz/hall/shown_field.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/drawings/names/shown_unit.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/reader/records_at.hpp"
#include "twin/results/schema/layout_cells.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/job_colours.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {
namespace {

using FixedScale = ShownField::FixedScale;
constexpr double zero_celsius_k = 273.15;

// Of dies on fixed scales: from cool water to the last limit, which firmware has at 87 (slows down), 89 (half clock)
// and 95 degC (switches off).
constexpr double lowest_die_c = 30.0, highest_die_c = 95.0;
constexpr std::array die_limits_c{87.0, 89.0, 95.0};

// Of margins: at 0 the limit is reached, at the middle of the scale 10 K are left. Reports have the same ends.
constexpr double least_margin_k = -10.0, most_margin_k = 30.0;

/// Not recorded, but made of what was.
constexpr std::string_view margin_column = "margin";

/// A column whose items stand in the picture.
struct Drawable {
  std::string group;
  twin::ColumnSpec column;
  std::string name() const { return group + "." + column.name; }
};

std::vector<std::string> kinds_of(const twin::ResultsReader& results, const std::string& group) {
  if (group == "rows") return {"rack"};
  std::vector<std::string> kinds;
  for (const twin::Cells& cells : twin::cells_of(results.layout()))
    if (cells.group == group) kinds.push_back(cells.kind);
  return kinds;
}

std::vector<Drawable> drawable(const twin::ResultsReader& results) {
  std::vector<Drawable> all;
  for (const std::string& group : results.tables()) {
    const twin::TableSpec table = results.table(group);
    if (table.item_dimension.empty() || kinds_of(results, group).empty()) continue;
    for (const twin::ColumnSpec& column : table.columns) all.push_back({group, column});
  }
  return all;
}

/// "°C" as pictures write it.
std::string unit_of_picture(const std::string& unit) { return unit == "degC" ? "°C" : unit; }

ShownField described(const twin::ResultsReader& results, const std::string& group, const std::string& column) {
  const twin::TableSpec table = results.table(group);
  const twin::ColumnSpec spec = *std::ranges::find(table.columns, column, &twin::ColumnSpec::name);
  ShownField field{.group = group, .column = column, .kinds = kinds_of(results, group)};
  double largest = 0.0;
  for (const float value : results.column(group, column))
    if (std::isfinite(value)) largest = std::max(largest, std::abs(double(value)));
  const twin::ShownUnit unit = twin::shown_unit(twin::unit_of_column(column, spec.unit), largest);
  field.factor = unit.factor;
  field.offset = unit.offset;
  field.unit = unit_of_picture(unit.name);
  const std::string words = twin::display_name(column);
  field.title = fmt::format("{}: {}{}", twin::display_name(group), words, field.unit.empty() ? "" : ", " + field.unit);
  field.least_width = spec.unit == "K" ? 5.0 : 1e-3;
  return field;
}

bool has_margins(const twin::ResultsReader& results) { return twin::RackMargins(results).are_known(); }

ShownField margin_field() {
  return ShownField{.group = "racks",
                    .column = std::string(margin_column),
                    .kinds = {"rack"},
                    .title = "margin to the nearest limit, K",
                    .unit = "K",
                    .least_width = 5.0,
                    .fixed = FixedScale::margin_limit};
}

/// What the two words of old mean, in the units that they always had.
ShownField usual_field(const std::string& name, bool are_gpus) {
  if (name == "die_temperature")
    return ShownField{.group = are_gpus ? "gpus" : "racks",
                      .column = are_gpus ? "die_temperature" : "max_die_temperature",
                      .kinds = {are_gpus ? "gpu" : "rack"},
                      .title = are_gpus ? "die temperature, °C" : "hottest die of each rack, °C",
                      .unit = "°C",
                      .offset = -zero_celsius_k,
                      .least_width = 5.0,
                      .fixed = FixedScale::die_limits};
  if (are_gpus)
    return ShownField{.group = "gpus",
                      .column = "power",
                      .kinds = {"gpu"},
                      .title = "GPU power, W",
                      .unit = "W",
                      .least_width = 50.0,
                      .fixed = FixedScale::from_zero};
  return ShownField{.group = "racks",
                    .column = "it_power",
                    .kinds = {"rack"},
                    .title = "rack power, kW",
                    .unit = "kW",
                    .factor = 1e-3,
                    .least_width = 5.0,
                    .fixed = FixedScale::from_zero};
}

ShownField job_shown() {
  return ShownField{.group = "racks",
                    .column = std::string(job_field),
                    .kinds = {"rack"},
                    .title = "nodes by job",
                    .fixed = FixedScale::jobs};
}

[[noreturn]] void refuse(const twin::ResultsReader& results, const std::string& name, const std::string& what) {
  std::vector<std::string> names{"die_temperature", "power"};
  if (has_margins(results)) names.insert(names.begin(), std::string(margin_column));
  if (job_places(results).are_known()) names.insert(names.begin(), std::string(job_field));
  std::string of_racks = fmt::format("{}", fmt::join(names, ", "));
  for (const Drawable& one : drawable(results)) {
    names.insert(names.end(), {one.name(), one.column.name});
    if (one.group == "racks") of_racks += ", " + one.column.name;
  }
  std::string near = nearest_hint(name, names);
  const auto begins = std::ranges::find_if(names, [&](const std::string& one) { return one.starts_with(name); });
  if (near.empty() && begins != names.end()) near = fmt::format("did you mean '{}'?", *begins);
  refuse_option("--field", what,
                fmt::format("{}{}of racks: {}; --fields lists all", near, near.empty() ? "" : " ", of_racks));
}

/// Margins of all racks at the time shown.
std::vector<float> margins_at(const twin::ResultsReader& results, double time_s) {
  const std::vector<double> times_s = results.times_s("racks");
  if (times_s.empty()) return {};
  std::vector<float> values;
  for (const twin::RackMargin& one : twin::RackMargins(results).at(results, nearest_row(times_s, time_s)))
    values.push_back(one.margin_k);
  return values;
}

/// "margin, K, to inlet air 35 degC": which limit is the nearest stands in the legend.
std::string margin_title(const twin::ResultsReader& results, double time_s) {
  const std::vector<double> times_s = results.times_s("racks");
  const twin::RackMargins margins(results);
  const std::string nearest =
      twin::nearest_limits_words(margins, margins.at(results, nearest_row(times_s, time_s)), false);
  return with_degrees("margin, K, to " + (nearest.empty() ? "the nearest limit" : nearest));
}

/// What is drawn where nothing is near a limit, if margins of such a time are to be fitted.
std::optional<twin::QuietMargins> quiet_at(const Scene& scene, const twin::ResultsReader& results,
                                           const ShownField& field) {
  if (!field.is_margin() || !scene.fits_quiet) return {};
  const std::vector<double> times_s = results.times_s("racks");
  if (times_s.empty()) return {};
  return twin::quiet_margins(twin::RackMargins(results), results, nearest_row(times_s, scene.time_s));
}

/// "margin, K, to die 87 degC; fitted".
ColourScale quiet_scale(const twin::QuietMargins& quiet, double low, double high) {
  constexpr double least_width_k = 1.0;
  const auto [bottom, top] = round_ends(low, high, least_width_k);
  const std::string_view frame = quiet.shows_other ? "; frame: nearest limit" : "";
  return {with_degrees(fmt::format("margin, K, to {}; fitted{}", quiet.limits, frame)), bottom, top,
          &colour_maps::quiet};
}

/// Ends of all that was ever recorded of it.
std::pair<double, double> ends_of_run(const twin::ResultsReader& results, const ShownField& field) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : results.column(field.group, field.column)) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, field.shown(value));
    high = std::max(high, field.shown(value));
  }
  return {low, high};
}

ColourScale scale_of(const Scene& scene, const twin::ResultsReader& results, const ShownField& field, double low,
                     double high) {
  if (scene.has_fixed_scales && field.fixed == FixedScale::die_limits)
    return {field.group == "gpus" ? "die, °C; limits 87, 89, 95" : "hottest die, °C; limits 87, 89, 95",
            lowest_die_c,
            highest_die_c,
            &colour_maps::heat,
            {die_limits_c.begin(), die_limits_c.end()}};
  if (field.is_margin()) {
    const auto [least, most] =
        scene.has_fixed_scales ? std::pair(least_margin_k, most_margin_k) : round_ends(low, high, field.least_width);
    return {margin_title(results, scene.time_s), least, most, &colour_maps::margin, {0.0}};
  }
  if (scene.has_fixed_scales && field.fixed == FixedScale::from_zero)
    return {field.title, 0.0, round_ends(0.0, high, field.least_width).second, &colour_maps::heat};
  if (scene.has_fixed_scales) {
    std::tie(low, high) = ends_of_run(results, field);
    if (field.unit == "%" && low >= 0.0) low = 0.0, high = std::max(high, 100.0);
  }
  const auto [bottom, top] = round_ends(low, high, field.least_width);
  return {field.title, bottom, top, &colour_maps::heat};
}

int decimals_of(const ColourScale& scale) {
  return std::clamp(2 - int(std::floor(std::log10(std::max(scale.high - scale.low, 1e-9)))), 0, 4);
}

/// By place of boxes in the layout, or by names of items; of rows by what racks' names begin with.
class FieldValues {
 public:
  FieldValues(const twin::ResultsReader& results, const ShownField& field, double time_s,
              const std::optional<twin::QuietMargins>& quiet)
      : field_(field),
        values_(quiet               ? quiet->margin_k
                : field.is_margin() ? margins_at(results, time_s)
                                    : values_at(results, field.group, field.column, time_s)) {
    const std::vector<std::string> items = results.table(field.group).items;
    is_by_name_ = field.group != "racks" && field.group != "gpus" && !items.empty();
    for (std::size_t i = 0; is_by_name_ && i < std::min(items.size(), values_.size()); ++i) by_name_[items[i]] = i;
  }

  /// Boxes are asked for in the order of the layout.
  std::optional<double> of(const twin::LayoutBox& box) {
    if (std::ranges::find(field_.kinds, box.kind) == field_.kinds.end()) return std::nullopt;
    std::size_t item = next_++;
    if (is_by_name_) {
      const auto found = by_name_.find(field_.group == "rows" ? box.name.substr(0, box.name.find('.')) : box.name);
      if (found == by_name_.end()) return std::nullopt;
      item = found->second;
    }
    return item < values_.size() ? std::optional(field_.shown(values_[item])) : std::nullopt;
  }

 private:
  const ShownField& field_;
  std::vector<float> values_;
  bool is_by_name_ = false;
  std::map<std::string, std::size_t> by_name_{};
  std::size_t next_ = 0;
};

/// The box of a rack by its number in the layout.
std::optional<std::size_t> box_of_rack(const Scene& scene, std::size_t number) {
  for (std::size_t box = 0, rack = 0; box < scene.boxes.size(); ++box)
    if (scene.boxes[box].box.kind == "rack" && rack++ == number) return box;
  return std::nullopt;
}

/// "inlet air 35 °C": the nearest limit of the rack that is drawn as that box.
std::string limit_of_box(const Scene& scene, const twin::ResultsReader& results, std::size_t box) {
  const twin::RackMargins limits(results);
  const std::vector<twin::RackMargin> racks = limits.at(results, nearest_row(results.times_s("racks"), scene.time_s));
  for (std::size_t rack = 0; rack < racks.size(); ++rack)
    if (racks[rack].has_limit() && box_of_rack(scene, rack) == box)
      return with_degrees(fmt::format("{} {}", twin::text_of(racks[rack].nearest).words,
                                      format_quantity(limits.limit_k(rack, racks[rack].nearest), "K")));
  return {};
}

}  // namespace

std::string usual_field_name(const twin::ResultsReader& results, bool are_gpus_drawn) {
  return !are_gpus_drawn && has_margins(results) ? std::string(margin_column) : "die_temperature";
}

ShownField read_shown_field(const twin::ResultsReader& results, const std::string& name, bool are_gpus_drawn) {
  if (name == margin_column) {
    if (has_margins(results)) return margin_field();
    refuse(results, name, "the results hold no limits of racks");
  }
  if (name == job_field) {
    if (job_places(results).are_known()) return job_shown();
    refuse(results, name, "the results do not hold where jobs of a queue (`jobs:`) had their nodes");
  }
  if (name == "die_temperature" || name == "power") {
    const ShownField gpus = usual_field(name, true), racks = usual_field(name, false);
    if (are_gpus_drawn && results.has_column(gpus.group, gpus.column)) return gpus;
    if (results.has_column(racks.group, racks.column)) return racks;
    refuse(results, name, fmt::format("'{}/{}' was not recorded", racks.group, racks.column));
  }
  std::vector<Drawable> fitting;
  for (const Drawable& one : drawable(results)) {
    if (name == one.name()) return described(results, one.group, one.column.name);
    if (name == one.column.name) fitting.push_back(one);
  }
  if (fitting.empty())
    refuse(results, name, fmt::format("the run recorded no '{}' for any part of this drawing", printable(name)));
  const auto of_racks = std::ranges::find(fitting, std::string("racks"), &Drawable::group);
  if (of_racks == fitting.end() && fitting.size() > 1) {
    std::string names;
    for (const Drawable& one : fitting) names += (names.empty() ? "" : ", ") + one.name();
    refuse_option("--field", fmt::format("several have a '{}'", name), "one of " + names);
  }
  const Drawable& one = of_racks == fitting.end() ? fitting.front() : *of_racks;
  return described(results, one.group, one.column.name);
}

std::string fields_text(const twin::ResultsReader& results) {
  const std::vector<Drawable> all = drawable(results);
  std::size_t width = 0;
  for (const Drawable& one : all) width = std::max(width, one.name().size());
  std::string text;
  if (has_margins(results))
    text = fmt::format("{:<{}}  {:<6} {}\n", margin_column, width, "K", "of racks to the nearest limit that acts");
  if (job_places(results).are_known())
    text +=
        fmt::format("{:<{}}  {:<6} {}\n", job_field, width, "", "of racks: the jobs of a queue that have their nodes");
  for (const Drawable& one : all)
    text += fmt::format("{:<{}}  {:<6} {}\n", one.name(), width, one.column.unit == "K" ? "degC" : one.column.unit,
                        one.column.long_name);
  return text;
}

void colour_field(Scene& scene, const twin::ResultsReader& results, const ShownField& field) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  if (field.is_job()) return colour_jobs(scene, results);
  scene.is_least_worst = field.is_least_worst();
  scene.are_margins = field.is_margin();
  scene.extreme_word = field.extreme_word();
  const std::optional<twin::QuietMargins> quiet = quiet_at(scene, results, field);
  FieldValues values(results, field, scene.time_s, quiet);
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    const std::optional<double> value = values.of(scene.boxes[i].box);
    const bool is_shown = scene.rack.empty() || scene.boxes[i].box.name.starts_with(scene.rack + ".");
    if (!value || !is_shown) continue;
    scene.boxes[i].value = *value;
    scene.boxes[i].scale = ScaleOf::parts;
    if (!std::isfinite(*value)) continue;
    if (!scene.highest || scene.is_beyond(*value, scene.boxes[*scene.highest].value)) scene.highest = i;
    low = std::min(low, *value);
    high = std::max(high, *value);
  }
  scene.part_unit = field.unit;
  if (!scene.highest) return;
  scene.parts = quiet ? quiet_scale(*quiet, low, high) : scale_of(scene, results, field, low, high);
  if (quiet) {
    scene.quiet_words = with_degrees(quiet->words);
    scene.extreme_word = "least margin";
    scene.highest = box_of_rack(scene, quiet->least);  // the title names it, too, whatever the colours show
  }
  if (field.is_margin() && !quiet) scene.nearest_limit = limit_of_box(scene, results, *scene.highest);
  scene.is_scaled_by_run = scene.has_fixed_scales && field.fixed == FixedScale::whole_run;
  const bool has_tenths = field.fixed == FixedScale::die_limits || field.is_margin();
  scene.part_decimals = has_tenths ? 1 : decimals_of(scene.parts);
}

}  // namespace wattloop::viz
