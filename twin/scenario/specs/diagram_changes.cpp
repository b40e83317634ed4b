#include "twin/scenario/specs/diagram_changes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/text/name_pattern.hpp"
#include "core/text/nearest.hpp"

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
  DiagramChange(const PowerSpec& spec, OneLineDiagram& diagram) : spec_(spec), diagram_(diagram) {
    for (const Branch& branch : diagram.branches) {
      if (is_pdu(branch)) pdu_buses_.insert(branch.to);
    }
    for (const Load& load : diagram.loads) {
      if (hangs_on_pdu(load) && !is_door(load)) racks_.push_back(load.name);
    }
  }

  void apply() {
    for (const CordsSpec& cords : spec_.cords) plug(cords);
    for (std::size_t k = 0; k < spec_.absent.names.size(); ++k)
      leave_out(spec_.absent.names[k], spec_.absent.mentions[k]);
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
      problems_.add(
          {mention.place, finding.message + (more > 0 ? fmt::format(", and {} more", more) : ""), {}, mention.excerpt});
    }
  }

  const Problems& problems() const { return problems_; }

 private:
  bool hangs_on_pdu(const Load& load) const { return !load.buses.empty() && pdu_buses_.contains(load.buses.front()); }

  /// Of racks, and of doors, which hang on those of their rack.
  bool is_on_cords(const Load& load) const {
    return is_door(load) || std::ranges::find(racks_, load.name) != racks_.end();
  }

  void plug(const CordsSpec& cords) {
    const std::vector<std::string> pdus = names_of(diagram_.branches, is_pdu);
    std::vector<std::string> buses;
    for (std::size_t k = 0; k < cords.pdus.names.size(); ++k) {
      const std::string& name = cords.pdus.names[k];
      const auto pdu =
          std::ranges::find_if(diagram_.branches, [&](const Branch& b) { return is_pdu(b) && b.name == name; });
      if (pdu != diagram_.branches.end())
        buses.push_back(pdu->to);
      else
        report_unknown(fmt::format("there is no PDU '{}'", name), name, pdus, cords.pdus.mentions[k], problems_);
    }
    for (std::size_t k = 0; k < cords.racks.names.size(); ++k) {
      bool is_found = false;
      for (Load& load : diagram_.loads) {
        if (!is_on_cords(load) || !fits_pattern(rack_of(load), cords.racks.names[k])) continue;
        is_found = true;
        load.buses = buses;
        plugged_[load.name] = cords.pdus.mentions.empty() ? cords.racks.mentions[k] : cords.pdus.mentions.front();
      }
      if (is_found) continue;
      report_unknown(fmt::format("there is no rack '{}'", cords.racks.names[k]), cords.racks.names[k], racks_,
                     cords.racks.mentions[k], problems_);
    }
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
    for (const CordsSpec& of_motors : spec_.cords) {
      for (std::size_t k = 0; k < of_motors.motors.names.size(); ++k)
        if (means_motor(of_motors.motors.names[k], finding.component)) return of_motors.motors.mentions[k];
    }
    return spec_.absent.mentions.empty() ? Mention{} : spec_.absent.mentions.front();
  }

  const PowerSpec& spec_;
  OneLineDiagram& diagram_;
  Problems problems_;
  std::set<std::string> pdu_buses_;
  std::vector<std::string> racks_;          ///< names of loads, whatever they are plugged into meanwhile
  std::map<std::string, Mention> plugged_;  ///< rack, and what plugged it
};

}  // namespace

bool means_motor(std::string_view pattern, std::string_view motor) {
  return fits_pattern(motor, pattern) || fits_pattern(motor.substr(0, motor.rfind('.')), pattern);
}

void report_unknown(std::string message, std::string_view name, std::span<const std::string> known,
                    const Mention& mention, Problems& problems) {
  problems.add({mention.place, std::move(message), nearest_hint(name, known), mention.excerpt});
}

void change_diagram(const Scenario& scenario, OneLineDiagram& diagram, Problems& problems) {
  if (scenario.power.cords.empty() && scenario.power.absent.names.empty()) return;
  DiagramChange change(scenario.power, diagram);
  change.apply();
  change.check();
  for (const Problem& problem : change.problems().all()) problems.add(problem);
}

}  // namespace wattloop::twin
