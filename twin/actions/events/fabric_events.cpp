#include "twin/actions/events/fabric_events.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/text/nearest.hpp"
#include "twin/actions/events/event_orders.hpp"

namespace wattloop::twin {

namespace {

using Action = ScheduledEvent::Action;

constexpr std::array first_words{"leaf", "spine", "core", "super_core", "tier", "rail", "node", "manager"};

/// "leaf" of "leaf_12.to_spine_3".
std::string word_of(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('.'));
  return std::string(first.substr(0, first.rfind('_')));
}

bool has_first_word(std::string_view name) {
  return std::ranges::find(first_words, word_of(name)) != first_words.end();
}

void add_part(const HallFabric& hall, const network::Component& component, EventTargets& targets) {
  const std::string name = network::name_of(hall.fabric, component);
  if (!targets.names.holds(name))
    targets.add(name, {ScheduledEvent::TargetKind::fabric, part_number(hall.fabric, component)});
}

}  // namespace

bool is_of_fabric(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::fail || spec.kind == EventSpec::Kind::restore ||
         spec.kind == EventSpec::Kind::slow;
}

bool means_fabric(std::string_view name) {
  if (has_first_word(name)) return true;
  const std::vector<std::string> words(first_words.begin(), first_words.end());
  const std::string word = word_of(name);
  return name.find('_') != std::string_view::npos && word != "row" && !nearest(word, words).empty();
}

void add_fabric_targets(const HallFabric& hall, std::span<const EventSpec> events, EventTargets& targets) {
  bool has_pattern = false;
  for (const EventSpec& spec : events) {
    if (!is_of_fabric(spec)) continue;
    for (const std::string& name : spec.targets) {
      if (!has_first_word(name)) continue;
      has_pattern = has_pattern || name.find('*') != std::string::npos;
      if (const auto found = network::find_component(hall.fabric, name)) add_part(hall, *found, targets);
    }
  }
  const std::size_t parts = has_pattern ? hall.part_count() : 0;
  const bool has_rails = hall.fabric.params.kind == network::FabricKind::fat_tree;
  for (std::size_t part = 0; part < parts; ++part) {
    const network::Component component = component_of(hall.fabric, part);
    if (component.kind != network::Component::Kind::rail || has_rails) add_part(hall, component, targets);
  }
}

void order_fabric(const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const double lost_percent = begun == Action::fail ? 100.0 : begun == Action::slow ? 100.0 - 100.0 * event.value : 0.0;
  const OrderChange change =
      give_rare_order(event, FlagOverride::Flag::fabric_lost, event.target,
                      static_cast<std::uint8_t>(std::lround(lost_percent)), state.equipment.orders);
  events.push_back(order_record(event, event.name, state.time_s, change));
}

}  // namespace wattloop::twin
