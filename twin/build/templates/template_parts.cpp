// Parts that a scenario names itself: of any kind whose header says how its ports are joined. Nothing here knows a kind.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/parts/fault_setting.hpp"
#include "core/text/nearest.hpp"
#include "physics/air/wet_coil.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/checks/coil_water.hpp"

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
        params_(spec.params),
        seen_(kind_.now_count),
        done_(kind_.effect_count) {}

  void join() {
    for (const PartPort& port : kind_.ports) {
      if (port.medium == PortMedium::electric) join_motor(port);
    }
    declare_states();
    for (const PartSetting& setting : kind_.settings) join(setting);
    for (const PartSetting& fault : kind_.faults) join_fault(fault);
    for (const PartPort& port : kind_.ports) join(port);
    join_settings_of_system();
    note_coils();
    diagram_.parts.push_back({spec_.name, number_, params_, seen_, done_, {}});
    diagram_.named.push_back({spec_.name, std::string(spec_.kind), hangs_on_, load_, motors_});
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
    const MotorRequest request{.use = diagram_.use_number(port.use),
                               .restart_delay_s = port.restart_delay_s(spec_.params),
                               .is_on_ups = said != nullptr && said->from == "ups"};
    const std::size_t state = port.speed.first - kind_.first_state_seen;
    const MotorId motor = diagram_.declare_motor(name, request, kind_.states[state]);
    diagram_.motor_groups.push_back({.name = name, .motors = {motor.number}, .duty = 1});
    seen_[port.speed.first] = diagram_.speed_number(motor);
    if (port.seen.count > 0) seen_[port.seen.first] = diagram_.order_of(motor).command_fraction;
    done_[port.done.first] = diagram_.power_of(motor).power_w;
    load_ = diagram_.motors[motor.number].load;
    motor_ = motor;
    motors_.push_back(motor.number);
  }

  /// Between the two headers of a system, either way, or out of its return header and back into it.
  void join_passage(const PartPort& port) {
    const PortSpec& said = *find_port(port);
    auto from = find_junction(said, said.from), to = find_junction(said, said.to);
    if (!from || !to) return;
    const FluidSystem* system = nullptr;
    for (const auto& [name, candidate] : diagram_.systems()) {
      const bool is_source = *from == candidate.back && *to == candidate.supply;
      const bool is_precooler = port.may_precool && *from == candidate.back && *to == candidate.back;
      const bool is_user = *from == candidate.supply && *to == candidate.back;
      const bool fits = makes_water(port) ? is_source || is_precooler : is_source || is_user;
      if (candidate.is_own() && !candidate.pumps.empty() && fits) system = &candidate;
    }
    if (system == nullptr) return refuse_passage(port, said);
    const double volume_m3 = port.volume_m3(spec_.params);
    const JunctionId inside = diagram_.declare_junction(fmt::format("{}.{}", spec_.name, port.name),
                                                        volume_m3 * system->heat_capacity_j_per_m3_k,
                                                        diagram_.inputs[system->set_point.number].second);
    if (makes_water(port)) maker_of_ = system;
    if (*from == *to) from = system->users_back;  // in series, before the return header
    const Passage way{*from, inside, *to, flow_through(port, *system), system->specific_heat_j_per_kg_k};
    diagram_.pass(way, fmt::format("{}.{}_in", spec_.name, port.name), fmt::format("{}.{}_out", spec_.name, port.name));
    const auto inlet = numbers_in(way.inlet<PortMedium::liquid>());
    std::ranges::copy(inlet, seen_.begin() + static_cast<std::ptrdiff_t>(port.seen.first));
    done_[port.done.first] = way.heat().heat_w;
    insides_.emplace_back(port.name, inside);
    if (system->beside_water.film_ratio != 1.0) params_ = kind_.in_liquid(params_, port.name, system->beside_water);
    hangs_on_.push_back(system->name);
  }

  /// Code of what flows through a passage: its setting, or a flow that its motor or the pumps of its system drive.
  std::size_t flow_through(const PartPort& port, const FluidSystem& system) {
    if (port.imposed_flow.count > 0) return static_cast<std::size_t>(seen_[port.imposed_flow.first]);
    const FlowId flow = diagram_.declare_flow();
    Drive drive{.design_kg_per_s = port.design_kg_per_s(spec_.params),
                .design_input = declare_passage(diagram_, fmt::format("{}.{}", spec_.name, port.name))};
    if (port.is_moved_by_own_motor) {
      drive.motor = motor_;
    } else {
      drive.pumps = system.pumps;
    }
    diagram_.drive(flow, drive);
    return code_of(flow);
  }

  /// Water of its coil may drip in the air that it stands in.
  void note_coils() {
    for (Room& room : diagram_.rooms) {
      if (!stands_in(room)) continue;
      for (const std::string& water : diagram_.coil_waters) {
        if (std::ranges::find(hangs_on_, water) != hangs_on_.end()) note_coil(diagram_, water, room);
      }
    }
  }

  /// The room whose air has that name, or in which the row of that name stands; nullptr: of none.
  const Room* room_of(std::string_view air) const {
    const std::string_view owner = air.substr(0, air.find('.'));
    const auto row = std::ranges::find(diagram_.rows, owner, &Row::name);
    if (row != diagram_.rows.end()) return &diagram_.rooms[row->room];
    const auto room = std::ranges::find(diagram_.rooms, owner, &Room::name);
    return room == diagram_.rooms.end() ? nullptr : &*room;
  }

  bool stands_in(const Room& room) const {
    return std::ranges::any_of(hangs_on_, [&](const std::string& air) { return room_of(air) == &room; });
  }

  void refuse_passage(const PartPort& port, const PortSpec& said) {
    const char* ends = !makes_water(port) ? "the supply and the return"
                       : port.may_precool ? "from the return to the supply, or back to the return,"
                                          : "from the return to the supply";
    std::string systems;
    for (const auto& [name, system] : diagram_.systems()) {
      if (system.is_own() && !system.pumps.empty()) systems += (systems.empty() ? "" : ", ") + name;
    }
    refuse(said, fmt::format("{}.{} leads from {} to {}", spec_.name, port.name, said.from, said.to),
           systems.empty() ? "this hall has no system of pumps that it could be connected to"
                           : fmt::format("expected {} of one system with pumps: {}", ends, systems));
  }

  /// Of the air at a port; of what stands in no room as in the first.
  RoomHumidity humidity_at(std::string_view port) const {
    const auto said = std::ranges::find(spec_.ports, port, &PortSpec::port);
    const Room* room = said == spec_.ports.end() ? nullptr : room_of(said->from);
    return humidity_in(diagram_, (room == nullptr ? diagram_.rooms.front() : *room).name);
  }

  void join_heat(const PartPort& port) {
    if (port.name == physics::vapour_port) {
      done_[port.done.first] = humidity_at("air").vapour.heat_w;
      return;
    }
    const PortSpec* said = find_port(port);
    if (said == nullptr || said->from == "outdoors") {
      if (port.seen.count > 0)
        return refuse(*said, fmt::format("{}.{} is outdoors", spec_.name, port.name), "write the name of a room");
      done_[port.done.first] = as_number(diagram_.meters.outdoors);
      return;
    }
    const auto junction = find_junction(*said, said->from);
    if (!junction) return;
    if (port.seen.count > 0 && port.name == "air" && is_header(*junction))
      return refuse(*said, fmt::format("{}.{} is air, and {} is water", spec_.name, port.name, said->from),
                    "name a room or an aisle: room_1, row_1.hot_aisle");
    if (port.seen.count > 0) seen_[port.seen.first] = temperature_number(*junction);
    done_[port.done.first] = heat_into(*junction).heat_w;
    hangs_on_.push_back(said->from);
  }

  void join_weather(const PartPort& port) {
    constexpr double mild_k = 288.15;
    declare_weather(diagram_, mild_k);
    const auto air = numbers_in(outside_air(diagram_));
    std::copy_n(air.begin(), port.seen.count, seen_.begin() + static_cast<std::ptrdiff_t>(port.seen.first));
    done_[port.done.first] = as_number(diagram_.meters.sky);
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
    if (inside != insides_.end()) {
      seen = temperature_number(inside->second);
      return;
    }
    const RoomHumidity humidity = humidity_at(port.inside);  // of air, which is no passage
    seen = number_of(port.unit == "K" ? humidity.dew_point : humidity.pressure);
  }

  /// Whether what is moved through this port by its own pump is held at the temperature of its system: it stands between return and
  /// supply, and nowhere else.
  bool makes_water(const PartPort& port) const {
    return port.is_moved_by_own_motor && std::ranges::any_of(kind_.settings, &PartSetting::is_of_system);
  }

  void join(const PartSetting& setting) {
    if (setting.is_of_system) return;
    for (const auto& [name, value] : spec_.settings) {
      if (name != setting.info.name) continue;
      seen_[setting.number] =
          number_of(diagram_.declare_setting(spec_.name, setting.info.name, setting.info.unit, value));
    }
  }

  void join_fault(const PartSetting& fault) {
    const double sound = fault_in(fault.info.name).fault->sound;
    seen_[fault.number] = number_of(diagram_.declare_setting(spec_.name, fault.info.name, fault.info.unit, sound));
  }

  void join_settings_of_system() {
    for (const PartSetting& setting : kind_.settings) {
      if (setting.is_of_system && maker_of_ != nullptr) seen_[setting.number] = number_of(maker_of_->set_point);
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
    const bool is_from_outside =
        name.find('.') != std::string::npos && diagram_.has_junction(name.substr(0, name.find('.')));
    refuse(said, fmt::format("{}.{} is connected to '{}', which does not exist", spec_.name, said.port, name),
           is_from_outside ? fmt::format("{} comes from outside at a given temperature: it has no headers",
                                         name.substr(0, name.find('.')))
                           : near);
    return std::nullopt;
  }

  bool is_header(JunctionId junction) const {
    return std::ranges::any_of(diagram_.systems(), [&](const auto& named) {
      return junction == named.second.supply || junction == named.second.back;
    });
  }

  void refuse(const PortSpec& said, std::string message, std::string hint) {
    problems_.add({said.mention.place, std::move(message), std::move(hint), said.mention.excerpt});
  }

  Diagram& diagram_;
  const PartSpec& spec_;
  Problems& problems_;
  const std::size_t number_;  ///< of its kind
  const WritablePart& kind_;
  std::any params_;  ///< with the liquids of its passages
  std::vector<double> seen_, done_;
  std::vector<std::pair<std::string_view, JunctionId>> insides_;  ///< of passages joined so far
  std::vector<std::string> hangs_on_;
  std::optional<MotorId> motor_;
  std::vector<std::size_t> motors_;
  const FluidSystem* maker_of_ = nullptr;  ///< the system whose water it makes
  std::size_t load_ = no_part;
};

}  // namespace

namespace {

/// Names of all that stands in the hall so far, and of what is made of it.
std::set<std::string> names_taken(const Diagram& diagram, const PowerSpec& power) {
  std::set<std::string> names{"weather", "outdoors", "sky", "feed", "towers", "chillers", "rear_doors"};
  const auto whole = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  for (const DeclaredState& state : diagram.states) {
    names.insert(state.component);
    names.insert(whole(state.component));
  }
  for (const DeclaredLoad& load : diagram.loads) names.insert(load.name);
  for (const DiagramPart& part : diagram.parts) names.insert(part.name);
  for (const SettingPart& setting : diagram.settings) names.insert(whole(setting.name));
  const electrical::OneLineDiagram one_line = one_line_of(diagram, power);
  for (const electrical::Branch& branch : one_line.branches) names.insert(branch.name);
  for (const electrical::Source& source : one_line.sources) names.insert(source.name);
  return names;
}

bool is_plain(const std::string& name) {
  return std::ranges::all_of(name, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

/// Names of rows and rooms, where drawings may show a part.
std::vector<std::string> places(const Diagram& diagram) {
  std::vector<std::string> names;
  for (const Row& row : diagram.rows) names.push_back(row.name);
  for (const Room& room : diagram.rooms) names.push_back(room.name);
  return names;
}

/// Every system with pumps has something that makes its water.
void check_sources(const Diagram& diagram, const Scenario& scenario, Problems& problems) {
  for (const auto& [name, system] : diagram.systems()) {
    if (!system.is_own() || system.pumps.empty()) continue;
    const JunctionId supply = system.supply;
    if (std::ranges::any_of(diagram.streams, [&](const Stream& stream) { return stream.to == supply; })) continue;
    Problem problem;
    problem.place.file = scenario.file;
    problem.message = fmt::format("nothing cools the water of {}", name);
    problem.hint = fmt::format("it has pumps, so it needs {1} or a part from {0}.return to {0}.supply", name,
                               find_chilled(scenario.cooling, name) != nullptr ? "chillers" : "towers");
    problems.add(std::move(problem));
  }
}

}  // namespace

void add_parts(Diagram& diagram, const Scenario& scenario, Problems& problems) {
  std::set<std::string> taken = scenario.parts.empty() ? std::set<std::string>{} : names_taken(diagram, scenario.power);
  const PartSpec* refused = nullptr;
  for (const PartSpec& part : scenario.parts) {
    const auto refuse = [&](std::string message, std::string hint) {
      problems.add({part.mention.place, std::move(message), std::move(hint), part.mention.excerpt});
    };
    const bool is_alike = refused != nullptr && refused->mention.place.line == part.mention.place.line &&
                          refused->mention.place.column == part.mention.place.column && part.mention.place.line > 0;
    if (is_alike) continue;  // one of many alike is enough
    const std::size_t before = problems.size();
    if (!is_plain(part.name)) {
      refuse(fmt::format("'{}' is not a valid name of a part", part.name), "use letters, digits and _ only");
    } else if (!taken.insert(part.name).second) {
      refuse(fmt::format("the hall has a '{}' already", part.name), "choose a name that is not used yet");
    } else {
      Joiner(diagram, part, problems).join();
    }
    if (const auto names = places(diagram); !part.at.empty() && std::ranges::count(names, part.at) == 0)
      problems.add({part.at_mention.place, fmt::format("the hall has no row or room '{}'", part.at),
                    nearest_hint(part.at, names), part.at_mention.excerpt});
    if (problems.size() > before) refused = &part;
  }
  if (problems.size() == 0) check_sources(diagram, scenario, problems);
}

}  // namespace wattloop::twin
