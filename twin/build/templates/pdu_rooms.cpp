#include "twin/build/templates/pdu_rooms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wattloop::twin {

std::vector<std::size_t> rooms_of_pdus(std::size_t pdus, std::span<const double> rated_w) {
  const double sum_w = std::accumulate(rated_w.begin(), rated_w.end(), 0.0);
  if (sum_w <= 0.0) return std::vector<std::size_t>(pdus, 0);
  std::vector<std::size_t> count(rated_w.size(), 0);
  const auto proportional = [&](std::size_t room) { return static_cast<double>(pdus) * rated_w[room] / sum_w; };
  std::size_t given = 0;
  for (std::size_t room = 0; room < count.size(); ++room) {
    if (rated_w[room] <= 0.0) continue;
    count[room] = std::max<std::size_t>(static_cast<std::size_t>(proportional(room)), 1);
    given += count[room];
  }
  const auto missing = [&](std::size_t room) {
    return rated_w[room] > 0.0 ? proportional(room) - static_cast<double>(count[room]) : -HUGE_VAL;
  };
  std::vector<std::size_t> rooms(count.size());
  std::iota(rooms.begin(), rooms.end(), std::size_t{0});
  for (; given < pdus; ++given) ++count[*std::ranges::max_element(rooms, {}, missing)];
  const auto least_missed = [&](std::size_t room) {  // ones were more than shares; a last one goes last
    return count[room] == 0 ? HUGE_VAL : missing(room) + (count[room] == 1 ? static_cast<double>(pdus) + 1.0 : 0.0);
  };
  for (; given > pdus; --given) --count[*std::ranges::min_element(rooms, {}, least_missed)];
  std::vector<std::size_t> room_of;
  for (const std::size_t room : rooms) room_of.insert(room_of.end(), count[room], room);
  return room_of;
}

std::vector<std::size_t> pdus_in_room(std::span<const std::size_t> rooms_of_pdus, std::size_t room) {
  std::vector<std::size_t> numbers;
  for (std::size_t pdu = 0; pdu < rooms_of_pdus.size(); ++pdu) {
    if (rooms_of_pdus[pdu] == room) numbers.push_back(pdu);
  }
  return numbers;
}

}  // namespace wattloop::twin
