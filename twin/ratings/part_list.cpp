#include "twin/ratings/part_list.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/parts/fault_setting.hpp"
#include "core/units/units.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/plant/state/limited_quantities.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

const std::vector<std::string> failing{"fail", "restore"};

/// What may happen to equipment of the power tree.
std::vector<std::string> events_of(std::string_view kind) {
  std::vector<std::string> events;
  for (const PartEvent event : electrical::electrical_kind(kind).events) events.emplace_back(name_of(event));
  return events;
}

/// "loading up to 110 %, 125 % for 10 min, 150 % for 1 min, then it trips".
std::vector<std::string> limit_texts(const electrical::OverloadLimit& limit) {
  std::vector<std::string> texts;
  if (limit.endurance.limit < for_ever_s) {
    std::string text = fmt::format("loading up to {:.0f} %", 100.0 * limit.endurance.limit);
    for (const double ratio : {1.25, 1.5, 2.0}) {
      const double time_s = trip_time_s(limit.endurance, ratio);
      if (limit.trips && time_s < for_ever_s)
        text += fmt::format(", {:.0f} % for {}", 100.0 * ratio, format_quantity(time_s, "s"));
    }
    texts.push_back(text + (limit.trips ? ", then it trips" : ""));
  }
  if (limit.in_air.rated_up_to_k < for_ever_s)
    texts.push_back(fmt::format("rated power in air of up to {}, off above {}",
                                format_quantity(limit.in_air.rated_up_to_k, "K"),
                                format_quantity(limit.in_air.off_above_k, "K")));
  return texts;
}

class Lister {
 public:
  explicit Lister(const Plant& plant) : plant_(plant) {
    for (const RatedLoad& load : rated_loads(plant)) rated_w_[load.name] = load.rated_w;
    for (const SettingPart& setting : plant.settings) {
      if (is_fault(setting.name)) continue;
      const std::size_t dot = setting.name.rfind('.');
      settings_[setting.name.substr(0, dot)].push_back("set " + setting.name.substr(dot + 1));
    }
    for (const LimitedQuantity& quantity : limited_quantities(plant)) {
      if (!quantity.is_rating) add_limits(quantity);
    }
  }

  std::vector<PartRow> list() {
    for (const NamedPart& part : plant_.named) {
      std::vector<std::string> hangs_on = part.hangs_on;
      if (part.load != no_part) add_cords(part.load, hangs_on);
      std::vector<std::string> events = part.motors.empty() ? std::vector<std::string>{} : failing;
      if (part.may_clog) events.emplace_back(clogged_passage.event);
      add_rack_events(part, events);
      add(part.name, part.kind, std::move(hangs_on), std::move(events));
    }
    for (const RackGroup& group : plant_.it.groups)
      add(group.name.empty() ? "racks" : group.name, "group of racks", {}, {});
    if (plant_.outside.is_felt()) add("weather", "weather", {}, {});
    add_faults();
    add_power();
    sort_by_kind();
    return std::move(rows_);
  }

 private:
  void add_limits(const LimitedQuantity& quantity) {
    for (std::size_t part = 0; part < quantity.count(); ++part) {
      if (!std::isfinite(quantity.limit[part])) continue;
      limits_[std::string(quantity.parts->names()[part])].push_back(
          fmt::format("{} {} {}{}", quantity.name, quantity.side == Side::above ? "up to" : "from",
                      format_quantity(quantity.limit[part], quantity.unit),
                      quantity.beyond == Beyond::stop ? " (the run ends)" : ""));
    }
  }

  void add(std::string name, std::string kind, std::vector<std::string> hangs_on, std::vector<std::string> events) {
    const std::vector<std::string>& settings = settings_[name];
    events.insert(events.end(), settings.begin(), settings.end());
    const auto rated = rated_w_.find(name);
    std::vector<std::string> limits = limits_[name];
    rows_.push_back({std::move(name), std::move(kind), std::move(hangs_on), std::move(events),
                     rated == rated_w_.end() ? 0.0 : rated->second, std::move(limits)});
  }

  /// A rack is switched off as a whole; fans of its nodes fail together, as RACK.fans.
  void add_rack_events(const NamedPart& part, std::vector<std::string>& events) const {
    if (part.kind != "rack" && part.kind != "network rack") return;
    events.insert(events.end(), {"open", "close"});
    const auto rack = std::ranges::find(plant_.it.racks, part.name, &RackPart::name);
    if (rack != plant_.it.racks.end() && plant_.initial_inputs[rack->airflow_input] > 0.0)
      events.emplace_back("fail fans");
  }

  /// What may go wrong with a part has a name of its own; passages of the same part together have that of the part.
  void add_faults() {
    for (const SettingPart& setting : plant_.settings) {
      const auto [fault, target] = fault_in(setting.name);
      if (fault == nullptr) continue;
      const std::string whole(target.substr(0, target.rfind('.')));
      add(std::string(target), std::string(fault->thing), {whole}, {std::string(fault->event), "restore"});
      const auto row = std::ranges::find(rows_, whole, &PartRow::name);
      const std::string event(fault->event);
      if (fault->name != clogged_passage.name || row == rows_.end()) continue;
      for (const std::string& able : {event, std::string("restore")}) {
        if (std::ranges::count(row->events, able) == 0) row->events.push_back(able);
      }
    }
  }

  /// What carries a bus: the first of its branches and sources, as declared.
  std::string carrier_of(int bus) const {
    const electrical::PowerTree& tree = plant_.power_tree;
    for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
      if (tree.branch_to[b] == bus && tree.branch_normally_closed[b] != 0) return tree.branch_name[b];
    }
    for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
      if (tree.source_bus[s] == bus && tree.source_is_standby[s] == 0) return tree.source_name[s];
    }
    return {};
  }

  void add_cords(std::size_t load, std::vector<std::string>& hangs_on) const {
    for (const int bus : plant_.power_tree.load_bus[load]) {
      if (bus != electrical::no_bus) hangs_on.push_back(carrier_of(bus));
    }
    std::erase(hangs_on, "");
  }

  void add_power() {
    const electrical::PowerTree& tree = plant_.power_tree;
    for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
      limits_[tree.source_name[s]] = limit_texts(tree.source_limit[s]);
      add(tree.source_name[s], std::string(tree.source_kind[s]), {}, events_of(tree.source_kind[s]));
    }
    for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
      const std::string carrier = carrier_of(tree.branch_from[b]);
      limits_[tree.branch_name[b]] = limit_texts(tree.branch_limit[b]);
      add(tree.branch_name[b], std::string(tree.branch_kind[b]),
          carrier.empty() ? std::vector<std::string>{} : std::vector{carrier}, events_of(tree.branch_kind[b]));
      add_modules(b);
    }
  }

  void add_modules(std::size_t branch) {
    const electrical::PowerTree& tree = plant_.power_tree;
    const int modules = tree.branch_modules[branch];
    for (int module = 0; modules > 1 && module < modules; ++module) {
      const std::string& name = tree.module_name[tree.branch_first_module[branch] + static_cast<std::size_t>(module)];
      rated_w_[name] = tree.branch_rated_w[branch] / modules;
      add(name, fmt::format("{} module", tree.branch_kind[branch]), {tree.branch_name[branch]}, failing);
    }
  }

  /// Kinds in the order in which they are there first.
  void sort_by_kind() {
    std::map<std::string, std::size_t> place;
    for (const PartRow& row : rows_) place.emplace(row.kind, place.size());
    std::ranges::stable_sort(rows_, {}, [&](const PartRow& row) { return place.at(row.kind); });
  }

  const Plant& plant_;
  std::map<std::string, double> rated_w_;
  std::map<std::string, std::vector<std::string>> limits_;
  std::map<std::string, std::vector<std::string>> settings_;  ///< events of the part
  std::vector<PartRow> rows_;
};

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

}  // namespace

std::string without_numbers(const std::string& text) {
  std::string common;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0)
      common += c;
    else if (common.empty() || common.back() != '#')
      common += '#';
  }
  return common;
}

namespace {

/// Parts that differ in numbers alone.
struct Alike {
  std::vector<const PartRow*> parts;

  const PartRow& first() const { return *parts.front(); }
  const PartRow& last() const { return *parts.back(); }
};

bool are_alike(const PartRow& a, const PartRow& b) {
  return a.kind == b.kind && a.events == b.events && a.rated_w == b.rated_w && a.limits == b.limits &&
         without_numbers(a.name) == without_numbers(b.name) &&
         without_numbers(joined(a.hangs_on)) == without_numbers(joined(b.hangs_on));
}

/// "pdu_a_1 to pdu_a_8", "loop_1" where both are the same.
std::string range_text(const std::string& first, const std::string& last) {
  return first == last ? first : first + " to " + last;
}

/// The one number in a name; none where there are more, or none.
std::optional<int> only_number(const std::string& name) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto begin = std::ranges::find_if(name, is_digit), end = std::find_if_not(begin, name.end(), is_digit);
  if (begin == name.end() || std::find_if(end, name.end(), is_digit) != name.end()) return std::nullopt;
  int number = 0;
  const auto read = std::from_chars(&*begin, &*begin + (end - begin), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// The names as a range, one by one where numbers are left out between.
std::string names_text(const Alike& alike) {
  const auto first = only_number(alike.first().name), last = only_number(alike.last().name);
  if (first && last && static_cast<std::size_t>(std::int64_t{*last} - *first) + 1 != alike.parts.size()) {
    std::vector<std::string> names;
    for (const PartRow* part : alike.parts) names.push_back(part->name);
    return joined(names);
  }
  return range_text(alike.first().name, alike.last().name);
}

std::string hangs_on_text(const Alike& alike) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < alike.first().hangs_on.size(); ++k)
    texts.push_back(range_text(alike.first().hangs_on[k], alike.last().hangs_on[k]));
  return joined(texts);
}

}  // namespace

std::vector<PartRow> part_list(const Plant& plant) { return Lister(plant).list(); }

std::string part_table(const std::vector<PartRow>& parts) {
  std::vector<Alike> groups;
  for (const PartRow& part : parts) {
    const auto alike = std::ranges::find_if(groups, [&](const Alike& group) { return are_alike(group.first(), part); });
    if (alike == groups.end()) {
      groups.push_back({{&part}});
    } else {
      alike->parts.push_back(&part);
    }
  }
  std::string text = fmt::format("{} parts; those that differ only in their numbers share one line\n", parts.size());
  std::string kind;
  for (const Alike& alike : groups) {
    const PartRow& part = alike.first();
    if (part.kind != kind) text += fmt::format("\n{}\n", part.kind);
    kind = part.kind;
    text += fmt::format("  {}", names_text(alike));
    if (alike.parts.size() > 1) text += fmt::format(" ({})", alike.parts.size());
    text += '\n';
    if (!part.hangs_on.empty()) text += fmt::format("    on      {}\n", hangs_on_text(alike));
    if (part.rated_w > 0.0) text += fmt::format("    rating  {}\n", format_quantity(part.rated_w, "W"));
    for (std::size_t k = 0; k < part.limits.size(); ++k)
      text += fmt::format("    {}{}\n", k == 0 ? "limits  " : "        ", part.limits[k]);
    if (!part.events.empty()) text += fmt::format("    events  {}\n", joined(part.events));
  }
  return text;
}

}  // namespace wattloop::twin
