// Which nodes are kept from which jobs, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workload/queue/job_list.hpp"

namespace wattloop::workload {

/// Nodes that are kept for some jobs for some time.
struct Reservation {
  std::string name = {};
  std::vector<std::size_t> nodes = {};
  double from_s = 0.0, to_s = 0.0;
};

class ReservationTable {
 public:
  /// Throws where a job names a reservation that is not there.
  ReservationTable(const std::vector<Reservation>& reservations, const JobList& jobs, std::size_t nodes);

  bool is_empty() const { return spans_.empty(); }
  /// Whether a node is kept from a job at any time of [from_s, to_s).
  bool is_kept_from(std::uint32_t request, std::size_t node, double from_s, double to_s) const;
  /// Instants at which nodes are no longer kept.
  const std::vector<double>& ends_s() const { return ends_s_; }

 private:
  struct Span {
    double from_s, to_s;
    std::uint32_t name;  ///< number of it
  };
  std::vector<Span> spans_;
  std::vector<std::vector<std::uint32_t>> spans_of_node_;
  std::vector<std::uint32_t> name_of_job_;
  std::vector<double> ends_s_;
};

}  // namespace wattloop::workload
