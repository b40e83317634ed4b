#include "twin/build/assembly/diagram.hpp"

#include <algorithm>
#include <stdexcept>

namespace wattloop::twin {

std::size_t Diagram::declare_state(const std::string& component, const StateInfo& info, double capacity) {
  states.push_back({component, info, capacity});
  return states.size() - 1;
}

std::size_t Diagram::declare_meter(const std::string& name, std::string_view unit) {
  return declare_state(name, {meter_state_name, unit, 0.0, 1.0});
}

JunctionId Diagram::declare_junction(const std::string& name, double heat_capacity_j_per_k, double typical_k) {
  const std::size_t state = declare_state(name, {"temperature", "K", typical_k, 1e-2}, heat_capacity_j_per_k);
  junctions.push_back({name, heat_capacity_j_per_k, state, {}});
  junction_of_name_[name] = junctions.size() - 1;
  return {junctions.size() - 1};
}

JunctionId Diagram::declare_boundary(const std::string& name, InputId temperature_input) {
  const std::size_t meter = declare_meter(name + ".heat");
  meters.boundaries.push_back(meter);
  junctions.push_back({name, 0.0, meter, temperature_input});
  junction_of_name_[name] = junctions.size() - 1;
  return {junctions.size() - 1};
}

InputId Diagram::declare_input(const std::string& name, double value) {
  inputs.emplace_back(name, value);
  return {inputs.size() - 1};
}

InputId Diagram::declare_setting(const std::string& component, std::string_view name, std::string_view unit,
                                 double value) {
  const std::string whole = component + "." + std::string(name);
  const InputId input = declare_input(whole, value);
  settings.push_back({whole, input.number, unit});
  return input;
}

InputId Diagram::nothing() {
  if (!nothing_) nothing_ = declare_input("nothing", 0.0);
  return *nothing_;
}

void Diagram::declare_system(const FluidSystem& system) {
  if (!systems_.emplace(system.name, system).second) throw std::logic_error("two systems named '" + system.name + "'");
  system_names_.push_back(system.name);
}

const MotorGroup& Diagram::motor_group(const std::string& name) const {
  const auto group = std::ranges::find(motor_groups, name, &MotorGroup::name);
  if (group == motor_groups.end()) throw std::out_of_range("no group of motors '" + name + "'");
  return *group;
}

std::size_t Diagram::use_number(const UseOfPower& use) {
  const auto known = std::ranges::find(uses, use);
  const auto number = static_cast<std::size_t>(known - uses.begin());
  if (known != uses.end()) return number;
  uses.push_back(use);
  meters.energy.push_back(declare_meter(std::string(use.name) + ".energy"));
  return number;
}

std::size_t Diagram::declare_load(DeclaredLoad load) {
  loads.push_back(std::move(load));
  return loads.size() - 1;
}

MotorId Diagram::declare_motor(const std::string& name, const MotorRequest& request, const StateInfo& speed) {
  const MotorId motor{motors.size()};
  const SupplyPoint at = request.is_on_ups ? SupplyPoint::ups : SupplyPoint::low_voltage;
  motors.push_back({.name = name,
                    .speed_state = declare_state(name, speed),
                    .command_input = declare_input(name + ".command", 0.0).number,
                    .load = declare_load({name, request.use, at, motor.number}),
                    .restart_delay_s = request.restart_delay_s,
                    .is_on_ups = request.is_on_ups});
  return motor;
}

void Diagram::stream(const std::string& name, JunctionId from, JunctionId to, std::size_t flow,
                     double specific_heat_j_per_kg_k) {
  streams.push_back({name, from, to, flow, specific_heat_j_per_kg_k});
}

void Diagram::pass(const Passage& way, const std::string& stream_in, const std::string& stream_out) {
  stream(stream_in, way.from, way.inside, way.flow, way.specific_heat_j_per_kg_k);
  stream(stream_out, way.inside, way.to, way.flow, way.specific_heat_j_per_kg_k);
}

void Diagram::add_part(const std::string& name, std::string_view kind, std::any params, const Joined& joined) {
  parts.push_back({name,
                   part_kind_number(kind),
                   std::move(params),
                   {joined.seen.begin(), joined.seen.end()},
                   {joined.done.begin(), joined.done.end()},
                   {joined.shown.begin(), joined.shown.end()}});
}

}  // namespace wattloop::twin
