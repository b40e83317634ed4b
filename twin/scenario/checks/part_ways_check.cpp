// Waters that parts of a scenario are joined to by name, and where heat goes through them: each water with pumps has something that
// takes its heat, and a way from there on to the air outside.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "twin/document/other_place.hpp"
#include "twin/scenario/checks/coil_water.hpp"
#include "twin/scenario/checks/consistency_check.hpp"
#include "twin/scenario/checks/section_parts.hpp"

namespace wattloop::twin {

namespace {

std::string stem_of(const std::string& header) { return header.substr(0, header.find('.')); }

/// Takes heat out of that water: from its return to its supply, or out of the return before others.
bool takes_heat_of(const PortSpec& port, const std::string& water) {
  const std::string back = water + ".return";
  return port.from == back && (port.to == water + ".supply" || port.to == back);
}

/// Gives heat to that water.
bool gives_heat_to(const PortSpec& port, const std::string& water) {
  return port.from == water + ".supply" && port.to == water + ".return";
}

/// Where heat of a water goes, and by what.
struct Way {
  std::string to;  ///< another water; empty: outside
  std::string by;
  const Mention* mention;  ///< of the port at the water that it leaves; null: it is of a section
};

class PartWays {
 public:
  PartWays(const Node& root, const Scenario& scenario, Problems& problems)
      : root_(root), scenario_(scenario), problems_(problems) {
    for (const FacilitySpec& water : scenario.cooling.water)
      (water.pumps.is_given ? with_pumps_ : from_outside_).push_back(water.name);
    for (const ChilledWaterSpec& water : scenario.cooling.chilled_water) with_pumps_.push_back(water.name);
    for (const std::string& water : with_pumps_) {
      headers_.push_back(water + ".supply");
      headers_.push_back(water + ".return");
    }
  }

  /// What is no header of any water, by its name.
  void check_names() {
    for (const PartSpec& part : scenario_.parts) {
      for (const PortSpec& port : part.ports) {
        if (port.to.empty() || is_reported(port.mention.place, reported_of_names_)) continue;
        const bool are_there = check_header(part, port, port.from) && check_header(part, port, port.to);
        are_all_joined_ = are_all_joined_ && are_there && is_of_one_water(port);
      }
    }
  }

  void check_ways() {
    for (const PartSpec& part : scenario_.parts) check_one_water(part);
    for (const std::string& water : with_pumps_) find_ways(water);
    for (const std::string& water : with_pumps_) check_source(water);
    check_circles();
  }

 private:
  /// Of many alike one is enough.
  static bool is_reported(const Place& place, std::set<std::string>& reported) {
    return place.line > 0 && !reported.insert(fmt::format("{}:{}:{}", place.file, place.line, place.column)).second;
  }

  /// As all are that the hall takes: the others are reported when it is built.
  bool is_of_one_water(const PortSpec& port) const {
    const std::string stem = stem_of(port.from);
    return stem == stem_of(port.to) && std::ranges::find(with_pumps_, stem) != with_pumps_.end() &&
           (port.from != port.to || port.from == stem + ".return");
  }

  bool is_known(const std::string& stem) const {
    const auto has = [&](const auto& specs) {
      return std::ranges::any_of(specs, [&](const auto& spec) { return !spec.name.empty() && stem == spec.name; });
    };
    return is_of_equipment(stem) || has(scenario_.cooling.loops) || has(scenario_.parts);
  }

  bool check_header(const PartSpec& part, const PortSpec& port, const std::string& header) {
    const std::string stem = stem_of(header);
    if (stem == header || is_known(stem) || std::ranges::find(headers_, header) != headers_.end()) return true;
    const bool is_from_outside = std::ranges::find(from_outside_, stem) != from_outside_.end();
    std::string hint = is_from_outside
                           ? fmt::format("{} comes from outside at a given temperature: it has no headers", stem)
                           : nearest_hint(header, headers_);
    if (hint.empty() && stem == "chilled_water") hint = "hall.cooling has no chilled_water";
    problems_.add({port.mention.place,
                   fmt::format("{}.{} is connected to '{}', which does not exist", part.name, port.port, header),
                   std::move(hint), port.mention.excerpt});
    return false;
  }

  /// A part with two sides stands between two waters.
  void check_one_water(const PartSpec& part) {
    std::map<std::string, const PortSpec*> first_at;
    for (const PortSpec& port : part.ports) {
      if (port.to.empty() || stem_of(port.from) != stem_of(port.to)) continue;
      const auto [first, is_new] = first_at.emplace(stem_of(port.from), &port);
      if (is_new || is_reported(port.mention.place, reported_of_sides_)) continue;
      problems_.add({port.mention.place,
                     fmt::format("{0}.{1} and {0}.{2} are both connected to {3}", part.name, first->second->port,
                                 port.port, first->first),
                     fmt::format("{} is in {}; connect the two ports to two water systems", first->second->port,
                                 other_place(first->second->mention.place, port.mention.place)),
                     port.mention.excerpt});
    }
  }

  void find_ways(const std::string& water) {
    std::vector<Way>& ways = ways_[water];
    const CoolingSpec& cooling = scenario_.cooling;
    for (const FacilitySpec& of_towers : cooling.water) {
      if (of_towers.name == water && of_towers.towers.is_given) ways.push_back({{}, "towers", nullptr});
    }
    if (const ChilledWaterSpec* chilled = find_chilled(cooling, water); chilled && chilled->chillers.is_given) {
      const FacilitySpec* condenser = find_water(cooling, chilled->condenser);
      ways.push_back({condenser != nullptr ? condenser->name : "", "chillers", nullptr});
    }
    for (const PartSpec& part : scenario_.parts) {
      for (const PortSpec& port : part.ports) {
        if (takes_heat_of(port, water)) ways.push_back({other_water(part), part.name, &port.mention});
      }
    }
  }

  std::string other_water(const PartSpec& part) const {
    for (const PortSpec& port : part.ports) {
      for (const std::string& water : with_pumps_) {
        if (gives_heat_to(port, water)) return water;
      }
    }
    return {};
  }

  void check_source(const std::string& water) {
    if (!ways_[water].empty() || scenario_.parts.empty()) return;  // without parts it is reported for its section
    if (!are_all_joined_) return;                                  // another may be meant to
    const FacilitySpec* spec = find_water(scenario_.cooling, water);
    const ChilledWaterSpec* chilled = find_chilled(scenario_.cooling, water);
    const FilePath path = inside(spec != nullptr ? spec->path : chilled->path, {"pumps"});
    problems_.add(problem_at(mention_of(root_, path), fmt::format("nothing cools the water of {}", water),
                             fmt::format("it has pumps, so it needs {1} or a part from {0}.return to {0}.supply", water,
                                         chilled != nullptr ? "chillers" : "towers")));
  }

  /// Whether heat of a water comes out of the hall, or to where nothing takes it, which is reported for that.
  bool leads_out(const std::string& water, std::set<std::string>& passed) const {
    if (!passed.insert(water).second) return false;
    const auto ways = ways_.find(water);
    return ways == ways_.end() || ways->second.empty() || std::ranges::any_of(ways->second, [&](const Way& way) {
             return way.to.empty() || leads_out(way.to, passed);
           });
  }

  void check_circles() {
    std::set<std::string> reported;
    for (const std::string& water : with_pumps_) {
      std::set<std::string> passed;
      if (leads_out(water, passed)) continue;
      const bool is_new =
          std::ranges::none_of(passed, [&](const std::string& name) { return reported.contains(name); });
      if (is_new) report_circle(water);
      reported.insert(passed.begin(), passed.end());
    }
  }

  void report_circle(const std::string& first) {
    std::vector<std::string> steps;
    std::set<std::string> passed;
    const Mention *at = nullptr, *before = nullptr;
    for (std::string water = first; passed.insert(water).second;) {
      const Way& way = ways_.at(water).front();
      steps.push_back(fmt::format("by {} to {}", way.by, way.to));
      if (way.mention != nullptr) before = std::exchange(at, way.mention);
      water = way.to;
    }
    const Mention none{};
    if (at == nullptr) at = &none;
    std::string hint = "end the cycle with towers, a dry cooler or another part that rejects heat to the outdoor air";
    if (before != nullptr)
      hint = fmt::format("the other connection is in {}; ", other_place(before->place, at->place)) + hint;
    problems_.add({at->place, fmt::format("heat of {} goes in a cycle: {}", first, fmt::join(steps, ", ")),
                   std::move(hint), at->excerpt});
  }

  const Node& root_;
  const Scenario& scenario_;
  Problems& problems_;
  std::vector<std::string> with_pumps_, from_outside_, headers_;
  std::map<std::string, std::vector<Way>> ways_;
  std::set<std::string> reported_of_names_, reported_of_sides_;  ///< places
  bool are_all_joined_ = true;
};

}  // namespace

bool makes_water(const Scenario& scenario, const std::string& water) {
  return std::ranges::any_of(scenario.parts, [&](const PartSpec& part) {
    return std::ranges::any_of(part.ports, [&](const PortSpec& port) {
      return port.from == water + ".return" && port.to == water + ".supply";
    });
  });
}

void check_part_ways(const Node& root, const Scenario& scenario, ReadSoFar so_far, Problems& problems) {
  PartWays ways(root, scenario, problems);
  const std::size_t before = problems.size();
  ways.check_names();
  const bool are_names_known = problems.size() == before;
  if (so_far != ReadSoFar::all) return;
  ways.check_ways();
  if (are_names_known) check_section_parts(root, scenario, problems);
}

}  // namespace wattloop::twin
