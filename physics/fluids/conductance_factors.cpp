#include "physics/fluids/conductance_factors.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace wattloop::physics {
namespace {

using Neighbours = std::vector<std::set<std::size_t>>;

/// For each free node, the free nodes to which branches connect it.
Neighbours neighbours_of(std::span<const char> is_fixed, std::span<const ConductanceFactors::Ends> branches) {
  Neighbours neighbours(is_fixed.size());
  for (const auto& [from, to] : branches) {
    if (is_fixed[from] || is_fixed[to] || from == to) continue;
    neighbours[from].insert(to);
    neighbours[to].insert(from);
  }
  return neighbours;
}

/// Nodes in the order of elimination, each with its neighbours at that time. The next node is always one with the fewest neighbours.
std::vector<std::pair<std::size_t, std::vector<std::size_t>>> eliminated(std::span<const char> is_fixed,
                                                                         Neighbours neighbours) {
  std::set<std::pair<std::size_t, std::size_t>> left;  // (neighbours, node)
  for (std::size_t node = 0; node < neighbours.size(); ++node) {
    if (!is_fixed[node]) left.emplace(neighbours[node].size(), node);
  }
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> order;
  while (!left.empty()) {
    const std::size_t gone = left.begin()->second;
    left.erase(left.begin());
    const std::vector<std::size_t> around(neighbours[gone].begin(), neighbours[gone].end());
    for (const std::size_t node : around) {
      left.erase({neighbours[node].size(), node});
      neighbours[node].erase(gone);
      for (const std::size_t other : around) {
        if (other != node) neighbours[node].insert(other);
      }
      left.emplace(neighbours[node].size(), node);
    }
    order.emplace_back(gone, around);
  }
  return order;
}

}  // namespace

ConductanceFactors::ConductanceFactors(std::span<const char> is_fixed, std::span<const Ends> branches)
    : node_count_(is_fixed.size()) {
  const auto order = eliminated(is_fixed, neighbours_of(is_fixed, branches));
  std::vector<std::uint32_t> position(is_fixed.size(), none);
  for (const auto& [node, around] : order) {
    position[node] = static_cast<std::uint32_t>(node_of_.size());
    node_of_.push_back(node);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pair_of;  // by positions, the earlier first
  first_pair_.push_back(0);
  for (const auto& [node, around] : order) {
    const std::size_t first = later_.size();
    for (const std::size_t other : around) later_.push_back(position[other]);
    std::sort(later_.begin() + static_cast<std::ptrdiff_t>(first), later_.end());
    for (std::size_t pair = first; pair < later_.size(); ++pair) {
      pair_of[{position[node], later_[pair]}] = static_cast<std::uint32_t>(pair);
    }
    first_pair_.push_back(static_cast<std::uint32_t>(later_.size()));
  }
  for (std::size_t k = 0; k < node_of_.size(); ++k) {
    for (std::size_t p = first_pair_[k]; p < first_pair_[k + 1]; ++p) {
      for (std::size_t q = p + 1; q < first_pair_[k + 1]; ++q) {
        destination_.push_back(pair_of.at({later_[p], later_[q]}));
      }
    }
  }
  for (const auto& [from, to] : branches) {
    const auto [low, high] = std::minmax(position[from], position[to]);  // `none` is the highest
    Place place;
    if (low != high && high == none) place.free_node = low;
    if (low != high && high != none) place.pair = pair_of.at({low, high});
    place_.push_back(place);
  }
}

ConductanceScratch ConductanceFactors::make_scratch() const {
  const std::vector<double> of_pairs(later_.size()), of_nodes(node_of_.size());
  return {of_pairs, of_pairs, of_nodes, of_nodes, of_nodes};
}

void ConductanceFactors::factorise(std::span<const double> conductance, ConductanceScratch& scratch) const noexcept {
  std::ranges::fill(scratch.between, 0.0);
  std::ranges::fill(scratch.to_fixed, 0.0);
  for (std::size_t branch = 0; branch < place_.size(); ++branch) {
    const Place place = place_[branch];
    if (place.pair != none) scratch.between[place.pair] += conductance[branch];
    if (place.free_node != none) scratch.to_fixed[place.free_node] += conductance[branch];
  }
  const std::uint32_t* destination = destination_.data();
  for (std::size_t k = 0; k < node_of_.size(); ++k) {
    const std::size_t first = first_pair_[k], end = first_pair_[k + 1];
    double pivot = scratch.to_fixed[k];
    for (std::size_t p = first; p < end; ++p) pivot += scratch.between[p];
    scratch.pivot[k] = pivot;
    for (std::size_t p = first; p < end; ++p) {
      scratch.share[p] = pivot > 0.0 ? scratch.between[p] / pivot : 0.0;
      scratch.to_fixed[later_[p]] += scratch.to_fixed[k] * scratch.share[p];
    }
    for (std::size_t p = first; p < end; ++p) {
      for (std::size_t q = p + 1; q < end; ++q) {
        scratch.between[*destination++] += scratch.between[p] * scratch.share[q];
      }
    }
  }
}

void ConductanceFactors::solve(ConductanceScratch& scratch, std::span<double> x) const noexcept {
  std::vector<double>& reduced = scratch.reduced;
  for (std::size_t k = 0; k < node_of_.size(); ++k) reduced[k] = x[node_of_[k]];
  for (std::size_t k = 0; k < node_of_.size(); ++k) {
    for (std::size_t p = first_pair_[k]; p < first_pair_[k + 1]; ++p)
      reduced[later_[p]] += scratch.share[p] * reduced[k];
  }
  std::ranges::fill(x, 0.0);
  for (std::size_t k = node_of_.size(); k-- > 0;) {
    double value = scratch.pivot[k] > 0.0 ? reduced[k] / scratch.pivot[k] : 0.0;
    for (std::size_t p = first_pair_[k]; p < first_pair_[k + 1]; ++p) value += scratch.share[p] * reduced[later_[p]];
    reduced[k] = value;
    x[node_of_[k]] = value;
  }
}

void ConductanceFactors::find_parts(const ConductanceScratch& scratch, std::span<std::size_t> part) const noexcept {
  std::ranges::fill(part, node_count_);  // of held nodes, and of what is joined with one
  for (std::size_t k = node_of_.size(); k-- > 0;) {
    const std::size_t node = node_of_[k];
    if (scratch.pivot[k] <= 0.0) part[node] = node;
    if (scratch.pivot[k] <= 0.0 || scratch.to_fixed[k] > 0.0) continue;
    for (std::size_t p = first_pair_[k]; p < first_pair_[k + 1]; ++p) {
      if (scratch.between[p] > 0.0) part[node] = part[node_of_[later_[p]]];
    }
  }
}

}  // namespace wattloop::physics
