#include "twin/results/schema/topology_group.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "twin/results/schema/item_labels.hpp"

namespace wattloop::twin {

namespace {

void write_buses_and_ties(Hdf5Writer& file, const std::vector<TopologyPart>& parts) {
  const Hdf5Dimension part{"part", parts.size()};
  std::vector<double> nominal_v, fault_level_a;
  std::vector<std::int32_t> both_ways;
  for (const TopologyPart& one : parts) {
    nominal_v.push_back(one.nominal_v);
    fault_level_a.push_back(one.fault_level_a);
    both_ways.push_back(one.goes_both_ways ? 1 : 0);
  }
  const std::size_t voltage = file.add({.group = "topology",
                                        .name = "nominal_voltage",
                                        .dimensions = {part},
                                        .attributes = {{"units", "V"}, {"long_name", "of buses, between phases"}}});
  file.write(voltage, 0, std::span<const double>(nominal_v));
  const std::size_t fault_level = file.add(
      {.group = "topology",
       .name = "fault_level",
       .dimensions = {part},
       .attributes = {{"units", "A"},
                      {"long_name", "largest initial symmetrical short-circuit current of buses, from feeds"}}});
  file.write(fault_level, 0, std::span<const double>(fault_level_a));
  const std::size_t ways = file.add(
      {.group = "topology",
       .name = "goes_both_ways",
       .type = Hdf5Type::int32,
       .dimensions = {part},
       .attributes = {{"units", "1"}, {"long_name", "1: carries power from either of its buses to the other"}}});
  file.write(ways, 0, std::span<const std::int32_t>(both_ways));
}

}  // namespace

void write_topology_group(Hdf5Writer& file, const Topology& topology) {
  const auto texts = [&](const char* name, const char* long_name, const Hdf5Dimension& along, const auto& items,
                         auto member) {
    std::vector<std::string> values;
    for (const auto& item : items) values.push_back(item.*member);
    if (name != along.name) {
      write_texts(file, "topology", name, long_name, along, values);
      return;
    }
    const std::size_t variable = file.add({.group = "topology",
                                           .name = name,
                                           .type = Hdf5Type::text,
                                           .dimensions = {along},
                                           .attributes = {{"long_name", long_name}}});
    file.write(variable, 0, std::span<const std::string>(values));
  };
  const Hdf5Dimension part{"part", topology.parts.size()}, connection{"connection", topology.connections.size()};
  texts("part", "name of the part", part, topology.parts, &TopologyPart::name);
  texts("kind", "kind of the part", part, topology.parts, &TopologyPart::kind);
  std::vector<double> ratings_w;
  for (const TopologyPart& one : topology.parts) ratings_w.push_back(one.rating_w);
  const std::size_t rating =
      file.add({.group = "topology",
                .name = "rating",
                .dimensions = {part},
                .attributes = {{"units", "W"}, {"long_name", "rated heat or power of the part"}}});
  file.write(rating, 0, std::span<const double>(ratings_w));
  write_buses_and_ties(file, topology.parts);
  texts("from", "part from which it comes", connection, topology.connections, &TopologyConnection::from);
  texts("to", "part to which it goes", connection, topology.connections, &TopologyConnection::to);
  texts("medium", "type of connection: electricity or heat; inside: the second part contains the first", connection,
        topology.connections, &TopologyConnection::medium);
}

}  // namespace wattloop::twin
