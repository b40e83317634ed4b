// Bisection bandwidth by maximum flow against the closed form of trees whose links are equal:
//
//   B = b min over tiers of links of the cables that the nodes of one side have there
//
// A spine of S that fails takes 1/S of the links of its tier; a leaf that fails takes the ports of its nodes.
#include <algorithm>
#include <random>
#include <vector>

#include "network/fabric/connectivity.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::network;

namespace {

/// The first half of the nodes against the other half.
std::vector<std::uint8_t> halves(const Fabric& fabric) {
  std::vector<std::uint8_t> side(fabric.node_count(), 0);
  std::fill(side.begin() + static_cast<std::ptrdiff_t>(side.size() / 2), side.end(), std::uint8_t{1});
  return side;
}

int pick(std::mt19937_64& random, std::initializer_list<int> of) {
  return *(of.begin() + std::uniform_int_distribution<std::ptrdiff_t>(0, std::ssize(of) - 1)(random));
}

/// A tree of full units whose two halves are alike.
FabricParams random_tree(std::mt19937_64& random) {
  FabricParams params{
      .radix = pick(random, {8, 16}), .rails = pick(random, {1, 2, 4}), .gpus_per_node = 4, .has_equal_links = true};
  params.tiers = pick(random, {2, 2, 3});
  params.spines = params.tiers == 2 && pick(random, {0, 1, 2}) == 0 ? SpineLayout::by_rail : SpineLayout::shared;
  params.oversubscription = {double(pick(random, {1, 1, 3})), double(pick(random, {1, 3}))};
  params.oversubscription.resize(static_cast<std::size_t>(params.tiers) - 1);
  params.nodes = 1;
  std::vector<std::string> none;
  const FabricShape shape = find_shape(params, none).value();
  const int most_pairs = std::min(4, (params.tiers == 2 ? shape.block_units[1] : 2 * shape.block_units[1]) / 2);
  const int pairs = params.tiers == 2 ? pick(random, {1, 2, 4}) : shape.block_units[1];
  params.nodes = 2 * shape.unit_nodes * std::max(1, params.tiers == 2 ? std::min(pairs, most_pairs) : pairs);
  return params;
}

double theory_b_per_s(const Fabric& fabric) {
  std::size_t least = fabric.link_count() * 64;
  for (const std::size_t cables : count_by_traversal(fabric).cables) least = std::min(least, cables / 2);
  return fabric.params.link_b_per_s * double(least);
}

}  // namespace

TEST_CASE("bisection by maximum flow equals theory for 200 random trees", "[verification][fabric]") {
  std::mt19937_64 random(45);
  int with_three = 0, with_oversubscription = 0;
  for (int tree = 0; tree < 200; ++tree) {
    const Fabric fabric = build_fabric(random_tree(random));
    INFO("tree " << tree << ": " << fabric.params.nodes << " nodes, radix " << fabric.params.radix << ", rails "
                 << fabric.params.rails << ", tiers " << fabric.tiers());
    const double expected = theory_b_per_s(fabric);
    CHECK(bisection_b_per_s(fabric, all_healthy(fabric), halves(fabric)) == expected);
    with_three += fabric.tiers() == 3;
    with_oversubscription += expected < 0.5 * fabric.params.link_b_per_s * double(fabric.tier_link[1]);
  }
  CHECK(with_three > 40);
  CHECK(with_oversubscription > 40);
}

TEST_CASE("a lost spine of eight leaves seven eighths of the bisection, a lost leaf the ports of its other nodes",
          "[verification][fabric]") {
  const Fabric fabric = build_fabric({.nodes = 64});
  const std::vector<std::uint8_t> side = halves(fabric);
  const double whole_b_per_s = 256 * 50e9;
  CHECK(bisection_b_per_s(fabric, all_healthy(fabric), side) == whole_b_per_s);
  const auto with = [&](std::vector<Impairment> lost) {
    return bisection_b_per_s(fabric, health_with(fabric, lost), side);
  };
  CHECK(with({{"spine_3"}}) == 7.0 / 8.0 * whole_b_per_s);
  CHECK(with({{"spine_3"}, {"spine_8"}}) == 6.0 / 8.0 * whole_b_per_s);
  CHECK(with({{"leaf_12"}}) == 7.0 / 8.0 * whole_b_per_s);
  CHECK(with({{"leaf_12"}, {"leaf_4"}}) == 7.0 / 8.0 * whole_b_per_s);  // rail 4 of both sides: nothing more is lost
  CHECK(with({{"leaf_12.to_spine_3", 0.5}}) == whole_b_per_s - 2 * 50e9);
  CHECK(with({{"node_5.rail_2"}}) == whole_b_per_s - 50e9);
}

TEST_CASE("losses of spines in random trees take their share of the bisection", "[verification][fabric]") {
  std::mt19937_64 random(46);
  for (int tree = 0; tree < 100; ++tree) {
    FabricParams params = random_tree(random);
    params.tiers = 2;
    params.spines = SpineLayout::shared;
    params.oversubscription = {};
    params.nodes = params.radix / 2 * 2 * pick(random, {1, params.radix / params.rails / 2});
    const Fabric fabric = build_fabric(params);
    const std::size_t spines = fabric.switches_of(1);
    const std::size_t lost = std::uniform_int_distribution<std::size_t>(0, spines - 1)(random);
    std::vector<Impairment> impairments;
    for (std::size_t spine = 0; spine < lost; ++spine)
      impairments.push_back({switch_name(fabric, fabric.tier_switch[1] + spine)});
    const double share = double(spines - lost) / double(spines);
    CHECK(bisection_b_per_s(fabric, health_with(fabric, impairments), halves(fabric)) ==
          Approx(share * theory_b_per_s(fabric)).epsilon(1e-12));
  }
}
