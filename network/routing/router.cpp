#include "network/routing/router.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/numbers/random.hpp"

namespace wattloop::network {

namespace {

constexpr std::uint32_t hash_stream = 45;

/// On the way up, the place of the receiver below its leaf selects the spine, its leaf selects the switch above, and so on. The way down is the
/// mirror of the way up.
std::uint32_t by_receiver(const Flow& flow, const Hop& hop, std::uint64_t) {
  if (!hop.is_up) return static_cast<std::uint32_t>(std::uint64_t{hop.first_cable} * hop.count / hop.first_count);
  std::uint32_t number = hop.number == 0 ? flow.to_node : hop.to_leaf;
  for (std::uint32_t before = 1; before < hop.number; ++before) number /= hop.count;
  return number % hop.count;
}

std::uint32_t by_hash(const Flow& flow, const Hop& hop, std::uint64_t seed) {
  const RandomCounter ends{flow.from_node, flow.to_node, flow.from_gpu << 16 ^ flow.to_gpu, hop.at};
  return static_cast<std::uint32_t>(std::uint64_t{philox(ends, random_key(seed, hash_stream))[0]} * hop.count >> 32);
}

/// Indices of all entries of `key`, sorted by their key, which is below `keys`.
std::vector<std::uint32_t> in_order_of(std::span<const std::uint32_t> key, std::size_t keys) {
  std::vector<std::uint32_t> next(keys + 1, 0), order(key.size());
  for (const std::uint32_t one : key) ++next[one + 1];
  for (std::size_t one = 0; one < keys; ++one) next[one + 1] += next[one];
  for (std::uint32_t i = 0; i < key.size(); ++i) order[next[key[i]]++] = i;
  return order;
}

}  // namespace

/// A way between two ports.
struct Router::Ends {
  std::uint32_t from_link, to_link;
  std::uint32_t from_leaf, to_leaf;
  double b_per_s;  ///< of the slower port
};

/// Workspace of one list of flows.
struct Router::Work {
  TowardLeaf toward;
  std::uint32_t leaf = no_class;  ///< that `toward` leads to
  std::vector<RouteShare> shares = {};

  void turn_to(std::uint32_t to_leaf) {
    if (leaf == to_leaf) return;
    leaf = to_leaf;
    toward.turn_to(to_leaf);
  }
};

Router::Router(const Fabric& fabric, FabricHealth health, RoutingRule rule)
    : fabric_(&fabric),
      health_(std::move(health)),
      rule_(rule),
      positions_(find_equal_positions(fabric, health_,
                                      rule.kind == RoutingRule::Kind::balanced ? Alike::by_health : Alike::exactly)) {
  const std::size_t ports = fabric.tier_link[1];
  const auto add = [&](double b_per_s) { resource_b_per_s_.insert(resource_b_per_s_.end(), 2, b_per_s); };
  for (std::size_t link = 0; link < ports; ++link) {
    port_b_per_s_.push_back(live_b_per_s(fabric, health_, link));
    add(port_b_per_s_.back());
  }
  first_bundle_ = static_cast<std::uint32_t>(resource_b_per_s_.size());
  if (rule.is_fluid()) {
    for (std::size_t bundle = 0; bundle < positions_.bundle_count(); ++bundle)
      add(positions_.bundle_links[bundle] * positions_.bundle_link_b_per_s[bundle]);
  } else {
    for (std::size_t link = ports; link < fabric.link_count(); ++link) add(live_b_per_s(fabric, health_, link));
  }
  first_nvlink_ = static_cast<std::uint32_t>(resource_b_per_s_.size());
  for (const double fraction : health_.nvlink_fraction) add(fraction * fabric.params.nvlink_b_per_s);
}

std::uint32_t Router::resource_of_link(std::size_t link) const {
  if (!rule_.is_fluid() || link < fabric_->tier_link[1]) return 2 * static_cast<std::uint32_t>(link);
  const std::uint32_t bundle = positions_.link_bundle[link];
  return bundle == no_bundle ? no_bundle : first_bundle_ + 2 * bundle;
}

bool Router::is_direct(const Flow& flow) const {
  return fabric_->nvlink_domain(flow.from_node) == fabric_->nvlink_domain(flow.to_node);
}

Router::Ends Router::ends_of(const Flow& flow, std::size_t from_rail, std::size_t to_rail) const {
  const auto from = static_cast<std::uint32_t>(fabric_->node_link(flow.from_node, from_rail));
  const auto to = static_cast<std::uint32_t>(fabric_->node_link(flow.to_node, to_rail));
  return {from, to, fabric_->link_upper[from], fabric_->link_upper[to],
          std::min(port_b_per_s_[from], port_b_per_s_[to])};
}

/// Adds a path from leaf to leaf. `work` is already prepared for the other leaf.
void Router::add_path(std::uint32_t from_leaf, const Flow& flow, Work& work, std::vector<RouteShare>& shares) const {
  const std::size_t before = shares.size();
  if (rule_.is_fluid()) {
    work.toward.add_adaptive(from_leaf, shares);
    for (std::size_t i = before; i < shares.size(); ++i) shares[i].resource += first_bundle_;
  } else {
    const CableChoice choose = rule_.kind == RoutingRule::Kind::hashed ? by_hash : by_receiver;
    work.toward.add_single(from_leaf, flow, choose, rule_.seed, shares);
  }
}

/// Adds a fraction of a flow over two ports and the links between them. False if no path connects the ports.
bool Router::add_way(const Flow& flow, const Ends& ends, double fraction, Work& work,
                     std::vector<RouteShare>& shares) const {
  if (!(ends.b_per_s > 0.0)) return false;
  const std::size_t before = shares.size();
  shares.push_back({2 * ends.from_link, 1.0});
  if (ends.from_leaf != ends.to_leaf) {
    work.turn_to(ends.to_leaf);
    if (!(work.toward.capacity_b_per_s(ends.from_leaf) > 0.0)) {
      shares.resize(before);
      return false;
    }
    add_path(ends.from_leaf, flow, work, shares);
  }
  shares.push_back({2 * ends.to_link + 1, 1.0});
  for (std::size_t i = before; i < shares.size(); ++i) shares[i].fraction *= fraction;
  return true;
}

/// Adds a path over another rail, if the rails of sender and receiver have no path.
void Router::add_detour(const Flow& flow, Work& work, FlowRoutes& routes) const {
  const std::size_t from_rail = fabric_->rail_of_gpu(flow.from_gpu), to_rail = fabric_->rail_of_gpu(flow.to_gpu);
  const bool are_ports_live = ends_of(flow, from_rail, to_rail).b_per_s > 0.0;
  if (are_ports_live && from_rail != to_rail && add_way(flow, ends_of(flow, to_rail, to_rail), 1.0, work, routes.own))
    return;
  const std::size_t before = routes.own.size();
  std::vector<std::pair<std::size_t, double>> ways;  // end in `own`, bandwidth
  double sum_b_per_s = 0.0;
  for (std::size_t rail = 0; rail < static_cast<std::size_t>(fabric_->params.rails); ++rail) {
    const Ends ends = ends_of(flow, rail, rail);
    if (!add_way(flow, ends, 1.0, work, routes.own)) continue;
    ways.emplace_back(routes.own.size(), ends.b_per_s);
    sum_b_per_s += ends.b_per_s;
  }
  std::size_t i = before;
  for (const auto& [end, b_per_s] : ways) {
    for (; i < end; ++i) routes.own[i].fraction *= b_per_s / sum_b_per_s;
  }
}

/// Inside a node or an NVLink domain.
void Router::add_direct(const Flow& flow, std::size_t number, FlowRoutes& routes) const {
  const auto gpus = static_cast<std::size_t>(fabric_->params.gpus_per_node);
  const std::size_t from = flow.from_node * gpus + flow.from_gpu, to = flow.to_node * gpus + flow.to_gpu;
  const bool has_way = from == to || (health_.nvlink_fraction[from] > 0.0 && health_.nvlink_fraction[to] > 0.0);
  routes.has_route[number] = has_way ? 1 : 0;
  if (from == to || !has_way) return;
  routes.own.push_back({resource_of_nvlink(from), 1.0});
  routes.own.push_back({resource_of_nvlink(to) + 1, 1.0});
}

/// Adds paths from leaf to leaf for all flows outside of NVLink domains whose ports are live.
void Router::add_paths(std::span<const Flow> flows, const std::vector<Ends>& ends, Work& work,
                       FlowRoutes& routes) const {
  const std::size_t leaves = fabric_->tier_switch[1];
  std::vector<std::uint32_t> path_from(leaves, no_path), last_leaf(leaves, no_class), to_leaf;
  for (const Ends& one : ends) to_leaf.push_back(one.to_leaf);
  for (const std::uint32_t i : in_order_of(to_leaf, leaves)) {  // so that each leaf is turned to once
    const Ends& way = ends[i];
    if (is_direct(flows[i]) || !(way.b_per_s > 0.0)) continue;
    routes.has_route[i] = 1;
    if (way.from_leaf == way.to_leaf) continue;
    work.turn_to(way.to_leaf);
    if (!(work.toward.capacity_b_per_s(way.from_leaf) > 0.0)) {
      routes.has_route[i] = 0;
      continue;
    }
    if (!rule_.is_fluid() || last_leaf[way.from_leaf] != way.to_leaf) {
      last_leaf[way.from_leaf] = way.to_leaf;
      path_from[way.from_leaf] = static_cast<std::uint32_t>(routes.path_count());
      add_path(way.from_leaf, flows[i], work, routes.of_path);
      routes.first_of_path.push_back(static_cast<std::uint32_t>(routes.of_path.size()));
    }
    routes.path[i] = path_from[way.from_leaf];
  }
}

FlowRoutes Router::routes(std::span<const Flow> flows) const {
  FlowRoutes routes;
  routes.resource_b_per_s = resource_b_per_s_;
  routes.has_route.assign(flows.size(), 0);
  routes.path.assign(flows.size(), no_path);
  routes.first_of_path.assign(1, 0);
  std::vector<Ends> ends;
  ends.reserve(flows.size());
  for (const Flow& flow : flows)
    ends.push_back(ends_of(flow, fabric_->rail_of_gpu(flow.from_gpu), fabric_->rail_of_gpu(flow.to_gpu)));
  Work work{TowardLeaf(*fabric_, positions_)};
  add_paths(flows, ends, work, routes);

  routes.first_own.reserve(flows.size() + 1);
  routes.own.reserve(2 * flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    routes.first_own.push_back(static_cast<std::uint32_t>(routes.own.size()));
    if (is_direct(flows[i])) {
      add_direct(flows[i], i, routes);
    } else if (routes.has_route[i] != 0) {
      routes.own.push_back({2 * ends[i].from_link, 1.0});
      routes.own.push_back({2 * ends[i].to_link + 1, 1.0});
    } else {
      add_detour(flows[i], work, routes);
      routes.has_route[i] = routes.own.size() > routes.first_own.back() ? 1 : 0;
    }
  }
  routes.first_own.push_back(static_cast<std::uint32_t>(routes.own.size()));
  return routes;
}

LinkLoads Router::loads(const FlowRoutes& routes, std::span<const double> rate_b_per_s) const {
  std::vector<double> of_path(routes.path_count(), 0.0), of_resource(resource_b_per_s_.size(), 0.0);
  for (std::size_t flow = 0; flow < routes.flow_count(); ++flow) {
    if (routes.has_route[flow] == 0) continue;
    if (routes.path[flow] != no_path) of_path[routes.path[flow]] += rate_b_per_s[flow];
    for (const RouteShare& share : routes.own_of(flow))
      of_resource[share.resource] += share.fraction * rate_b_per_s[flow];
  }
  for (std::size_t path = 0; path < of_path.size(); ++path) {
    for (const RouteShare& share : routes.shares_of(path))
      of_resource[share.resource] += share.fraction * of_path[path];
  }
  LinkLoads loads;
  loads.up_b_per_s.assign(fabric_->link_count(), 0.0);
  loads.down_b_per_s.assign(fabric_->link_count(), 0.0);
  for (std::size_t link = 0; link < fabric_->link_count(); ++link) {
    const std::uint32_t resource = resource_of_link(link);
    if (resource == no_bundle || of_resource[resource] + of_resource[resource + 1] == 0.0) continue;
    const bool is_of_bundle = rule_.is_fluid() && link >= fabric_->tier_link[1];
    const double part = is_of_bundle ? live_b_per_s(*fabric_, health_, link) / resource_b_per_s_[resource] : 1.0;
    loads.up_b_per_s[link] = of_resource[resource] * part;
    loads.down_b_per_s[link] = of_resource[resource + 1] * part;
  }
  for (std::size_t gpu = 0; gpu < health_.nvlink_fraction.size(); ++gpu) {
    loads.nvlink_out_b_per_s.push_back(of_resource[resource_of_nvlink(gpu)]);
    loads.nvlink_in_b_per_s.push_back(of_resource[resource_of_nvlink(gpu) + 1]);
  }
  return loads;
}

}  // namespace wattloop::network
