#include "workload/queue/reservation_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace wattloop::workload {

namespace {

constexpr std::uint32_t no_name = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ReservationTable::ReservationTable(const std::vector<Reservation>& reservations, const JobList& jobs,
                                   std::size_t nodes) {
  if (!reservations.empty()) spans_of_node_.resize(nodes);
  std::map<std::string, std::uint32_t> names;
  for (const Reservation& each : reservations) {
    const auto name = names.try_emplace(each.name, static_cast<std::uint32_t>(names.size())).first->second;
    for (const std::size_t node : each.nodes) {
      spans_of_node_.at(node).push_back(static_cast<std::uint32_t>(spans_.size()));
    }
    spans_.push_back({each.from_s, each.to_s, name});
    ends_s_.push_back(each.to_s);
  }
  for (const JobRequest& job : jobs) {
    const auto place = names.find(job.reservation);
    if (!job.reservation.empty() && place == names.end()) {
      throw std::invalid_argument("job '" + job.name + "': no reservation '" + job.reservation + "'");
    }
    name_of_job_.push_back(job.reservation.empty() ? no_name : place->second);
  }
}

bool ReservationTable::is_kept_from(std::uint32_t request, std::size_t node, double from_s, double to_s) const {
  if (spans_.empty()) return false;
  return std::ranges::any_of(spans_of_node_[node], [&](std::uint32_t number) {
    const Span& span = spans_[number];
    const bool is_over = from_s >= span.to_s && !std::isinf(span.to_s);
    return span.name != name_of_job_[request] && !is_over && to_s > span.from_s;
  });
}

}  // namespace wattloop::workload
