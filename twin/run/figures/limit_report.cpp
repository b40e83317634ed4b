#include "twin/run/figures/limit_report.hpp"
#include "core/tables/local_time.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/count_text.hpp"
#include "twin/plant/state/limit_words.hpp"
#include "twin/plant/state/limited_quantities.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

void add_parts(const FinishedRun& run, std::vector<LimitRecord>& records) {
  const PartBeyond* of = run.simulation.state().limits.parts.data();
  for (const LimitedQuantity& quantity : limited_quantities(run.plant)) {
    for (std::size_t part = 0; part < quantity.count(); ++part, ++of) {
      if (!of->was_ever()) continue;
      records.push_back({std::string(quantity.parts->names()[part]), std::string(quantity.name),
                         std::string(quantity.unit), std::string(quantity.why), std::string(name_of(quantity.beyond)),
                         quantity.limit[part], of->worst, of->worst_s, of->first_s, of->beyond_s});
    }
  }
}

/// What there was of a rating when the loading was worst: ", 1 of 3 modules out".
std::string modules_out(const electrical::PowerTree& tree, std::size_t branch, const PartOverload& part) {
  const int all = tree.branch_modules[branch];
  const auto out = std::lround((1.0 - part.worst_in_service_share) * all);
  if (all == 1 || out == 0) return {};
  const bool are_within =
      tree.module_name[tree.branch_first_module[branch]].starts_with(tree.branch_name[branch] + ".");
  const std::string kind(tree.branch_kind[branch]);
  return fmt::format(", {} of {} {} out", out, all, are_within ? "modules" : plural_of(kind));
}

struct Loading {
  const std::string& name;
  const electrical::OverloadLimit& limit;
  const PartOverload& part;
};

/// A rating, and what is carried without limit beyond it: up to there a loading is only reported.
void add_loading(const Loading& loading, const std::string& out, const std::string& trips,
                 std::vector<LimitRecord>& records) {
  const auto& [name, limit, part] = loading;
  if (!part.was_ever()) return;
  const double carried = limit.endurance.limit;
  const char* beyond = limit.trips && trips == "on" ? "trip" : "log";
  const char* of_air = part.worst_air.capacity_fraction < 1.0 ? "what air leaves of " : "";
  records.push_back({name, "loading", "1", fmt::format("over {}its rating{}", of_air, out),
                     carried > 1.0 ? "log" : beyond, std::min(1.0, carried), part.worst_ratio, part.worst_s,
                     part.first_s, part.over_s});
  if (carried <= 1.0 || part.beyond_first_s == PartOverload::never_s) return;
  records.push_back({name, "loading", "1", fmt::format("over what it carries without limit{}", out), beyond, carried,
                     part.worst_ratio, part.worst_s, part.beyond_first_s, part.beyond_s});
}

/// What hot air has switched off; it stays off, so that there is no time beyond.
void add_hot_air(const std::string& name, const electrical::OverloadLimit& limit, const PartOverload& part,
                 std::vector<LimitRecord>& records) {
  if (part.hot_off_s == PartOverload::never_s) return;
  records.push_back({name, "air_temperature", "K", "hotter than it works in", "trip", limit.in_air.off_above_k,
                     part.hot_off_k, part.hot_off_s, part.hot_off_s, 0.0});
}

void add_power(const FinishedRun& run, std::vector<LimitRecord>& records) {
  const electrical::PowerTree& tree = run.plant.power_tree;
  const OverloadState& overload = run.simulation.state().overload;
  for (std::size_t b = 0; b < overload.branches.size(); ++b)
    add_loading({tree.branch_name[b], tree.branch_limit[b], overload.branches[b]},
                modules_out(tree, b, overload.branches[b]), run.scenario.trips, records);
  for (std::size_t b = 0; b < overload.branches.size(); ++b)
    add_hot_air(tree.branch_name[b], tree.branch_limit[b], overload.branches[b], records);
  for (std::size_t s = 0; s < overload.sources.size(); ++s)
    add_loading({tree.source_name[s], tree.source_limit[s], overload.sources[s]}, "", run.scenario.trips, records);
}

void add_dies(const FinishedRun& run, std::vector<LimitRecord>& records) {
  for (std::size_t group = 0; group < run.statistics.dies.size(); ++group) {
    const workload::ProtectionParams& protection = run.scenario.racks[group].hardware.protection;
    const Statistics::Dies& dies = run.statistics.dies[group];
    if (!protection.is_enabled || dies.hot_first_s == for_ever_s) continue;  // slowed by inlet air at most
    records.push_back({gpu_name(run.plant, dies.k.highest_item), "die_temperature", "K", "firmware slows it down",
                       "derate", protection.throttle_k, dies.k.highest, dies.k.highest_at_s, dies.hot_first_s,
                       dies.hot_s});
  }
}

/// What names have in common that differ in numbers and in the letter of a side alone.
std::string without_place(const std::string& name) {
  std::string kind;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const bool is_last = k + 1 == name.size() || name[k + 1] == '_';
    const bool is_side = (name[k] == 'a' || name[k] == 'b') && k > 0 && name[k - 1] == '_' && is_last;
    if (std::isdigit(static_cast<unsigned char>(name[k])) == 0 && !is_side) kind += name[k];
  }
  return kind;
}

/// How far beyond, to compare parts that are alike.
double distance(const LimitRecord& record) { return std::abs(record.worst - record.limit); }

/// Of parts that are alike.
struct LimitGroup {
  std::tuple<std::string, std::string, std::string> key;
  const LimitRecord* worst;
  double first_s, longest_s;
  std::size_t count;

  std::string name() const {
    const std::string more = count > 1 ? fmt::format(" and {} more", count - 1) : "";
    return fmt::format("{}{}, {}", worst->part, more, words_of_name(worst->quantity));
  }
};

std::vector<LimitGroup> groups_of(const std::vector<LimitRecord>& records) {
  std::vector<LimitGroup> groups;
  for (const LimitRecord& record : records) {
    const std::tuple key{without_place(record.part), record.quantity, record.limited_by};
    const auto known = std::ranges::find(groups, key, &LimitGroup::key);
    if (known == groups.end()) {
      groups.push_back({key, &record, record.first_time_s, record.duration_s, 1});
      continue;
    }
    if (distance(record) > distance(*known->worst)) known->worst = &record;
    known->first_s = std::min(known->first_s, record.first_time_s);
    known->longest_s = std::max(known->longest_s, record.duration_s);
    ++known->count;
  }
  return groups;
}

}  // namespace

std::vector<LimitRecord> limit_records(const FinishedRun& run) {
  std::vector<LimitRecord> records;
  add_parts(run, records);
  add_power(run, records);
  add_dies(run, records);
  return records;
}

std::string limits_text(const std::vector<LimitRecord>& records, UnitStyle style, std::string_view start) {
  if (records.empty()) return {};
  constexpr std::size_t width = 26;
  std::size_t instant_width = 12;
  for (const LimitGroup& group : groups_of(records))
    instant_width = std::max(instant_width, instant_text(start, group.first_s).size());
  std::string text = fmt::format("\n{:<{}}{:>10} {:>10} {:>{}} {:>12}\n", "Limits exceeded", width + 2, "worst",
                                 "limit", "first at", instant_width, "for");
  for (const LimitGroup& group : groups_of(records)) {
    const LimitRecord& worst = *group.worst;
    const std::string name = group.name();
    const std::string gap = name.size() < width ? std::string(width - name.size(), ' ')
                                                : "\n" + std::string(width + 2, ' ');  // numbers below a long name
    text += fmt::format("  {}{}{:>10} {:>10} {:>{}} {:>12}\n      {}\n", name, gap,
                        limit_words(worst.worst, worst.unit, style), limit_words(worst.limit, worst.unit, style),
                        instant_text(start, group.first_s), instant_width, format_quantity(group.longest_s, "s", style),
                        worst.limited_by);
  }
  return text;
}

std::string names_of_limits(const std::vector<LimitRecord>& records) {
  std::vector<std::string> names;
  for (const LimitGroup& group : groups_of(records)) {
    const LimitRecord& worst = *group.worst;
    const ValueAndLimit shown = value_and_limit(worst.worst, worst.limit, worst.unit);
    names.push_back(fmt::format("{}: {} (limit {})", group.name(), shown.value, shown.limit));
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

}  // namespace wattloop::twin
