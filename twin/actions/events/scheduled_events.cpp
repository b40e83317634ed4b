#include "twin/actions/events/scheduled_events.hpp"

namespace wattloop::twin {

ScheduledEvent::Action undoing(ScheduledEvent::Action action) {
  using Action = ScheduledEvent::Action;
  switch (action) {
    case Action::fail:
      return Action::restore;
    case Action::restore:
      return Action::fail;
    case Action::open:
      return Action::close;
    case Action::close:
      return Action::open;
    case Action::slow:
      return Action::slow;  // given by its pair
    case Action::drain:
      return Action::resume;
    case Action::resume:
      return Action::drain;
    default:
      return Action::set_back;
  }
}

}  // namespace wattloop::twin
