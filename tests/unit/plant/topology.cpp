// What results say of how a hall is joined: against the power tree and the halls it was made from, and back from a file.
#include "twin/ratings/topology.hpp"

#include <map>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Ways = std::multimap<std::string, std::string>;

Ways ways(const Topology& topology, const std::string& medium, bool backwards) {
  Ways found;
  for (const TopologyConnection& one : topology.connections) {
    if (one.medium == medium) found.emplace(backwards ? one.to : one.from, backwards ? one.from : one.to);
  }
  return found;
}

/// All that can be reached from there; a way that comes back to `start` is reported by `start` itself.
std::set<std::string> reached(const Ways& ways, const std::string& start) {
  std::set<std::string> seen;
  std::vector<std::string> next{start};
  while (!next.empty()) {
    const std::string here = next.back();
    next.pop_back();
    const auto [first, last] = ways.equal_range(here);
    for (auto way = first; way != last; ++way) {
      if (seen.insert(way->second).second) next.push_back(way->second);
    }
  }
  return seen;
}

std::map<std::string, std::string> kinds(const Topology& topology) {
  std::map<std::string, std::string> kind;
  for (const TopologyPart& part : topology.parts) kind[part.name] = part.kind;
  return kind;
}

}  // namespace

TEST_CASE("every connection joins two parts of the topology, and no part is there twice", "[topology]") {
  for (const Scenario& scenario : {tests::small_hall_scenario(), tests::lively_hall_scenario()}) {
    const Topology topology = topology_of(build_plant(scenario));
    const auto kind = kinds(topology);
    CHECK(kind.size() == topology.parts.size());
    std::size_t loose = 0;
    for (const TopologyConnection& one : topology.connections)
      loose += kind.contains(one.from) && kind.contains(one.to) ? 0 : 1;
    CHECK(loose == 0);
  }
}

TEST_CASE("power of every load comes from each of its feeds, as the power tree has it", "[topology]") {
  const Plant plant = build_plant(tests::small_hall_scenario());
  const Topology topology = topology_of(plant);
  const electrical::PowerTree& tree = plant.power_tree;
  const Ways up = ways(topology, "electricity", true);
  std::size_t connections = tree.source_name.size() + 2 * tree.branch_name.size();
  for (const NamedPart& part : plant.named) {
    if (part.load == no_part) continue;
    for (const int bus : tree.load_bus[part.load]) {
      if (bus == electrical::no_bus) continue;
      ++connections;
      // By hand: up from the bus, branch by branch.
      std::set<std::string> sources;
      std::vector<int> buses{bus};
      while (!buses.empty()) {
        const int here = buses.back();
        buses.pop_back();
        for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
          if (tree.branch_to[b] == here) buses.push_back(tree.branch_from[b]);
        }
        for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
          if (tree.source_bus[s] == here) sources.insert(tree.source_name[s]);
        }
      }
      CHECK_FALSE(sources.empty());
      const std::set<std::string> above = reached(up, part.name);
      for (const std::string& source : sources) CHECK(above.contains(source));
    }
  }
  CHECK(up.size() == connections);
}

TEST_CASE("heat of every rack comes to the weather through CDUs and chillers, and never back", "[topology]") {
  const Plant plant = build_plant(tests::small_hall_scenario());
  const Topology topology = topology_of(plant);
  const auto kind = kinds(topology);
  const Ways out = ways(topology, "heat", false);
  std::size_t racks = 0;
  for (const auto& [name, what] : kind) {
    CHECK_FALSE(reached(out, name).contains(name));
    if (what != "rack") continue;
    ++racks;
    const std::set<std::string> way = reached(out, name);
    CHECK(way.contains("weather"));
    std::set<std::string> through;
    for (const std::string& part : way) through.insert(kind.at(part));
    for (const char* needed : {"coolant loop", "CDU", "chiller", "tower cell", "air handler", "room", "water system"})
      CHECK(through.contains(needed));
  }
  CHECK(racks == 8);
  // Which loop cools a rack: the one whose flow goes through its node of coolant.
  const std::set<std::string> way = reached(out, "row_1.rack_1");
  CHECK(way.contains("loop_1"));
  CHECK_FALSE(way.contains("loop_2"));
}

TEST_CASE("a topology comes back from a results file as it was", "[topology]") {
  const tests::TemporaryFolder folder;
  const Topology topology{.parts = {{"utility_a", "utility feed", 5e6},
                                    {"utility_a.bus", "bus", 0.0, 415.0},
                                    {"tie", "breaker", 0.0, 0.0, true},
                                    {"rack \"1\" <x>", "rack", 1.0}},
                          .connections = {{"utility_a", "utility_a.bus", "electricity"},
                                          {"utility_a.bus", "rack \"1\" <x>", "electricity"}}};
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  writer.write_topology(topology);
  tests::write_sample(writer);
  writer.finish();
  CHECK(ResultsReader(folder / "run.h5").topology() == topology);
  ResultsWriter without(folder / "without.h5", "2026-01-01T00:00:00");
  tests::write_sample(without);
  without.finish();
  CHECK(ResultsReader(folder / "without.h5").topology().parts.empty());
}
