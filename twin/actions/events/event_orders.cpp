#include "twin/actions/events/event_orders.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wattloop::twin {

using Action = ScheduledEvent::Action;

OrderChange give_rare_order(const ScheduledEvent& event, FlagOverride::Flag flag, std::size_t part,
                            std::uint8_t requested, std::vector<FlagOverride>& orders) {
  const auto is_of_part = [&](const FlagOverride& order) { return order.flag == flag && order.part == part; };
  if (std::ranges::none_of(orders, is_of_part)) orders.push_back({.flag = flag, .part = part});
  const auto order = std::ranges::find_if(orders, is_of_part);
  const std::uint8_t before = order->value();
  OrderChange change;
  if (event.is_end) {
    change.is_in_force = std::erase_if(order->temporary, [&](const auto& one) { return one.pair == event.pair; }) > 0;
  } else if (event.pair != 0) {
    order->temporary.push_back({event.pair, requested});
  } else if (event.action == Action::slow) {  // what failed stays so until it is restored
    if (order->lasting < 100) order->lasting = requested;
  } else {
    *order = {.flag = flag, .part = part, .lasting = requested};
  }
  change.has_changed = order->value() != before;
  if (order->temporary.empty() && order->lasting == 0) orders.erase(order);
  return change;
}

const char* name_of(Action action) {
  switch (action) {
    case Action::fail:
      return "fail";
    case Action::restore:
      return "restore";
    case Action::open:
      return "open";
    case Action::close:
      return "close";
    case Action::slow:
      return "slow";
    case Action::drain:
      return "drain";
    case Action::resume:
      return "resume";
    default:
      return "set";
  }
}

EventRecord order_record(const ScheduledEvent& event, const std::string& name, double now_s,
                         const OrderChange& change) {
  if (!event.is_end)
    return {now_s, name_of(event.action), name, change.has_changed ? "scenario" : "scenario; changes nothing now"};
  const std::string end = fmt::format("the end of a temporary {}", name_of(undoing(event.action)));
  if (change.has_changed) return {now_s, name_of(event.action), name, end};
  return {now_s, "order_over", name,
          end + (change.is_in_force ? "; changes nothing" : "; a later one remains in force")};
}

}  // namespace wattloop::twin
