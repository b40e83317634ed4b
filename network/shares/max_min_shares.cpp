#include "network/shares/max_min_shares.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wattloop::network {

namespace {

/// For each resource, the members of a list of shares that use it: the transpose of the list.
struct Users {
  std::vector<std::uint32_t> first, user;

  std::span<const std::uint32_t> of(std::size_t resource) const {
    return std::span(user).subspan(first[resource], first[resource + 1] - first[resource]);
  }
};

Users users_of(std::span<const std::uint32_t> first_share, std::span<const RouteShare> shares, std::size_t resources) {
  Users users;
  users.first.assign(resources + 1, 0);
  for (const RouteShare& share : shares) ++users.first[share.resource + 1];
  std::partial_sum(users.first.begin(), users.first.end(), users.first.begin());
  users.user.resize(shares.size());
  std::vector<std::uint32_t> next(users.first.begin(), users.first.end() - 1);
  for (std::uint32_t row = 0; row + 1 < first_share.size(); ++row) {
    for (std::size_t i = first_share[row]; i < first_share[row + 1]; ++i) users.user[next[shares[i].resource]++] = row;
  }
  return users;
}

class Filling {
 public:
  Filling(const FlowRoutes& routes, std::span<const double> demand_b_per_s);
  FlowShares fill();

 private:
  double full_at(std::uint32_t resource) const { return std::max(0.0, left_[resource]) / weight_[resource]; }
  void stop(std::uint32_t flow, double rate, std::uint32_t bottleneck);
  void stop_at_limit(double rate);
  void stop_at(std::uint32_t resource, double rate);
  void settle_paths(double rate);
  void take(const RouteShare& share, double count, double rate);
  void push(std::uint32_t resource);

  void limit_by_ports();

  const FlowRoutes& routes_;
  std::vector<double> limit_;  ///< [flows] demand, or less: bandwidth of a resource that no other flow passes
  std::vector<std::uint32_t> limited_by_;  ///< [flows] such a resource, or `no_bottleneck`: the demand
  FlowShares shares_;
  std::vector<std::uint8_t> is_rising_;  ///< [flows]
  std::vector<std::uint32_t> by_limit_;  ///< flows in ascending order of their limit
  std::size_t next_limit_ = 0;
  std::vector<double> left_,
      weight_;                  ///< [resources] bandwidth that flows which stopped leave; fractions of those that rise
  std::vector<double> rising_;  ///< [resources] how many shares rise: 0 exactly when none is left
  std::vector<std::uint32_t> stopped_;                 ///< [paths] flows that stopped and are not settled
  std::vector<std::uint32_t> touched_;                 ///< paths with such flows
  std::vector<std::uint32_t> first_flow_, path_flow_;  ///< flows of a path
  Users own_, of_path_;
  std::vector<std::pair<double, std::uint32_t>> heap_;  ///< least rate first; may be too low, never too high
};

Filling::Filling(const FlowRoutes& routes, std::span<const double> demand_b_per_s)
    : routes_(routes), limit_(demand_b_per_s.begin(), demand_b_per_s.end()), left_(routes.resource_b_per_s) {
  const std::size_t flows = routes.flow_count(), resources = left_.size(), paths = routes.path_count();
  shares_.rate_b_per_s.assign(flows, 0.0);
  shares_.bottleneck.assign(flows, no_bottleneck);
  is_rising_ = routes.has_route;
  weight_.assign(resources, 0.0);
  rising_.assign(resources, 0.0);
  stopped_.assign(paths, 0);
  own_ = users_of(routes.first_own, routes.own, resources);
  of_path_ = users_of(routes.first_of_path, routes.of_path, resources);
  first_flow_.assign(paths + 1, 0);
  for (const std::uint32_t path : routes.path) {
    if (path != no_path) ++first_flow_[path + 1];
  }
  std::partial_sum(first_flow_.begin(), first_flow_.end(), first_flow_.begin());
  path_flow_.resize(first_flow_.back());
  std::vector<std::uint32_t> next(first_flow_.begin(), first_flow_.end() - 1);
  for (std::uint32_t flow = 0; flow < flows; ++flow) {
    if (is_rising_[flow] == 0) continue;
    by_limit_.push_back(flow);
    if (routes.path[flow] != no_path) path_flow_[next[routes.path[flow]]++] = flow;
    for (const RouteShare& share : routes.own_of(flow)) {
      weight_[share.resource] += share.fraction;
      rising_[share.resource] += 1.0;
    }
  }
  for (std::size_t path = 0; path < paths; ++path) {
    const double count = first_flow_[path + 1] - first_flow_[path];
    for (const RouteShare& share : routes.shares_of(path)) {
      weight_[share.resource] += count * share.fraction;
      rising_[share.resource] += count;
    }
  }
  limit_by_ports();
  const bool are_alike =
      std::ranges::all_of(by_limit_, [&](std::uint32_t flow) { return limit_[flow] == limit_[by_limit_.front()]; });
  if (!are_alike) std::ranges::stable_sort(by_limit_, {}, [&](std::uint32_t flow) { return limit_[flow]; });
  for (std::uint32_t resource = 0; resource < resources; ++resource) {
    if (rising_[resource] > 1.0 || (rising_[resource] > 0.0 && own_.of(resource).empty()))
      heap_.emplace_back(full_at(resource), resource);
  }
  std::ranges::make_heap(heap_, std::greater<>());
}

/// A resource with only one share, usually a port of a node, limits its flow directly and is not in the heap.
void Filling::limit_by_ports() {
  limited_by_.assign(limit_.size(), no_bottleneck);
  for (const std::uint32_t flow : by_limit_) {
    for (const RouteShare& share : routes_.own_of(flow)) {
      if (rising_[share.resource] > 1.0 || !(full_at(share.resource) < limit_[flow])) continue;
      limit_[flow] = full_at(share.resource);
      limited_by_[flow] = share.resource;
    }
  }
}

void Filling::push(std::uint32_t resource) {
  heap_.emplace_back(full_at(resource), resource);
  std::ranges::push_heap(heap_, std::greater<>());
}

/// `count` shares of a resource stop at a rate.
void Filling::take(const RouteShare& share, double count, double rate) {
  const std::uint32_t resource = share.resource;
  left_[resource] -= count * share.fraction * rate;
  rising_[resource] -= count;
  weight_[resource] = rising_[resource] > 0.0 ? weight_[resource] - count * share.fraction : 0.0;
}

void Filling::stop(std::uint32_t flow, double rate, std::uint32_t bottleneck) {
  is_rising_[flow] = 0;
  shares_.rate_b_per_s[flow] = rate;
  shares_.bottleneck[flow] = bottleneck;
  for (const RouteShare& share : routes_.own_of(flow)) take(share, 1.0, rate);
  const std::uint32_t path = routes_.path[flow];
  if (path != no_path && stopped_[path]++ == 0) touched_.push_back(path);
}

/// Subtracts flows that stopped together from the resources of their paths.
void Filling::settle_paths(double rate) {
  for (const std::uint32_t path : touched_) {
    for (const RouteShare& share : routes_.shares_of(path)) take(share, stopped_[path], rate);
    stopped_[path] = 0;
  }
  touched_.clear();
}

void Filling::stop_at_limit(double rate) {
  for (; next_limit_ < by_limit_.size() && limit_[by_limit_[next_limit_]] == rate; ++next_limit_) {
    if (is_rising_[by_limit_[next_limit_]] != 0)
      stop(by_limit_[next_limit_], rate, limited_by_[by_limit_[next_limit_]]);
  }
  settle_paths(rate);
}

void Filling::stop_at(std::uint32_t resource, double rate) {
  for (const std::uint32_t flow : own_.of(resource)) {
    if (is_rising_[flow] != 0) stop(flow, rate, resource);
  }
  for (const std::uint32_t path : of_path_.of(resource)) {
    for (std::size_t i = first_flow_[path]; i < first_flow_[path + 1]; ++i) {
      if (is_rising_[path_flow_[i]] != 0) stop(path_flow_[i], rate, resource);
    }
  }
  settle_paths(rate);
}

FlowShares Filling::fill() {
  double level = 0.0;
  for (;;) {
    while (next_limit_ < by_limit_.size() && is_rising_[by_limit_[next_limit_]] == 0) ++next_limit_;
    const bool is_done = next_limit_ == by_limit_.size();
    if (is_done) break;
    const double limit = limit_[by_limit_[next_limit_]];
    if (heap_.empty() || limit <= heap_.front().first) {
      level = std::max(level, limit);
      stop_at_limit(limit);
      continue;
    }
    const auto [stated, resource] = heap_.front();
    std::ranges::pop_heap(heap_, std::greater<>());
    heap_.pop_back();
    if (!(rising_[resource] > 0.0)) continue;
    if (full_at(resource) > stated) {  // flows that stopped elsewhere left more to the others
      push(resource);
      continue;
    }
    level = std::max(level, stated);  // rounding cannot lower it
    stop_at(resource, level);
  }
  return std::move(shares_);
}

}  // namespace

FlowShares max_min_shares(const FlowRoutes& routes, std::span<const double> demand_b_per_s) {
  return Filling(routes, demand_b_per_s).fill();
}

std::vector<double> demands_b_per_s(std::span<const Flow> flows) {
  std::vector<double> demands;
  for (const Flow& flow : flows) demands.push_back(flow.demand_b_per_s);
  return demands;
}

}  // namespace wattloop::network
