#include "twin/drawings/diagrams/layered_layout.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace wattloop::twin {

namespace {

using Connection = std::array<std::size_t, 2>;
constexpr double bend_width = 0.25;  ///< of a box
constexpr std::size_t most_abreast =
    6;  ///< boxes in a layer, as far as some can stand lower: else their texts become small

/// Longest way from a box that nothing gives to; connections that close circles aside.
class Layers {
 public:
  Layers(std::size_t boxes, std::span<const Connection> connections, std::span<const BoxBetween> between)
      : takers_(boxes), state_(boxes, 0) {
    for (const Connection& one : connections) takers_[one[0]].push_back(one[1]);
    for (std::size_t box = 0; box < boxes; ++box) visit(box);
    layer.assign(boxes, 0);
    for (auto box = order_.rbegin(); box != order_.rend(); ++box) {
      for (const std::size_t taker : takers_[*box]) layer[taker] = std::max(layer[taker], layer[*box] + 1);
    }
    draw_together(connections);
    is_fixed_.assign(boxes, false);
    for (const BoxBetween& one : between) {
      layer[one.box] = std::max(layer[one.of[0]], layer[one.of[1]]);
      is_fixed_[one.box] = true;
    }
    lower_ends();
  }

  std::vector<std::size_t> layer;
  std::vector<bool> is_lowered;  ///< stands below the layer that its connections ask for

 private:
  void visit(std::size_t box) {
    if (state_[box] != 0) return;
    state_[box] = 1;
    std::erase_if(takers_[box], [&](std::size_t taker) { return state_[taker] == 1; });
    for (const std::size_t taker : takers_[box]) visit(taker);
    state_[box] = 2;
    order_.push_back(box);
  }

  /// What nothing gives to stands just above what it gives to.
  void draw_together(std::span<const Connection> connections) {
    for (std::size_t box = 0; box < layer.size(); ++box) {
      const bool is_given = std::ranges::any_of(connections, [&](const Connection& one) { return one[1] == box; });
      if (is_given || takers_[box].empty()) continue;
      std::size_t nearest = layer[takers_[box].front()];
      for (const std::size_t taker : takers_[box]) nearest = std::min(nearest, layer[taker]);
      layer[box] = nearest == 0 ? 0 : nearest - 1;
    }
  }

  /// Of a layer with many boxes those that give to none go a layer down, and further where that is full, too.
  void lower_ends() {
    is_lowered.assign(layer.size(), false);
    for (std::size_t now = 0; now < 2 * layer.size(); ++now) {
      auto count = static_cast<std::size_t>(std::ranges::count(layer, now));
      for (const bool has_come_down : {true, false}) {  // rather those that are not where they belong already
        for (std::size_t box = layer.size(); box-- > 0 && count > most_abreast;) {
          if (layer[box] != now || is_fixed_[box] || !takers_[box].empty() || is_lowered[box] != has_come_down)
            continue;
          ++layer[box];
          is_lowered[box] = true;
          --count;
        }
      }
    }
  }

  std::vector<std::vector<std::size_t>> takers_;
  std::vector<int> state_;
  std::vector<bool> is_fixed_;  ///< stands between others
  std::vector<std::size_t> order_;
};

/// Boxes and bends alike: things that stand in a layer.
struct Things {
  std::vector<std::vector<std::size_t>> in_layer;
  std::vector<std::vector<std::size_t>> above, below;
  std::vector<double> width, x;

  std::size_t add(std::size_t layer, double wide) {
    const std::size_t number = width.size();
    in_layer.resize(std::max(in_layer.size(), layer + 1));
    in_layer[layer].push_back(number);
    above.emplace_back();
    below.emplace_back();
    width.push_back(wide);
    x.push_back(0.0);
    return number;
  }
  void join(std::size_t upper, std::size_t lower) {
    below[upper].push_back(lower);
    above[lower].push_back(upper);
  }
};

double mean_x(const Things& things, const std::vector<std::size_t>& others, double own) {
  if (others.empty()) return own;
  double sum = 0.0;
  for (const std::size_t other : others) sum += things.x[other];
  return sum / static_cast<double>(others.size());
}

double width_of(const Things& things, const std::vector<std::size_t>& layer) {
  return std::accumulate(layer.begin(), layer.end(), 0.0, [&](double w, std::size_t t) { return w + things.width[t]; });
}

/// Side by side in their order, the layer in the middle of the drawing, spread over its width.
void spread(Things& things, const std::vector<std::size_t>& layer, double width) {
  const double gap = (width - width_of(things, layer)) / static_cast<double>(layer.size());
  double left = 0.0;
  for (const std::size_t thing : layer) {
    things.x[thing] = left + (things.width[thing] + gap) / 2.0;
    left += things.width[thing] + gap;
  }
}

void order(Things& things, std::vector<std::size_t>& layer, const std::vector<std::vector<std::size_t>>& others) {
  std::vector<double> preferred_x(things.x.size());
  for (const std::size_t thing : layer) preferred_x[thing] = mean_x(things, others[thing], things.x[thing]);
  std::ranges::stable_sort(layer, {}, [&](std::size_t thing) { return preferred_x[thing]; });
}

/// Takes a thing out of `left`, and with it what stands between it and others, and the others.
void take_chain(std::size_t thing, std::span<const BoxBetween> between, std::vector<std::size_t>& left,
                std::vector<std::size_t>& chain) {
  if (std::erase(left, thing) == 0) return;
  chain.push_back(thing);
  for (const BoxBetween& one : between) {
    if (one.of[0] != thing && one.of[1] != thing) continue;
    if (std::erase(left, one.box) == 0) continue;
    chain.push_back(one.box);
    take_chain(one.of[0] == thing ? one.of[1] : one.of[0], between, left, chain);
  }
}

/// Puts what stands between two others of a layer there: chains of such things begin at one of their ends, if they have one.
void join_chains(std::vector<std::size_t>& layer, std::span<const BoxBetween> between) {
  if (between.empty()) return;
  const auto ties_at = [&](std::size_t thing) {
    return std::ranges::count_if(between,
                                 [&](const BoxBetween& one) { return one.of[0] == thing || one.of[1] == thing; });
  };
  std::vector<std::size_t> left = layer, joined;
  std::vector<std::size_t> starts;
  for (const std::size_t thing : layer) {
    if (!std::ranges::any_of(between, [&](const BoxBetween& one) { return one.box == thing; })) starts.push_back(thing);
  }
  std::ranges::stable_sort(starts, {}, [&](std::size_t thing) { return ties_at(thing) > 1; });
  std::vector<std::vector<std::size_t>> chains;
  for (const std::size_t start : starts) {
    std::vector<std::size_t> chain;
    take_chain(start, between, left, chain);
    if (!chain.empty()) chains.push_back(std::move(chain));
  }
  for (const std::size_t thing : left) chains.push_back({thing});
  const auto place = [&](const std::vector<std::size_t>& chain) { return std::ranges::find(layer, chain.front()); };
  std::ranges::stable_sort(chains, {}, place);
  for (const auto& chain : chains) joined.insert(joined.end(), chain.begin(), chain.end());
  layer = std::move(joined);
}

}  // namespace

LayeredLayout layered_layout(std::size_t boxes, std::span<const Connection> connections,
                             std::span<const BoxBetween> between) {
  Layers layers(boxes, connections, between);
  LayeredLayout layout{.layer = std::move(layers.layer)};
  std::map<std::pair<std::size_t, std::size_t>, std::size_t>
      joined;  // [box that was lowered, layer] where its lines meet
  Things things;
  for (std::size_t box = 0; box < boxes; ++box) things.add(layout.layer[box], 1.0);
  std::vector<std::vector<std::size_t>> bends;
  for (const auto& [from, to] : connections) {
    std::vector<std::size_t>& way = bends.emplace_back();
    const bool is_down = layout.layer[from] < layout.layer[to];
    const std::size_t first = is_down ? from : to, last = is_down ? to : from;
    std::size_t before = first;
    for (std::size_t layer = layout.layer[first] + 1; layer < layout.layer[last]; ++layer) {
      const auto known = layers.is_lowered[last] ? joined.find({last, layer}) : joined.end();
      if (known != joined.end())
        way.push_back(known->second);
      else
        way.push_back(things.add(layer, bend_width));
      if (layers.is_lowered[last]) joined[{last, layer}] = way.back();
      things.join(before, way.back());
      before = way.back();
    }
    if (first != last) things.join(before, last);
    if (!is_down) std::ranges::reverse(way);
  }
  for (const auto& layer : things.in_layer) layout.width = std::max(layout.width, width_of(things, layer));
  for (const auto& layer : things.in_layer) spread(things, layer, layout.width);
  for (int sweep = 0; sweep < 8; ++sweep) {
    for (std::size_t k = 1; k < things.in_layer.size(); ++k) {
      order(things, things.in_layer[k], things.above);
      join_chains(things.in_layer[k], between);
      spread(things, things.in_layer[k], layout.width);
    }
    for (std::size_t k = things.in_layer.size(); k-- > 1;) {
      order(things, things.in_layer[k - 1], things.below);
      join_chains(things.in_layer[k - 1], between);
      spread(things, things.in_layer[k - 1], layout.width);
    }
  }
  layout.x.assign(things.x.begin(), things.x.begin() + static_cast<std::ptrdiff_t>(boxes));
  layout.layer_count = things.in_layer.size();
  for (const auto& way : bends) {
    std::vector<double>& places = layout.bends.emplace_back();
    for (const std::size_t bend : way) places.push_back(things.x[bend]);
  }
  return layout;
}

}  // namespace wattloop::twin
