#include "network/fabric/fabric_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "core/text/nearest.hpp"

namespace wattloop::network {

namespace {

using Kind = Component::Kind;

constexpr std::array tier_words{"leaf", "spine", "core", "super_core"};

std::string tier_word(std::size_t tier) {
  return tier < tier_words.size() ? tier_words[tier] : fmt::format("tier_{}", tier + 1);
}

struct NumberedName {
  std::string_view word;
  std::size_t number;  ///< from 1
};

/// "leaf_12": the number is behind the last underscore, without zeros before it.
std::optional<NumberedName> read_numbered(std::string_view name) {
  const std::size_t line = name.rfind('_');
  if (line == std::string_view::npos) return {};
  const std::string_view digits = name.substr(line + 1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('0')) return {};
  return NumberedName{name.substr(0, line), number};
}

std::optional<std::size_t> find_switch(const Fabric& fabric, std::string_view name) {
  const std::optional<NumberedName> read = read_numbered(name);
  if (!read) return {};
  for (int tier = 0; tier < fabric.tiers(); ++tier) {
    if (tier_word(static_cast<std::size_t>(tier)) == read->word && read->number <= fabric.switches_of(tier))
      return fabric.tier_switch[tier] + read->number - 1;
  }
  return {};
}

/// A number below `count`, counted from 0, of a name "word_number".
std::optional<std::size_t> find_number(std::string_view name, std::string_view word, std::size_t count) {
  const std::optional<NumberedName> read = read_numbered(name);
  if (!read || read->word != word || read->number > count) return {};
  return read->number - 1;
}

std::size_t managers(const Fabric& fabric) { return static_cast<std::size_t>(fabric.params.manager_ports); }
std::size_t rails(const Fabric& fabric) { return static_cast<std::size_t>(fabric.params.rails); }
std::size_t gpus(const Fabric& fabric) { return static_cast<std::size_t>(fabric.params.gpus_per_node); }
bool has_rails(const Fabric& fabric) { return fabric.shape.unit_leaves > 1; }

std::optional<Component> find_of_node(const Fabric& fabric, std::size_t node, std::string_view port) {
  if (const auto rail = find_number(port, "rail", rails(fabric)))
    return Component{Kind::link, fabric.node_link(node, *rail)};
  if (const auto gpu = find_number(port, "nvlink", gpus(fabric)))
    return Component{Kind::nvlink, node * gpus(fabric) + *gpu};
  return {};
}

std::optional<Component> find_of_switch(const Fabric& fabric, std::size_t lower, std::string_view port) {
  if (!port.starts_with("to_")) return {};
  const std::optional<std::size_t> upper = find_switch(fabric, port.substr(3));
  if (!upper) return {};
  for (std::size_t link = fabric.first_up_link[lower]; link < fabric.first_up_link[lower + 1]; ++link) {
    if (fabric.link_upper[link] == *upper) return Component{Kind::link, link};
  }
  return {};
}

/// Names of existing parts that the user may have meant by an unknown name.
std::vector<std::string> candidates_for(const Fabric& fabric, std::string_view name) {
  std::vector<std::string> names;
  const std::size_t dot = name.find('.');
  const std::string_view before = name.substr(0, dot);
  const auto lower = find_switch(fabric, before);
  const auto node = find_number(before, "node", fabric.node_count());
  if (dot != std::string_view::npos && lower) {
    for (std::size_t link = fabric.first_up_link[*lower]; link < fabric.first_up_link[*lower + 1]; ++link)
      names.push_back(link_name(fabric, link));
  } else if (dot != std::string_view::npos && node) {
    for (std::size_t rail = 0; rail < rails(fabric); ++rail)
      names.push_back(link_name(fabric, fabric.node_link(*node, rail)));
    for (std::size_t gpu = 0; gpu < gpus(fabric); ++gpu)
      names.push_back(name_of(fabric, {Kind::nvlink, *node * gpus(fabric) + gpu}));
  } else {
    const std::string rest(dot == std::string_view::npos ? std::string_view() : name.substr(dot));
    for (std::size_t one = 0; one < fabric.switch_count(); ++one) names.push_back(switch_name(fabric, one) + rest);
    for (std::size_t rail = 0; rail < rails(fabric) && has_rails(fabric); ++rail)
      names.push_back(fmt::format("rail_{}", rail + 1) + rest);
    for (std::size_t one = 0; one < fabric.node_count() && !rest.empty(); ++one)
      names.push_back(fmt::format("node_{}", one + 1) + rest);
    std::erase_if(names, [&](const std::string& one) { return !rest.empty() && !find_component(fabric, one); });
  }
  return names;
}

/// "leaf_1 to leaf_320", if a name has the form of a switch but no switch has its number.
std::string range_text(const Fabric& fabric, std::string_view name) {
  const std::optional<NumberedName> read = read_numbered(name.substr(0, name.find('.')));
  if (!read) return {};
  for (int tier = 0; tier < fabric.tiers(); ++tier) {
    const std::string word = tier_word(static_cast<std::size_t>(tier));
    if (word == read->word && (read->number < 1 || read->number > fabric.switches_of(tier)))
      return fmt::format("it has {0}_1 to {0}_{1}", word, fabric.switches_of(tier));
  }
  if (read->word == "node" && (read->number < 1 || read->number > fabric.node_count()))
    return fmt::format("it has node_1 to node_{}", fabric.node_count());
  return {};
}

}  // namespace

std::string switch_name(const Fabric& fabric, std::size_t number) {
  const std::size_t tier = fabric.switch_tier[number];
  return fmt::format("{}_{}", tier_word(tier), number - fabric.tier_switch[tier] + 1);
}

std::string link_name(const Fabric& fabric, std::size_t number) {
  const std::size_t lower = fabric.link_lower[number];
  if (number >= fabric.tier_link[1])
    return fmt::format("{}.to_{}", switch_name(fabric, lower), switch_name(fabric, fabric.link_upper[number]));
  if (lower >= fabric.node_count()) return fmt::format("manager_{}.port", lower - fabric.node_count() + 1);
  return fmt::format("node_{}.rail_{}", lower + 1, number - fabric.node_link(lower, 0) + 1);
}

std::string name_of(const Fabric& fabric, const Component& component) {
  switch (component.kind) {
    case Kind::network_switch:
      return switch_name(fabric, component.number);
    case Kind::link:
      return link_name(fabric, component.number);
    case Kind::rail:
      return fmt::format("rail_{}", component.number + 1);
    case Kind::nvlink:
      break;
  }
  return fmt::format("node_{}.nvlink_{}", component.number / gpus(fabric) + 1, component.number % gpus(fabric) + 1);
}

std::optional<Component> find_component(const Fabric& fabric, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) {
    if (const auto found = find_switch(fabric, name)) return Component{Kind::network_switch, *found};
    const auto rail = has_rails(fabric) ? find_number(name, "rail", rails(fabric)) : std::nullopt;
    return rail ? std::optional(Component{Kind::rail, *rail}) : std::nullopt;
  }
  const std::string_view before = name.substr(0, dot), port = name.substr(dot + 1);
  if (const auto node = find_number(before, "node", fabric.node_count())) return find_of_node(fabric, *node, port);
  if (const auto manager = find_number(before, "manager", managers(fabric))) {
    const std::size_t first = fabric.node_count() * rails(fabric);
    return port == "port" ? std::optional(Component{Kind::link, first + *manager}) : std::nullopt;
  }
  const auto lower = find_switch(fabric, before);
  return lower ? find_of_switch(fabric, *lower, port) : std::nullopt;
}

std::string unknown_name(const Fabric& fabric, std::string_view name) {
  std::string hint = range_text(fabric, name);
  if (hint.empty()) hint = nearest_hint(name, candidates_for(fabric, name));
  return fmt::format("the fabric has no '{}'{}{}", name, hint.empty() ? "" : ": ", hint);
}

}  // namespace wattloop::network
