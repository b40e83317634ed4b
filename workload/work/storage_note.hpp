// What jobs that share a storage cost each other at the most, for people.
#pragma once

#include <span>
#include <string>

#include "workload/work/job_clock.hpp"

namespace wattloop::workload {

/// Jobs of one entry of a queue.
struct StorageUsers {
  std::string name = {};
  std::size_t count = 1;
  StorageUse use = {};
};

/// How long saves and reads take where all begin at once, of the job that waits longest. `users` are not empty.
std::string storage_note(std::span<const StorageUsers> users);

}  // namespace wattloop::workload
