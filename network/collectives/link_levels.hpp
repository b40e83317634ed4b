// How ranks are joined: GPUs of an NVLink domain, domains of a fabric, islands of domains.
#pragma once

#include <span>
#include <vector>

namespace wattloop::network {

/// Links of one level, as one GPU sees them. The innermost level is first.
struct LinkLevel {
  int members = 1;                 ///< of a group of this level: GPUs of a domain, then domains of a fabric
  double bandwidth_b_per_s = 0.0;  ///< of one GPU in each direction; of a rail: its own adapter
  double latency_s = 0.0;          ///< of one hop
  double in_switch_bandwidth_b_per_s =
      0.0;                           ///< at which switches reduce and multicast what each GPU sends; 0: they do not
  double in_switch_latency_s = 0.0;  ///< start-up of a reduction in switches
};

/// GPUs of a domain, and what joins them inside and beyond.
struct Links {
  LinkLevel inside = {};  ///< `members`: GPUs of a domain
  LinkLevel beyond = {};  ///< `members` is not read
};

/// Product of the members of all levels.
int ranks_of(std::span<const LinkLevel> levels);

/// Levels of `ranks` ranks whose numbers are `stride` apart, where ranks are numbered domain by domain. Levels with one member are left out, except
/// where none has more.
std::vector<LinkLevel> levels_of_group(const Links& links, int ranks, int stride);

}  // namespace wattloop::network
