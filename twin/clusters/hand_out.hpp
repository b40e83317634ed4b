// The runs of one of many processes: first its own, every n-th of the study, then such of others as these have not begun. They come in
// chunks, of which each is claimed by one process, so that no run is begun twice in a launch.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "twin/clusters/claims.hpp"

namespace wattloop::twin {

struct HandOutShare {
  std::size_t number = 0, count = 1;  ///< which of how many processes, from 0
  std::vector<bool> is_done{};        ///< by run, from 1: `is_done[0]` is of none
};

class HandOut {
 public:
  /// Without claims only its own.
  HandOut(HandOutShare share, const Claims* claims);

  /// The next run to do. From any thread. Throws FileError.
  std::optional<std::size_t> next();

 private:
  bool has_missing(std::size_t chunk) const;
  bool is_ours(std::size_t chunk) const;

  HandOutShare share_;
  const Claims* claims_;
  std::size_t runs_, chunks_;
  std::vector<std::size_t> order_{};  ///< of chunks
  std::size_t at_ = 0;                ///< in the order
  std::size_t run_ = 0;               ///< that comes next of its chunk; 0: none is open
  std::mutex mutex_;
};

}  // namespace wattloop::twin
