#include "twin/build/assembly/assembly.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "physics/fluids/advection.hpp"
#include "twin/build/assembly/system_flows.hpp"
#include "twin/build/assembly/water_network.hpp"
#include "twin/units/catalog.hpp"

namespace wattloop::twin {

namespace {

/// Makes the plant of a diagram, region by region.
class Assembly {
 public:
  explicit Assembly(Diagram& diagram) : diagram_(diagram) {
    for (const PartKind& kind : part_kinds()) plant_.components.push_back(kind.make_set());
  }

  Plant assemble() {
    take_over();
    place_states();
    place_inputs();
    place_junctions();
    place_systems();
    for (PlannedEconomiser& economiser : plant_.economisers) {
      for (EconomiserReturn& back : economiser.back) back.flow = position(back.flow);
    }
    join_streams();
    join_parts();
    join_units();
    join_flows();
    return std::move(plant_);
  }

 private:
  /// What is the same in both.
  void take_over() {
    plant_.motors = std::move(diagram_.motors);
    plant_.motor_groups = std::move(diagram_.motor_groups);
    plant_.settings = std::move(diagram_.settings);
    plant_.it = std::move(diagram_.it);
    plant_.fabric = std::move(diagram_.fabric);
    plant_.doors = std::move(diagram_.doors);
    plant_.outside = diagram_.outside;
    plant_.waters_from_outside = std::move(diagram_.waters_from_outside);
    plant_.named = std::move(diagram_.named);
    plant_.sequences = std::move(diagram_.sequences);
    plant_.economisers = std::move(diagram_.economisers);
    plant_.meters = std::move(diagram_.meters);
    plant_.power_tree = std::move(diagram_.power_tree);
    plant_.batteries = std::move(diagram_.batteries);
    plant_.standby = std::move(diagram_.standby);
    plant_.switch_rules = std::move(diagram_.switch_rules);
    plant_.site_loads = std::move(diagram_.site_loads);
    plant_.voltages = std::move(diagram_.voltages);
    plant_.blocks = std::move(diagram_.blocks);
    plant_.without_ups = std::move(diagram_.without_ups);
    plant_.guards = std::move(diagram_.guards);
    plant_.branch_meter = std::move(diagram_.branch_meter);
    plant_.map.bus_count = plant_.power_tree.bus_name.size();
    for (const DeclaredLoad& load : diagram_.loads) plant_.load_use.push_back(load.use);

    plant_.uses = std::move(diagram_.uses);
    plant_.map.load_count = diagram_.loads.size();
    plant_.map.flow_count = diagram_.flow_count;
  }

  /// Those of units come last.
  void place_states() {
    StateLayout& layout = plant_.layout;
    for (const DeclaredState& state : diagram_.states) {
      layout.add(state.component, state.info);
      plant_.rate_per_sink.push_back(1.0 / state.capacity);
    }
    plant_.map.first_unit_state = layout.size();
    for (const DeclaredUnits& units : diagram_.units) {
      for (const StateInfo& info : find_unit_kind(units.kind)->states) layout.add_column(units.unit_names, info);
    }
    plant_.map.state_count = layout.size();
    plant_.rate_per_sink.resize(layout.size(), 1.0);
  }

  /// The same.
  void place_inputs() {
    const auto add = [this](const std::string& name, double value) {
      plant_.input_names.push_back(name);
      plant_.initial_inputs.push_back(value);
    };
    for (const auto& [name, value] : diagram_.inputs) add(name, value);
    plant_.map.first_unit_input = plant_.input_names.size();
    for (const DeclaredUnits& units : diagram_.units) {
      for (const std::string& name : units.unit_names) add(name + ".load", 0.0);
    }
    plant_.map.input_count = plant_.input_names.size();
  }

  void place_junctions() {
    for (const Junction& junction : diagram_.junctions) {
      const std::size_t signal =
          junction.is_boundary() ? plant_.map.input(junction.temperature_input.number) : junction.state;
      plant_.nodes.push_back({junction.name, junction.heat_capacity_j_per_k, signal, junction.state});
    }
    for (const Room& room : diagram_.rooms) {
      const std::size_t set_point = room.set_point ? room.set_point->number : no_part;
      RoomPart part{room.name, room.air.number, plant_.nodes[room.air.number].heat_sink, set_point, {}};
      for (const JunctionId water : room.coil_waters) part.coil_nodes.push_back(water.number);
      part.has_adjustable_cooling = room.has_adjustable_cooling;
      part.dew_point_k = room.dew_point_k;
      plant_.rooms.push_back(std::move(part));
    }
    for (const auto& [room, body] : diagram_.loss_bodies)
      plant_.loss_bodies.push_back({room, plant_.nodes[body.number].heat_sink});
  }

  void place_systems() {
    for (const std::string& name : diagram_.system_names()) {
      const FluidSystem& system = diagram_.system(name);
      SystemPart part{.name = name, .fluid = system.fluid, .fluids = system.fluids};
      part.supply_node = system.supply.number;
      part.return_node = system.back.number;
      part.set_point_input = system.set_point.number;
      part.pumps = system.pumps;
      if (system.is_own() && !system.pumps.empty()) {
        part.load_flow = system.load_flow.number;
        part.source_flow = system.source_flow.number;
        part.bypass_flow = system.bypass_flow.number;
      }
      plant_.systems.push_back(std::move(part));
    }
  }

  /// The position in signals or sinks that a code stands for.
  std::size_t position(std::size_t code) const {
    const std::size_t number = number_in_region(code);
    switch (region_of(code)) {
      case Region::state:
        break;
      case Region::temperature:
        return plant_.nodes[number].temperature_signal;
      case Region::heat:
        return plant_.nodes[number].heat_sink;
      case Region::flow:
        return plant_.map.flow(number);
      case Region::input:
        return plant_.map.input(number);
      case Region::load:
        return plant_.map.load(number);
    }
    return number;
  }
  double position(double number) const { return as_number(position(static_cast<std::size_t>(number))); }

  void join_streams() {
    const std::size_t kind = part_kind_number(physics::Advection::kind);
    for (const Stream& stream : diagram_.streams) {
      plant_.links.push_back(
          {stream.name, stream.from.number, stream.to.number, position(stream.flow), stream.specific_heat_j_per_kg_k});
      const physics::Advection::Now seen{
          .from = body(stream.from), .to = body(stream.to), .flow_kg_per_s = as_number(stream.flow)};
      const physics::Advection::Effect done{.to = heat_into(stream.to), .from = heat_into(stream.from)};
      const auto from = numbers_in(seen);
      const auto to = numbers_in(done);
      join({{},
            kind,
            physics::Advection::Params{stream.specific_heat_j_per_kg_k},
            {from.begin(), from.end()},
            {to.begin(), to.end()},
            {}});
    }
  }

  void join_parts() {
    for (const DiagramPart& part : diagram_.parts) join(part);
  }

  void join(const DiagramPart& part) {
    const PartKind& kind = part_kinds()[part.kind];
    seen_.assign(part.seen.begin(), part.seen.end());
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (!kind.is_given[k]) seen_[k] = position(seen_[k]);
    }
    done_.clear();
    for (const double code : part.done) done_.push_back(position(code));
    shown_.clear();
    for (const double code : part.shown) shown_.push_back(position(code));
    plant_.components[part.kind]->add(
        {.name = part.name, .params = part.params, .seen = seen_, .done = done_, .shown = shown_});
  }

  void join_units() {
    std::size_t state = plant_.map.first_unit_state, input = plant_.map.first_unit_input;
    for (DeclaredUnits& units : diagram_.units) {
      const UnitKind& kind = *find_unit_kind(units.kind);
      for (Station& station : units.stations) join(station);
      auto group = kind.make_group(units.params, units.name, std::move(units.unit_names), std::move(units.stations),
                                   std::move(units.classes));
      group->first_state = state;
      group->first_load = plant_.map.input(input);
      state += group->count() * kind.states.size();
      input += group->count();
      plant_.groups.push_back(std::move(group));
    }
  }

  void join(Station& station) const {
    station.power_sink = position(station.power_sink);
    for (PortWiring& port : station.ports) {
      port.temperature_signal = position(port.temperature_signal);
      port.flow_signal = position(port.flow_signal);
      port.heat_sink = position(port.heat_sink);
    }
  }

  void join_flows() {
    FlowLaws laws;
    laws.first_flow = plant_.map.flow(0);
    laws.flow_count = plant_.map.flow_count;
    for (const LoopFlows& loop : diagram_.loops) laws.networks.push_back(network_of(loop));
    std::ranges::move(diagram_.networks, std::back_inserter(laws.networks));
    for (NetworkFlows& network : laws.networks) join(network);
    for (const auto& [flow, drive] : diagram_.drives) laws.driven.push_back(driven(flow, drive));
    for (auto& [flow, terms, share] : diagram_.sums) {
      for (auto& [code, coefficient] : terms) code = position(code);
      SumFlow sum{.terms = std::move(terms), .flow_signal = position(code_of(flow))};
      if (share) {
        sum.part_signal = position(code_of(share->part));
        sum.whole_signal = position(code_of(share->whole));
        sum.share_of_nothing = share->of_nothing;
      }
      laws.sums.push_back(std::move(sum));
    }
    plant_.flows = FlowModel(std::move(laws));
  }

  void join(NetworkFlows& network) const {
    for (NetworkBranch& branch : network.branches) {
      for (std::size_t* signal : {&branch.speed_signal, &branch.position_signal, &branch.passage_signal,
                                  &branch.clog_signal, &branch.imposed_signal, &branch.flow_signal}) {
        if (*signal != no_signal) *signal = position(*signal);
      }
    }
  }

  DrivenFlow driven(FlowId flow, const Drive& drive) const {
    DrivenFlow driven{.design_kg_per_s = drive.design_kg_per_s, .flow_signal = position(code_of(flow))};
    if (drive.design_input) driven.design_signal = position(code_of(*drive.design_input));
    if (drive.shutoff_input) driven.shutoff_signal = position(code_of(*drive.shutoff_input));
    if (drive.passage_input) driven.shutoff_signal = position(code_of(*drive.passage_input));
    if (drive.valve_state) {
      driven.valve_state = *drive.valve_state;
      driven.valve = drive.valve;
    }
    const std::vector<MotorPart>& motors = plant_.motors;
    if (drive.motor) driven.speed_states.push_back(motors[drive.motor->number].speed_state);
    if (drive.pumps.empty()) return driven;
    const MotorGroup& group = *std::ranges::find(plant_.motor_groups, drive.pumps, &MotorGroup::name);
    for (const std::size_t motor : group.motors) driven.speed_states.push_back(motors[motor].speed_state);
    driven.duty = static_cast<double>(std::max<std::size_t>(group.duty, 1));
    return driven;
  }

  Diagram& diagram_;
  Plant plant_;
  std::vector<double> seen_, done_, shown_;  ///< scratch
};

}  // namespace

Plant assemble(Diagram diagram) {
  find_system_flows(diagram);
  make_water_networks(diagram);
  return Assembly(diagram).assemble();
}

}  // namespace wattloop::twin
