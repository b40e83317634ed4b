// Processes that one launcher has started together, as its variables of the environment report each of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace wattloop::twin {

struct Ranks {
  std::size_t number = 0, count = 1;  ///< from 0
  std::string launch{};  ///< the same for all of them, another one each time; empty where nothing reports it
};

/// Value of a variable; null where there is none.
using Environment = std::function<const char*(const char*)>;

/// Of Open MPI, of what speaks PMI (MPICH, Intel MPI), of a step of Slurm, in this order. Nothing for a process that is alone.
std::optional<Ranks> ranks_of(const Environment& environment);

}  // namespace wattloop::twin
