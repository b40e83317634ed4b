#include "tests/support/halls/one_line_hall.hpp"

#include <cmath>
#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/drawings/diagrams/hall_diagrams.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

namespace wattloop::tests::one_line {

using namespace wattloop::twin;

Topology topology_of(const OneLineHall& hall) {
  Topology topology;
  const auto join = [&](const std::string& from, const std::string& to) {
    topology.connections.push_back({from, to, "electricity"});
  };
  for (const std::string& bus : hall.buses) {
    const auto level = hall.fault_levels_a.find(bus);
    topology.parts.push_back({.name = bus,
                              .kind = "bus",
                              .nominal_v = 400.0,
                              .fault_level_a = level == hall.fault_levels_a.end() ? 0.0 : level->second});
  }
  for (const std::string& feed : hall.feeds) {
    topology.parts.push_back({.name = "utility_" + feed, .kind = "utility feed"});
    join("utility_" + feed, "feed_" + feed);
  }
  for (const auto& [generator, bus] : hall.generators) {
    topology.parts.push_back({.name = generator, .kind = "generator"});
    join(generator, bus);
  }
  for (const BranchAt& one : hall.branches) {
    topology.parts.push_back({.name = one.name, .kind = one.kind, .goes_both_ways = one.goes_both_ways});
    join(one.from, one.name);
    join(one.name, one.to);
  }
  for (const auto& [load, buses] : hall.loads) {
    topology.parts.push_back({.name = load, .kind = load.substr(0, load.find('_'))});
    for (const std::string& bus : buses) join(bus, load);
  }
  return topology;
}

std::string one_line_of(const OneLineHall& hall) {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "hall.h5", "2026-01-01T00:00:00");
  TableSpec breakers{.group = "breakers", .item_dimension = "breaker", .columns = {{"state", "1", "s"}}},
      feeders{.group = "feeders", .item_dimension = "feeder", .columns = {{"power", "W", "p"}}},
      buses{.group = "buses", .item_dimension = "bus", .columns = {{"voltage", "V", "v"}, {"voltage_ratio", "1", "r"}}},
      branches{.group = "branches",
               .item_dimension = "branch",
               .columns = {{"current", "A", "c"}, {"power_factor", "1", "f"}, {"power", "W", "p"}}};
  std::vector<float> states, starts, powers, voltages, currents;
  for (const BranchAt& one : hall.branches) {
    for (TableSpec* table : {&breakers, &feeders, &branches}) table->items.push_back(one.name);
    states.push_back(one.state);
    starts.push_back(one.state_at_start.value_or(one.state));
    powers.push_back(std::abs(one.power_w));
    currents.push_back(std::abs(one.power_w) / 100.0F);
  }
  for (std::size_t k = 0; k < hall.branches.size(); ++k) currents.push_back(0.876F);
  for (const BranchAt& one : hall.branches) currents.push_back(one.power_w);
  for (const auto& [bus, voltage_v] : hall.voltages_v) buses.items.push_back(bus), voltages.push_back(voltage_v);
  for (const auto& [bus, voltage_v] : hall.voltages_v) voltages.push_back(voltage_v / 400.0F);
  for (const auto& [generator, at] : hall.generator_states) {
    breakers.items.push_back(generator);
    starts.push_back(at.first), states.push_back(at.second);
  }
  const bool has_voltages = !hall.voltages_v.empty();
  const std::size_t states_at = writer.add_table(breakers), powers_at = writer.add_table(feeders);
  const std::size_t buses_at = has_voltages ? writer.add_table(buses) : 0;
  const std::size_t branches_at = has_voltages ? writer.add_table(branches) : 0;
  const std::size_t site_at =
      hall.other_loads_w ? writer.add_table({.group = "facility", .columns = {{"site_load_power", "W", "p"}}}) : 0;
  for (const double time_s : {0.0, 10.0}) {
    if (hall.other_loads_w) writer.append(site_at, time_s, std::vector{*hall.other_loads_w});
    writer.append(states_at, time_s, time_s == 0.0 ? starts : states);
    writer.append(powers_at, time_s, powers);
    if (has_voltages) writer.append(buses_at, time_s, voltages), writer.append(branches_at, time_s, currents);
  }
  writer.write_topology(topology_of(hall));
  writer.finish();
  return one_line_diagram(ResultsReader(folder / "hall.h5"), {.time_s = starts == states ? 0.0 : 10.0});
}

std::string box_titled(const std::string& svg, const std::string& title) {
  const std::size_t at = svg.find(">" + title + "</text>");
  if (at == std::string::npos) return {};
  const std::size_t begin = svg.rfind("<g class='b", at) + std::string("<g class='").size();
  return svg.substr(begin, svg.find("</g>", at) - begin);
}

BarAt bar_titled(const std::string& svg, const std::string& title) {
  const std::string text = box_titled(svg, title);
  std::smatch found;
  REQUIRE(std::regex_search(text, found, std::regex("<path d='M([-0-9.]+) ([-0-9.]+)H([-0-9.]+)'")));
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3])};
}

std::vector<WayAt> ways_in(const std::string& svg) {
  std::vector<WayAt> all;
  const std::regex way("<path class='way ([a-z]+)' d='(M([-0-9.]+) ([-0-9.]+)[^']*)'/>");
  for (std::sregex_iterator found(svg.begin(), svg.end(), way), end; found != end; ++found)
    all.push_back({(*found)[1], std::stod((*found)[3]), std::stod((*found)[4]), (*found)[2]});
  return all;
}

std::size_t times_in(const std::string& svg, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++count;
  return count;
}

}  // namespace wattloop::tests::one_line
