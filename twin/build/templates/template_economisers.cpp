// Waterside economisers: a sequence of modes on plate exchangers between the water of towers and chilled water. It gives them a valve
// on their cold side, and a way for their warm water past the chillers.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "physics/water/plate_exchanger.hpp"
#include "physics/water/waterside_economiser.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

using physics::PlateExchanger;
using Params = physics::WatersideEconomiser::Params;

constexpr double mild_k = 288.15, freezing_k = 273.15;

const SequenceReference& reference(const SequenceSpec& spec, std::string_view key) {
  return *std::ranges::find(spec.references, key, &SequenceReference::key);
}

Stream& stream_named(Diagram& diagram, const std::string& name) {
  return *std::ranges::find(diagram.streams, name, &Stream::name);
}

/// What moves a flow, by its code; none: it is held, or a sum.
Drive* drive_of(Diagram& diagram, std::size_t flow) {
  const auto found =
      std::ranges::find_if(diagram.drives, [flow](const auto& one) { return code_of(one.first) == flow; });
  return found == diagram.drives.end() ? nullptr : &found->second;
}

std::size_t group_of(const Diagram& diagram, MotorId motor) {
  const auto group = std::ranges::find_if(diagram.motor_groups, [motor](const MotorGroup& one) {
    return std::ranges::find(one.motors, motor.number) != one.motors.end();
  });
  return static_cast<std::size_t>(group - diagram.motor_groups.begin());
}

/// One economiser, from what it names to what it moves.
class Planner {
 public:
  Planner(Diagram& diagram, const Scenario& scenario, const SequenceSpec& spec, Problems& problems)
      : diagram_(diagram),
        scenario_(scenario),
        spec_(spec),
        params_(std::any_cast<const Params&>(spec.params)),
        problems_(problems) {}

  void plan() {
    const std::size_t before = problems_.size();
    towers_ = find_water("towers");
    chilled_ = find_water("chilled_water");
    const std::vector<std::string> exchangers = find_exchangers();
    if (towers_ == nullptr || chilled_ == nullptr || problems_.size() > before) return;
    check_set_points();
    check_alone();
    for (const std::string& name : exchangers) check_sides(name);
    if (problems_.size() > before) return;
    declare_weather(diagram_, mild_k);
    find_surroundings(exchangers);
    for (const std::string& name : exchangers) add_exchanger(name);
    diagram_.economisers.push_back(std::move(plan_));
  }

 private:
  void refuse(std::string_view key, std::string message, std::string hint) {
    const Mention& mention = key.empty() ? spec_.mention : reference(spec_, key).mention;
    problems_.add({mention.place, std::move(message), std::move(hint), mention.excerpt});
  }

  /// As it is said; where it is not, the only chilled water that there is, whatever its name.
  std::string water_name(const SequenceReference& said) const {
    const std::vector<ChilledWaterSpec>& waters = scenario_.cooling.chilled_water;
    const bool is_implied = said.key == "chilled_water" && !said.is_said && waters.size() == 1;
    return is_implied ? waters.front().name : said.name;
  }

  /// A water system with pumps.
  const FluidSystem* find_water(std::string_view key) {
    const std::string name = water_name(reference(spec_, key));
    std::vector<std::string> names;
    for (const auto& [known, system] : diagram_.systems()) {
      if (!system.is_own() || system.pumps.empty()) continue;
      if (known == name) return &system;
      names.push_back(known);
    }
    if (diagram_.has_system(name)) {
      refuse(key, fmt::format("{}: {} has no pumps in this hall", spec_.name, name),
             "name two water systems with pumps: an economiser is between them");
    } else if (!reference(spec_, key).is_said && key == "chilled_water" && !scenario_.cooling.chilled_water.empty()) {
      std::vector<std::string> waters;
      for (const ChilledWaterSpec& water : scenario_.cooling.chilled_water) waters.push_back(water.name);
      refuse(key, fmt::format("{} could mean any chilled water of {}", spec_.name, waters.size()),
             fmt::format("write one of: {}", fmt::join(waters, ", ")));
    } else {
      refuse(key, fmt::format("{}: this hall has no water system '{}'", spec_.name, name), nearest_hint(name, names));
    }
    return nullptr;
  }

  /// The part of that name, or those that share it.
  std::vector<std::string> find_exchangers() {
    const std::string& name = reference(spec_, "exchanger").name;
    std::vector<std::string> found, plates;
    const PartSpec* other = nullptr;
    for (const PartSpec& part : scenario_.parts) {
      const bool is_plates = part.kind == PlateExchanger::kind;
      const std::string shared = part.name.substr(0, part.name.rfind('_'));
      const bool is_meant = part.name == name || (shared == name && is_numbered(part.name));
      if (is_plates) plates.push_back(is_numbered(part.name) ? shared : part.name);
      if (is_meant && is_plates) found.push_back(part.name);
      if (is_meant && !is_plates) other = &part;
    }
    if (other != nullptr) {
      refuse("exchanger", fmt::format("{} is a {}, not an exchanger between two waters", other->name, other->kind),
             fmt::format("an economiser names a {}", PlateExchanger::kind));
    } else if (found.empty()) {
      const std::string near = nearest_hint(name, plates);
      refuse("exchanger", fmt::format("{}: there is no part '{}'", spec_.name, name),
             near.empty() ? "write the name of a plate_exchanger under `parts`" : near);
    }
    return found;
  }

  static bool is_numbered(const std::string& name) {
    const std::size_t last = name.rfind('_');
    return last != std::string::npos && last + 1 < name.size() &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(last) + 1, name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  }

  double set_point_k(const FluidSystem& system) const { return diagram_.inputs[system.set_point.number].second; }

  void check_set_points() {
    const auto reported = [](double k) { return format_quantity(k, "K"); };
    const double needed_k = set_point_k(*chilled_) - params_.exchanger_approach_k;
    const double lowest_k = params_.minimum_basin_k;
    if (lowest_k <= freezing_k) {
      refuse({}, fmt::format("{}: water of the towers at {} is ice", spec_.name, reported(lowest_k)),
             "write a minimum_basin_temperature above 0 degC");
    } else if (lowest_k > set_point_k(*towers_)) {
      refuse({},
             fmt::format("{}: minimum_basin_temperature of {} is above {}, the set-point of {}", spec_.name,
                         reported(lowest_k), reported(set_point_k(*towers_)), towers_->name),
             "then the towers would warm the water to save energy");
    } else if (lowest_k > needed_k) {
      refuse({},
             fmt::format("{}: minimum_basin_temperature of {} is above {}, which the exchanger needs", spec_.name,
                         reported(lowest_k), reported(needed_k)),
             fmt::format("its water must be {1:.1f} K colder to keep {0}", reported(set_point_k(*chilled_)),
                         params_.exchanger_approach_k));
    }
  }

  /// Nothing else moves what it moves; another sequence may set the towers while it is shut off.
  void check_alone() {
    for (const PlannedEconomiser& other : diagram_.economisers) {
      if (other.tower_input == towers_->set_point.number)
        refuse("towers", fmt::format("{} lowers {} already", other.name, towers_->name),
               "write one economiser for each system of towers");
      if (other.set_point_input == chilled_->set_point.number)
        refuse("chilled_water", fmt::format("{} cools {} already", other.name, chilled_->name),
               "write one economiser for each water system");
    }
    const std::string group = towers_->name == "facility" ? "towers" : towers_->name + ".towers";
    if (std::ranges::find(diagram_.motor_groups, group, &MotorGroup::name) == diagram_.motor_groups.end())
      refuse("towers", fmt::format("{}: {} has no towers", spec_.name, towers_->name),
             "an economiser needs the water of towers");
  }

  void check_sides(const std::string& name) {
    const Stream& cold = stream_named(diagram_, name + ".cold_in");
    const Stream& warm = stream_named(diagram_, name + ".warm_in");
    if (!(cold.from == towers_->supply))
      refuse("exchanger", fmt::format("{}.cold is not on {}", name, towers_->name),
             fmt::format("cold: {{ from: {0}.supply, to: {0}.return }}", towers_->name));
    if (!(warm.from == chilled_->back) && warm.from != chilled_->users_back)
      refuse("exchanger", fmt::format("{}.warm is not on {}", name, chilled_->name),
             fmt::format("warm: {{ from: {0}.return, to: {0}.return }}", chilled_->name));
  }

  bool is_exchanger(const std::vector<std::string>& names, const Stream& stream) const {
    return std::ranges::any_of(names, [&](const std::string& name) { return stream.name.starts_with(name + "."); });
  }

  /// Other machines that make its water, pumps that return it, and all other users of the towers.
  void find_surroundings(const std::vector<std::string>& exchangers) {
    plan_.name = spec_.name;
    plan_.params = spec_.params;
    plan_.every_s = spec_.every_s;
    plan_.deadband_k = spec_.deadband;
    plan_.supply_node = chilled_->supply.number;
    plan_.set_point_input = chilled_->set_point.number;
    plan_.specific_heat_j_per_kg_k = chilled_->specific_heat_j_per_kg_k;
    plan_.tower_setting = towers_->name + ".supply_temperature";
    plan_.tower_input = towers_->set_point.number;
    find_dew_points();
    for (const Stream& stream : diagram_.streams) {
      if (is_exchanger(exchangers, stream)) continue;
      const bool is_bypass =
          stream.flow == code_of(chilled_->bypass_flow) || stream.flow == code_of(towers_->bypass_flow);
      if (is_bypass) continue;
      if (stream.to == chilled_->back) plan_.back.push_back({stream.from.number, stream.flow});
      if (stream.to == chilled_->supply) add_machine(stream);
      if (!(stream.from == towers_->supply)) continue;
      const bool is_condenser = diagram_.junctions[stream.to.number].name.ends_with(".condenser");
      (is_condenser ? plan_.cools_condensers : plan_.cools_rooms) = true;
    }
  }

  /// Of rooms that its water may come to.
  void find_dew_points() {
    for (const RoomSpec& room : scenario_.cooling.rooms) {
      const double dew_k = room.humidity.dew_point_k;
      plan_.has_rooms_like_outside = plan_.has_rooms_like_outside || !room.humidity.is_given;
      if (room.humidity.is_given) plan_.dew_point_k = std::max(plan_.dew_point_k.value_or(dew_k), dew_k);
    }
  }

  void add_machine(const Stream& stream) {
    const Drive* drive = drive_of(diagram_, stream.flow);
    if (drive == nullptr || !drive->motor) return;
    const std::size_t group = group_of(diagram_, *drive->motor);
    if (std::ranges::find(plan_.machines, group, &EconomiserMachines::motor_group) != plan_.machines.end()) return;
    EconomiserMachines machines{group};
    const ChilledWaterSpec* water = find_chilled(scenario_.cooling, chilled_->name);
    if (water != nullptr && diagram_.motor_groups[group].name == chillers_of(water->name))
      machines.each_carries_w = water->chillers.stage_up_fraction * water->chillers.chiller.rated_heat_w;
    plan_.machines.push_back(machines);
  }

  void add_exchanger(const std::string& name) {
    Stream& cold = stream_named(diagram_, name + ".cold_in");
    Drive* cold_drive = drive_of(diagram_, cold.flow);
    const InputId valve = diagram_.declare_input(name + ".cold_valve", 1.0);
    cold_drive->shutoff_input = valve;
    Stream& warm = stream_named(diagram_, name + ".warm_out");
    const Drive warm_drive = *drive_of(diagram_, warm.flow);
    EconomiserExchanger part{group_of(diagram_, *warm_drive.motor), valve.number};
    if (warm.to == chilled_->back) {
      plan_.can_precool = true;
      const auto way_out = [&](const char* to, double share) {
        const InputId open = diagram_.declare_input(fmt::format("{}.{}", name, to), share);
        const FlowId flow = diagram_.declare_flow();
        Drive drive = warm_drive;
        drive.shutoff_input = open;
        diagram_.drive(flow, drive);
        return std::pair(open, flow);
      };
      const auto [to_return, return_flow] = way_out("return_valve", 1.0);
      const auto [to_supply, supply_flow] = way_out("supply_valve", 0.0);
      part.to_return_input = to_return.number;
      part.to_supply_input = to_supply.number;
      warm.flow = code_of(return_flow);
      const JunctionId inside = warm.from;
      const double specific_heat = warm.specific_heat_j_per_kg_k;
      diagram_.stream(name + ".warm_past", inside, chilled_->supply, code_of(supply_flow), specific_heat);
    }
    plan_.exchangers.push_back(part);
  }

  Diagram& diagram_;
  const Scenario& scenario_;
  const SequenceSpec& spec_;
  const Params& params_;
  Problems& problems_;
  const FluidSystem* towers_ = nullptr;
  const FluidSystem* chilled_ = nullptr;
  PlannedEconomiser plan_;
};

}  // namespace

void add_economiser(Diagram& diagram, const Scenario& scenario, const SequenceSpec& spec, Problems& problems) {
  Planner(diagram, scenario, spec, problems).plan();
}

}  // namespace wattloop::twin
