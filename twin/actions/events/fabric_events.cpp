#include "twin/actions/events/fabric_events.hpp"

#include <cmath>

#include "twin/actions/events/event_orders.hpp"

namespace wattloop::twin {

void order_fabric(const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  using Action = ScheduledEvent::Action;
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const double lost_percent = begun == Action::fail ? 100.0 : begun == Action::slow ? 100.0 - 100.0 * event.value : 0.0;
  const OrderChange change =
      give_rare_order(event, FlagOverride::Flag::fabric_lost, event.target,
                      static_cast<std::uint8_t>(std::lround(lost_percent)), state.equipment.orders);
  events.push_back(order_record(event, event.name, state.time_s, change));
}

}  // namespace wattloop::twin
