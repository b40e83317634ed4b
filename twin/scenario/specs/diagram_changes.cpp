#include "twin/scenario/specs/diagram_changes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/name_pattern.hpp"
#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/document/other_place.hpp"

namespace wattloop::twin {

namespace {

using electrical::Branch;
using electrical::Finding;
using electrical::Load;
using electrical::OneLineDiagram;
using electrical::Source;

bool is_pdu(const Branch& branch) { return std::holds_alternative<electrical::Pdu::Params>(branch.equipment); }
bool is_door(const Load& load) { return load.name.ends_with(door_fans_suffix); }

/// The rack whose cords a load hangs on: itself, or that of a door.
std::string_view rack_of(const Load& load) {
  return std::string_view(load.name).substr(0, load.name.size() - (is_door(load) ? door_fans_suffix.size() : 0));
}

template <class Parts, class IsRequested>
std::vector<std::string> names_of(const Parts& parts, IsRequested is_requested) {
  std::vector<std::string> names;
  for (const auto& part : parts) {
    if (is_requested(part)) names.push_back(part.name);
  }
  return names;
}

class DiagramChange {
 public:
  DiagramChange(const PowerSpec& spec, const LoadNames& loads, OneLineDiagram& diagram)
      : spec_(spec), loads_(loads), diagram_(diagram), racks_(loads.racks.begin(), loads.racks.end()) {
    const std::set<std::string_view> motors(loads.motors.begin(), loads.motors.end());
    for (const Load& load : diagram.loads) is_motor_.push_back(motors.contains(load.name));
  }

  void apply() {
    for (const CordsSpec& cords : spec_.cords) plug(cords);
    for (std::size_t k = 0; k < spec_.absent.names.size(); ++k)
      leave_out(spec_.absent.names[k], spec_.absent.mentions[k]);
    if (spec_.one_line.is_given && problems_.empty()) {
      report_on_nothing("rack", false);
      report_on_nothing("motor", true);
    }
  }

  /// What is wrong with the diagram now: of every sort of mistake the first, and how many more.
  void check() {
    if (!problems_.empty()) return;
    std::map<std::string, std::pair<Finding, int>> first_of;
    std::vector<std::string> order;
    for (const Finding& finding : electrical::check(diagram_)) {
      if (finding.severity == Finding::Severity::warning) continue;
      if (finding.component.ends_with(door_fans_suffix)) continue;  // its rack reports it
      const std::string sort = finding.message.substr(0, finding.message.find('\''));
      const auto [at, is_new] = first_of.emplace(sort, std::pair{finding, 0});
      if (is_new)
        order.push_back(sort);
      else
        ++at->second.second;
    }
    for (const std::string& sort : order) {
      const auto& [finding, more] = first_of.at(sort);
      const Mention mention = place_of(finding);
      problems_.add({mention.place, finding.message + (more > 0 ? fmt::format(", and {} more", more) : ""),
                     hint_of(finding, mention.place), mention.excerpt});
    }
  }

  const Problems& problems() const { return problems_; }

 private:
  /// Of racks, and of doors, which hang on those of their rack.
  bool is_on_cords(const Load& load) const { return racks_.contains(rack_of(load)); }

  /// The bus of that name, or that behind the PDU of that name.
  std::optional<std::string> bus_called(const std::string& name) const {
    const auto is_called = [&](const Branch& branch) { return is_pdu(branch) && branch.name == name; };
    const auto pdu = std::ranges::find_if(diagram_.branches, is_called);
    if (pdu != diagram_.branches.end()) return pdu->to;
    const auto bus = std::ranges::find(diagram_.buses, name, &electrical::Bus::name);
    return bus != diagram_.buses.end() ? std::optional(bus->name) : std::nullopt;
  }

  std::vector<std::string> buses_of(const NamesSpec& feeds) {
    std::vector<std::string> buses;
    for (std::size_t k = 0; k < feeds.names.size(); ++k) {
      if (const auto bus = bus_called(feeds.names[k])) {
        buses.push_back(*bus);
        continue;
      }
      std::vector<std::string> known = names_of(diagram_.branches, is_pdu);
      for (const electrical::Bus& bus : diagram_.buses) known.push_back(bus.name);
      const char* what = spec_.one_line.is_given ? "bus or PDU" : "PDU";
      report_unknown(fmt::format("there is no {} '{}'", what, feeds.names[k]), feeds.names[k], known, feeds.mentions[k],
                     problems_);
    }
    return buses;
  }

  void plug(const CordsSpec& cords) {
    if (cords.feeds.empty()) return;  // motors on blocks
    std::vector<std::vector<std::string>> turns;
    for (const NamesSpec& feeds : cords.feeds) turns.push_back(buses_of(feeds));
    const bool are_motors = !cords.motors.names.empty();
    const NamesSpec& named = are_motors ? cords.motors : cords.racks;
    std::map<std::string_view, std::size_t> place_of;  // of a rack or motor among those of these cords
    for (std::size_t k = 0; k < named.names.size(); ++k) {
      const std::string& pattern = named.names[k];
      bool is_found = false;
      std::vector<std::string> named_before;
      for (std::size_t number = 0; number < diagram_.loads.size(); ++number) {
        Load& load = diagram_.loads[number];
        const bool fits = are_motors ? is_motor_[number] && means_motor(pattern, load.name)
                                     : is_on_cords(load) && fits_pattern(rack_of(load), pattern);
        if (!fits) continue;
        is_found = true;
        const auto [first, is_new] = named_by_.emplace(load.name, NamedBy{&cords, named.mentions[k]});
        if (!is_new && first->second.cords != &cords && !is_door(load)) named_before.push_back(load.name);
        const std::size_t place = place_of.emplace(rack_of(load), place_of.size()).first->second;
        load.buses = turns[place % turns.size()];
        if (cords.has_static_switch || are_motors) load.sharing = Load::Sharing::transfer;
        const NamesSpec& feeds = cords.feeds[place % turns.size()];
        plugged_[load.name] = feeds.mentions.empty() ? named.mentions[k] : feeds.mentions.front();
        for (std::size_t f = 0; f < load.buses.size() && f < feeds.mentions.size(); ++f)
          check_voltage(load, load.buses[f], feeds.mentions[f], are_motors);
      }
      const char* what = are_motors ? "motor" : "rack";
      if (!named_before.empty()) report_named_twice(what, named_before, named.mentions[k]);
      if (is_found) continue;
      report_unknown(fmt::format("there is no {} '{}'", what, pattern), pattern,
                     are_motors ? loads_.motors : loads_.racks, named.mentions[k], problems_);
    }
  }

  /// Racks or motors that two items of `cords` name: one would win unseen.
  void report_named_twice(std::string_view what, const std::vector<std::string>& names, const Mention& mention) {
    const std::size_t more = names.size() - 1;
    problems_.add({mention.place,
                   fmt::format("{} {}{} named by two items of cords", what, names.front(),
                               more > 0 ? fmt::format(" and {} more are", more) : " is"),
                   fmt::format("the other item is in {}: name each {} in one item only",
                               other_place(named_by_.at(names.front()).mention.place, mention.place), what),
                   mention.excerpt});
  }

  /// Racks and motors are for low voltage; motors of chillers are built for medium voltage, too. Once for each place.
  void check_voltage(const Load& load, const std::string& name, const Mention& mention, bool is_motor) {
    constexpr double lowest_rack_v = 40.0, lowest_motor_v = 100.0, low_voltage_v = 1000.0, medium_voltage_v = 15000.0;
    const auto bus = std::ranges::find(diagram_.buses, name, &electrical::Bus::name);
    if (bus == diagram_.buses.end() || bus->voltage_v == 0.0) return;
    const double lowest_v = is_motor ? lowest_motor_v : lowest_rack_v;
    const double highest_v = is_motor && load.name.starts_with("chiller") ? medium_voltage_v : low_voltage_v;
    if (bus->voltage_v >= lowest_v && bus->voltage_v <= highest_v) return;
    if (!refused_.emplace(mention.place.line, mention.place.column).second) return;
    problems_.add({mention.place,
                   fmt::format("{} is connected to bus {} of {}, expected {} to {}", load.name, name,
                               format_quantity(bus->voltage_v, "V"), format_quantity(lowest_v, "V"),
                               format_quantity(highest_v, "V")),
                   "connect it to a bus downstream of a transformer", mention.excerpt});
  }

  /// All that a one-line diagram leaves without a bus, in one problem.
  void report_on_nothing(std::string_view what, bool are_motors) {
    std::string first;
    int more = 0;
    for (std::size_t number = 0; number < diagram_.loads.size(); ++number) {
      const Load& load = diagram_.loads[number];
      if (!load.buses.empty() || is_door(load) || is_motor_[number] != are_motors) continue;
      if (first.empty())
        first = load.name;
      else
        ++more;
    }
    if (first.empty()) return;
    const Mention mention = spec_.one_line.buses.empty() ? Mention{} : spec_.one_line.buses.front().mention;
    problems_.add(
        {mention.place,
         more > 0 ? fmt::format("no bus feeds {} {} and {} more", what, first, more)
                  : fmt::format("no bus feeds {} {}", what, first),
         fmt::format("write power.cords: [{{ {}s: \"{}\", buses: [...] }}]", what, are_motors ? "*" : "row_*.rack_*"),
         mention.excerpt});
  }

  void leave_out(const std::string& pattern, const Mention& mention) {
    std::vector<std::string> names = names_of(diagram_.branches, [](auto&&) { return true; });
    for (const Source& source : diagram_.sources) names.push_back(source.name);
    const auto fits = [&](const auto& part) { return fits_pattern(part.name, pattern); };
    const std::size_t gone = std::erase_if(diagram_.branches, fits) + std::erase_if(diagram_.sources, fits);
    if (gone == 0)
      report_unknown(fmt::format("there is no '{}' to leave out", pattern), pattern, names, mention, problems_);
  }

  /// Where the file says what led to a finding.
  Mention place_of(const Finding& finding) const {
    const auto cords = plugged_.find(finding.component);
    if (cords != plugged_.end()) return cords->second;
    if (const Mention* drawn = drawn_at(finding.component)) return *drawn;
    for (const CordsSpec& of_motors : spec_.cords) {
      for (std::size_t k = 0; k < of_motors.motors.names.size(); ++k)
        if (means_motor(of_motors.motors.names[k], finding.component)) return of_motors.motors.mentions[k];
    }
    return spec_.absent.mentions.empty() ? Mention{} : spec_.absent.mentions.front();
  }

  /// Where the one-line diagram has the other branches that a finding names, and what to do.
  std::string hint_of(const Finding& finding, const Place& here) const {
    std::vector<std::string> places;
    for (const DrawnBranch& drawn : spec_.one_line.branches) {
      const bool is_named = finding.message.find(fmt::format("'{}'", drawn.branch.name)) != std::string::npos;
      if (is_named && drawn.branch.name != finding.component)
        places.push_back(fmt::format("{} is in {}", drawn.branch.name, other_place(drawn.mention.place, here)));
    }
    if (!finding.remedy.empty()) places.push_back(finding.remedy);
    return fmt::format("{}", fmt::join(places, "; "));
  }

  /// Where the one-line diagram names a component; of legs of a transfer switch and of bypasses that which they are of.
  const Mention* drawn_at(const std::string& component) const {
    for (const DrawnBranch& drawn : spec_.one_line.branches)
      if (component == drawn.branch.name) return &drawn.mention;
    for (const DrawnSource& drawn : spec_.one_line.sources)
      if (component == drawn.source.name) return &drawn.mention;
    for (const DrawnBus& drawn : spec_.one_line.buses)
      if (component == drawn.name) return &drawn.mention;
    for (const DrawnLoad& drawn : spec_.one_line.loads)
      if (component == drawn.name) return &drawn.mention;
    for (const DrawnBranch& drawn : spec_.one_line.branches)
      if (component.starts_with(drawn.branch.name + ".")) return &drawn.mention;
    return nullptr;
  }

  /// Which cords name a load first, and where.
  struct NamedBy {
    const CordsSpec* cords;
    Mention mention;
  };

  const PowerSpec& spec_;
  const LoadNames& loads_;
  OneLineDiagram& diagram_;
  Problems problems_;
  std::set<std::string_view> racks_;
  std::vector<bool> is_motor_;               ///< [load]
  std::map<std::string, Mention> plugged_;   ///< rack, and what plugged it
  std::map<std::string, NamedBy> named_by_;  ///< rack or motor
  std::set<std::pair<int, int>> refused_;    ///< line and column of cords at a bus of a voltage that is not theirs
};

}  // namespace

bool means_motor(std::string_view pattern, std::string_view motor) {
  return fits_pattern(motor, pattern) || fits_pattern(motor.substr(0, motor.rfind('.')), pattern);
}

void report_unknown(std::string message, std::string_view name, std::span<const std::string> known,
                    const Mention& mention, Problems& problems) {
  problems.add({mention.place, std::move(message), nearest_hint(name, known), mention.excerpt});
}

void change_diagram(const PowerSpec& power, const LoadNames& loads, OneLineDiagram& diagram, Problems& problems) {
  if (power.cords.empty() && power.absent.names.empty() && !power.one_line.is_given) return;
  DiagramChange change(power, loads, diagram);
  change.apply();
  change.check();
  for (const Problem& problem : change.problems().all()) problems.add(problem);
}

}  // namespace wattloop::twin
