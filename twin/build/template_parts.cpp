// Parts that a scenario names itself: of any kind whose header says how its ports are joined. Nothing here knows a kind.

#include <algorithm>

#include <fmt/format.h>

#include "core/nearest.hpp"
#include "twin/build/templates.hpp"

namespace wattloop::twin {

namespace {

/// One part, port by port.
class Joiner {
 public:
  Joiner(Diagram& diagram, const PartSpec& spec, Problems& problems)
      : diagram_(diagram),
        spec_(spec),
        problems_(problems),
        number_(part_kind_number(spec.kind)),
        kind_(*part_kinds()[number_].written),
        seen_(kind_.now_count),
        done_(kind_.effect_count) {}

  void join() {
    for (const PartPort& port : kind_.ports) {
      if (port.medium == PortMedium::electric) join_motor(port);
    }
    declare_states();
    for (const PartPort& port : kind_.ports) join(port);
    for (const PartSetting& setting : kind_.settings) join(setting);
    diagram_.parts.push_back({spec_.name, number_, spec_.params, seen_, done_, {}});
    diagram_.named.push_back({spec_.name, std::string(spec_.kind), hangs_on_, load_});
  }

 private:
  void declare_states() {
    for (std::size_t state = 0; state < kind_.states.size(); ++state) {
      double& seen = seen_[kind_.first_state_seen + state];
      const bool is_of_motor = std::ranges::any_of(kind_.ports, [&](const PartPort& port) {
        return port.speed.count > 0 && port.speed.first == kind_.first_state_seen + state;
      });
      if (!is_of_motor) seen = as_number(diagram_.declare_state(spec_.name, kind_.states[state]));
      done_[kind_.first_rate_done + state] = seen;
    }
  }

  void join(const PartPort& port) {
    switch (port.medium) {
      case PortMedium::liquid:
      case PortMedium::air:
        return join_passage(port);
      case PortMedium::heat:
        return join_heat(port);
      case PortMedium::weather:
        return join_weather(port);
      case PortMedium::reading:
        return join_reading(port);
      case PortMedium::electric:
        return;  // done: its speed is a state
    }
  }

  void join_motor(const PartPort& port) {
    const auto motors = std::ranges::count(kind_.ports, PortMedium::electric, &PartPort::medium);
    const std::string name = motors == 1 ? spec_.name : fmt::format("{}.{}", spec_.name, port.name);
    const PortSpec* said = find_port(port);
    const MotorWanted wanted{.use = diagram_.use_number(port.use),
                             .restart_delay_s = port.restart_delay_s(spec_.params),
                             .is_on_ups = said != nullptr && said->from == "ups"};
    const std::size_t state = port.speed.first - kind_.first_state_seen;
    const MotorId motor = diagram_.declare_motor(name, wanted, kind_.states[state]);
    diagram_.hall.motor_groups.push_back({.name = name, .motors = {motor.number}, .duty = 1});
    seen_[port.speed.first] = diagram_.speed_number(motor);
    if (port.seen.count > 0) seen_[port.seen.first] = diagram_.order_of(motor).command_fraction;
    done_[port.done.first] = diagram_.power_of(motor).power_w;
    load_ = diagram_.hall.motors[motor.number].load;
  }

  /// Between the two headers of a system, either way, moved by its pumps.
  void join_passage(const PartPort& port) {
    const PortSpec& said = *find_port(port);
    const auto from = find_junction(said, said.from), to = find_junction(said, said.to);
    if (!from || !to) return;
    const FluidSystem* system = nullptr;
    for (const auto& [name, candidate] : diagram_.systems()) {
      const bool is_source = *from == candidate.back && *to == candidate.supply;
      const bool is_user = *from == candidate.supply && *to == candidate.back;
      if (candidate.is_own() && !candidate.pumps.empty() && (is_source || is_user)) system = &candidate;
    }
    if (system == nullptr) return refuse_passage(port, said);
    const double volume_m3 = port.volume_m3(spec_.params);
    const JunctionId inside = diagram_.declare_junction(fmt::format("{}.{}", spec_.name, port.name),
                                                        volume_m3 * system->heat_capacity_j_per_m3_k,
                                                        diagram_.inputs[system->set_point.number].second);
    const FlowId flow = diagram_.declare_flow();
    diagram_.drive(flow, {.design_kg_per_s = port.design_kg_per_s(spec_.params), .pumps = system->pumps});
    const Passage way{*from, inside, *to, code_of(flow), system->specific_heat_j_per_kg_k};
    diagram_.pass(way, fmt::format("{}.{}_in", spec_.name, port.name), fmt::format("{}.{}_out", spec_.name, port.name));
    const auto inlet = numbers_in(way.inlet<PortMedium::liquid>());
    std::ranges::copy(inlet, seen_.begin() + static_cast<std::ptrdiff_t>(port.seen.first));
    done_[port.done.first] = way.heat().heat_w;
    insides_.emplace_back(port.name, inside);
    hangs_on_.push_back(system->name);
  }

  void refuse_passage(const PartPort& port, const PortSpec& said) {
    std::string systems;
    for (const auto& [name, system] : diagram_.systems()) {
      if (system.is_own() && !system.pumps.empty()) systems += (systems.empty() ? "" : ", ") + name;
    }
    refuse(said, fmt::format("{}.{} leads from {} to {}", spec_.name, port.name, said.from, said.to),
           systems.empty() ? "this hall has no system of pumps that it could hang on"
                           : "expected the supply and the return of one system with pumps: " + systems);
  }

  void join_heat(const PartPort& port) {
    const PortSpec* said = find_port(port);
    if (said == nullptr || said->from == "outdoors") {
      if (port.seen.count > 0)
        return refuse(*said, fmt::format("{}.{} is outdoors", spec_.name, port.name), "name a room");
      done_[port.done.first] = as_number(diagram_.meters.outdoors);
      return;
    }
    const auto junction = find_junction(*said, said->from);
    if (!junction) return;
    if (port.seen.count > 0) seen_[port.seen.first] = temperature_number(*junction);
    done_[port.done.first] = heat_into(*junction).heat_w;
    hangs_on_.push_back(said->from);
  }

  void join_weather(const PartPort& port) {
    constexpr double mild_k = 288.15;
    declare_weather(diagram_, mild_k);
    const auto air = numbers_in(outside_air(diagram_));
    std::copy_n(air.begin(), port.seen.count, seen_.begin() + static_cast<std::ptrdiff_t>(port.seen.first));
    done_[port.done.first] = as_number(diagram_.hall.sky_meter);
    if (port.done.count > 1) done_[port.done.first + 1] = as_number(make_up_meter(diagram_));
    hangs_on_.emplace_back("weather");
  }

  void join_reading(const PartPort& port) {
    double& seen = seen_[port.seen.first];
    if (const PortSpec* said = find_port(port)) {
      if (const auto junction = find_junction(*said, said->from)) seen = temperature_number(*junction);
      return;
    }
    const auto inside = std::ranges::find(insides_, port.inside, &std::pair<std::string_view, JunctionId>::first);
    if (inside != insides_.end()) seen = temperature_number(inside->second);
  }

  void join(const PartSetting& setting) {
    for (const auto& [name, value] : spec_.settings) {
      if (name != setting.info.name) continue;
      seen_[setting.number] =
          number_of(diagram_.declare_setting(spec_.name, setting.info.name, setting.info.unit, value));
    }
  }

  const PortSpec* find_port(const PartPort& port) const {
    const auto found = std::ranges::find(spec_.ports, port.name, &PortSpec::port);
    return found == spec_.ports.end() ? nullptr : &*found;
  }

  std::optional<JunctionId> find_junction(const PortSpec& said, const std::string& name) {
    if (diagram_.has_junction(name)) return diagram_.junction(name);
    std::vector<std::string> names;
    for (const Junction& junction : diagram_.junctions) names.push_back(junction.name);
    const std::string near = nearest_hint(name, names);
    const bool is_held = name.find('.') != std::string::npos && diagram_.has_junction(name.substr(0, name.find('.')));
    refuse(said, fmt::format("{}.{} is joined to '{}', which is not there", spec_.name, said.port, name),
           is_held ? fmt::format("{} comes from outside, at a held temperature: it has no headers",
                                 name.substr(0, name.find('.')))
                   : near);
    return std::nullopt;
  }

  void refuse(const PortSpec& said, std::string message, std::string hint) {
    problems_.add({said.mention.place, std::move(message), std::move(hint), said.mention.excerpt});
  }

  Diagram& diagram_;
  const PartSpec& spec_;
  Problems& problems_;
  const std::size_t number_;  ///< of its kind
  const WritablePart& kind_;
  std::vector<double> seen_, done_;
  std::vector<std::pair<std::string_view, JunctionId>> insides_;  ///< of passages joined so far
  std::vector<std::string> hangs_on_;
  std::size_t load_ = no_part;
};

}  // namespace

void add_parts(Diagram& diagram, const Scenario& scenario, Problems& problems) {
  for (const PartSpec& part : scenario.parts) {
    const bool is_taken =
        diagram.has_junction(part.name) || diagram.has_system(part.name) ||
        std::ranges::find(diagram.hall.motors, part.name, &MotorPart::name) != diagram.hall.motors.end();
    if (is_taken) {
      problems.add({part.mention.place, fmt::format("the hall has a '{}' already", part.name),
                    "a name that nothing else has", part.mention.excerpt});
      continue;
    }
    Joiner(diagram, part, problems).join();
  }
}

}  // namespace wattloop::twin
