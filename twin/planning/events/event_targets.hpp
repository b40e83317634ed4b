// What the events of a hall may name, and what of the plant each name stands for. All of them look names up here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/text/name_pattern.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

struct EventTarget {
  ScheduledEvent::TargetKind kind;
  std::size_t number;
  bool needs_earlier = false;  ///< `ScheduledEvent::needs_earlier`
};

/// What events of one kind may name.
struct EventTargets {
  NameIndex names{};
  std::vector<std::vector<EventTarget>> members{};  ///< [name] a CDU's are its pumps

  void add(const std::string& name, EventTarget member);
};

struct HallTargets {
  EventTargets failing, switching, settings, sticking, clogging;
  EventTargets
      restoring;  ///< a part that fails as a whole stands for its passages, too, where an event has clogged these
  EventTargets modules;   ///< of branches that have several; a pattern that fits anything whole does not mean them
  EventTargets nodes;     ///< and their GPUs; only where an event has named any
  EventTargets gpus;      ///< the same
  EventTargets fabric;    ///< parts of a modelled fabric that the present events name
  EventTargets draining;  ///< nodes and racks; only where an event has drained any

  /// Parts of the fabric, modules or nodes, for a pattern of what fails that fits nothing whole.
  const EventTargets& inner_of(std::string_view pattern) const {
    if (!fabric.names.fitting(pattern).empty()) return fabric;
    const bool is_of_nodes = modules.names.fitting(pattern).empty() && !nodes.names.fitting(pattern).empty();
    return is_of_nodes ? nodes : modules;
  }
  const EventTargets& of(const EventSpec& spec) const;
};

/// Without nodes, GPUs and parts of the fabric, of which there are many.
HallTargets hall_targets(const Plant& plant);

/// Adds those that `events` name.
void add_named_targets(const Plant& plant, std::span<const EventSpec> events, HallTargets& hall);

/// A name to which that does not happen: what happens to it, to something of it, what it is, or the nearest to which it happens. The
/// hint is left out where it would not be printed.
Problem wrong_target(const Plant& plant, const HallTargets& targets, const EventSpec& spec, std::size_t number,
                     const Problems& problems);

}  // namespace wattloop::twin
