#include "network/collectives/link_levels.hpp"

#include <algorithm>

namespace wattloop::network {

int ranks_of(std::span<const LinkLevel> levels) {
  int ranks = 1;
  for (const LinkLevel& level : levels) ranks *= level.members;
  return ranks;
}

std::vector<LinkLevel> levels_of_group(const Links& links, int ranks, int stride) {
  const int inside = std::clamp(links.inside.members / std::max(1, stride), 1, std::max(1, ranks));
  const int beyond = (ranks + inside - 1) / inside;
  std::vector<LinkLevel> levels;
  if (inside > 1 || beyond == 1) levels.push_back(links.inside), levels.back().members = inside;
  if (beyond > 1) levels.push_back(links.beyond), levels.back().members = beyond;
  return levels;
}

}  // namespace wattloop::network
