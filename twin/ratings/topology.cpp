#include "twin/ratings/topology.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>

#include "electrical/electrical_catalog.hpp"
#include "twin/ratings/power/fault_network.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* electricity = "electricity";
constexpr const char* heat = "heat";
constexpr const char* inside = "inside";
constexpr std::size_t far_away = 1000;

const std::set<std::string_view> bodies{"coolant loop", "water system", "room", "row", "surroundings", "boundary"};

class Joiner {
 public:
  explicit Joiner(const Plant& plant) : plant_(plant) {
    for (const RatedLoad& load : rated_loads(plant)) rated_w_[load.name] = load.rated_w;
  }

  Topology join() {
    add_parts();
    measure_ways_out();
    for (const NamedPart& part : plant_.named) add_heat(part);
    add_electricity();
    return std::move(topology_);
  }

 private:
  static std::string noun_of(std::string_view electrical_kind) {
    return std::string(electrical::electrical_kind(electrical_kind).noun);
  }

  void add(const std::string& name, std::string kind, double nominal_v = 0.0, bool goes_both_ways = false) {
    std::ranges::replace(kind, '_', ' ');
    if (!kind_.emplace(name, kind).second) return;
    TopologyPart part{.name = name, .kind = kind, .nominal_v = nominal_v, .goes_both_ways = goes_both_ways};
    if (const auto rated = rated_w_.find(name); rated != rated_w_.end()) part.rating_w = rated->second;
    topology_.parts.push_back(std::move(part));
  }

  void connect(const std::string& from, const std::string& to, const char* medium) {
    topology_.connections.push_back({from, to, medium});
  }

  void add_parts() {
    for (const NamedPart& part : plant_.named) add(part.name, part.kind);
    for (const NamedPart& part : plant_.named) {
      for (const std::string& giver : part.hangs_on) {
        if (giver == "weather" || giver == "outdoors") add(giver, "surroundings");
        if (giver == "given temperature") add(giver, "boundary");
      }
    }
    const electrical::PowerTree& tree = plant_.power_tree;
    for (std::size_t s = 0; s < tree.source_name.size(); ++s) add(tree.source_name[s], noun_of(tree.source_kind[s]));
    add_buses(tree);
    for (const SiteLoadPart& site : plant_.site_loads) add(tree.load_name[site.load], "other load");
    for (std::size_t b = 0; b < tree.branch_name.size(); ++b)
      add(tree.branch_name[b], noun_of(tree.branch_kind[b]), 0.0, tree.branch_goes_both_ways[b] != 0);
  }

  /// With the fault levels of those whose voltage is known.
  void add_buses(const electrical::PowerTree& tree) {
    const std::vector<double> before_a = short_circuit_currents_a(tree, FaultFrom::feeds, FaultSize::largest);
    const std::vector<double> behind_a = currents_behind_ups_a(tree, FaultSize::largest);
    for (std::size_t b = 0; b < tree.bus_name.size(); ++b) {
      add(tree.bus_name[b], "bus", tree.bus_voltage_v[b]);
      TopologyPart& part = topology_.parts.back();
      if (part.name == tree.bus_name[b] && part.nominal_v > 0.0)
        part.fault_level_a = std::max(before_a[b], behind_a[b]);
    }
  }

  bool is_body(const std::string& name) const {
    const auto kind = kind_.find(name);
    return kind != kind_.end() && bodies.contains(kind->second);
  }

  /// Bodies of coolant, water and air that a part touches.
  std::vector<std::string> bodies_of(const NamedPart& part) const {
    std::vector<std::string> touched;
    std::ranges::copy_if(part.hangs_on, std::back_inserter(touched),
                         [&](const std::string& name) { return is_body(name); });
    return touched;
  }

  /// How many parts heat crosses from each body until it is outside: it goes to the body that is nearer.
  void measure_ways_out() {
    std::map<std::string, std::set<std::string>> beside;  // bodies that a part joins
    for (const NamedPart& part : plant_.named) {
      if (is_rack(part)) continue;
      std::vector<std::string> touched = bodies_of(part);
      if (is_body(part.name)) touched.push_back(part.name);
      for (const std::string& body : touched) beside[body].insert(touched.begin(), touched.end());
    }
    std::deque<std::string> next;
    for (const auto& [name, kind] : kind_) {
      if (kind != "surroundings" && kind != "boundary") continue;
      parts_to_outside_[name] = 0;
      next.push_back(name);
    }
    for (; !next.empty(); next.pop_front()) {
      const std::size_t distance = parts_to_outside_.at(next.front());
      for (const std::string& other : beside[next.front()]) {
        if (parts_to_outside_.emplace(other, distance + 1).second) next.push_back(other);
      }
    }
  }

  std::size_t way_out(const std::string& body) const {
    const auto known = parts_to_outside_.find(body);
    return known == parts_to_outside_.end() ? far_away : known->second;
  }

  static bool is_rack(const NamedPart& part) { return part.kind == "rack" || part.kind == "network rack"; }

  void add_heat(const NamedPart& part) {
    if (part.kind == "coolant loop" || part.kind == "rear doors") return;  // CDUs and racks say how heat passes there
    const std::vector<std::string> touched = bodies_of(part);
    if (part.kind == "pump" || touched.empty()) {
      for (const std::string& giver : part.hangs_on) {
        if (kind_.contains(giver)) connect(part.name, giver, inside);
      }
      return;
    }
    const bool is_exchanger = touched.size() > 1 && !is_rack(part);
    std::size_t nearest = far_away + 1;
    for (const std::string& body : touched) nearest = std::min(nearest, way_out(body));
    for (std::size_t k = 0; k < touched.size(); ++k) {
      const bool comes_from = is_exchanger && (way_out(touched[k]) > nearest || (k == 0 && are_level(touched)));
      if (comes_from) {
        connect(touched[k], part.name, heat);
      } else {
        connect(part.name, touched[k], heat);
      }
    }
  }

  /// None is nearer to the outside than another: the first is cooled, by what hangs between them.
  bool are_level(const std::vector<std::string>& touched) const {
    return std::ranges::all_of(touched,
                               [&](const std::string& body) { return way_out(body) == way_out(touched.front()); });
  }

  void add_electricity() {
    const electrical::PowerTree& tree = plant_.power_tree;
    const auto bus = [&](int number) { return tree.bus_name[static_cast<std::size_t>(number)]; };
    for (std::size_t s = 0; s < tree.source_name.size(); ++s)
      connect(tree.source_name[s], bus(tree.source_bus[s]), electricity);
    for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
      connect(bus(tree.branch_from[b]), tree.branch_name[b], electricity);
      connect(tree.branch_name[b], bus(tree.branch_to[b]), electricity);
    }
    const auto connect_load = [&](std::size_t load, const std::string& name) {
      for (const int number : tree.load_bus[load])
        if (number != electrical::no_bus) connect(bus(number), name, electricity);
    };
    for (const NamedPart& part : plant_.named)
      if (part.load != no_part) connect_load(part.load, part.name);
    for (const SiteLoadPart& site : plant_.site_loads) connect_load(site.load, tree.load_name[site.load]);
  }

  const Plant& plant_;
  std::map<std::string, double> rated_w_;
  std::map<std::string, std::string> kind_;
  std::map<std::string, std::size_t> parts_to_outside_;
  Topology topology_;
};

}  // namespace

Topology topology_of(const Plant& plant) { return Joiner(plant).join(); }

}  // namespace wattloop::twin
