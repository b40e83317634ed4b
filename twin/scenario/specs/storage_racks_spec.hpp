// Racks of the storage that jobs share: what `jobs.storage` says beside its bandwidths. It stands in Scenario, not in JobsSpec, because `wattloop check`
// loads these racks without jobs.
#pragma once

#include <array>
#include <string>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "workload/checkpoints/storage_appliance.hpp"

namespace wattloop::twin {

struct StorageRacksSpec {
  static constexpr int as_needed = 0;  ///< no one can write it

  std::string appliance_name = {};
  workload::ApplianceParams appliance = {};
  int count = as_needed;  ///< appliances; once all is read, a number
  int racks = as_needed;
  std::string door = {};  ///< "rear_doors", or those of a name, or "none"; empty: the only ones that there are
  std::string room = {};  ///< empty: the only one
  Mention door_mention = {}, room_mention = {};

  static constexpr auto fields() {
    using P = StorageRacksSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive,
                 "Number of appliances; if it is not given, as few as have the bandwidths of the storage."},
        Field<P>{&P::racks, "racks", Range::positive,
                 "Number of racks that hold the appliances, in a row of their own; if it is not given, as few as hold "
                 "them."},
    };
  }
};

}  // namespace wattloop::twin
