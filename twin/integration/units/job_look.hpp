// A rack looks whether its job must go on at another clock, which ends a window: other racks take notice of it.
#pragma once

#include <span>

#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/integration/units/unit_item.hpp"

namespace wattloop::twin {

/// The slowest GPUs of a rack at the begin of a window, where its jobs wait for them and somebody looks at its seconds.
void note_job_clock(UnitItem& item, const Plant& plant, const Window& window, const PlantState& state);

/// Whether one of its jobs must go on at another clock from now on, as far as this rack knows. `jobs` may be null.
void look_at_job_clock(UnitItem& item, const RackNow& now, const PlantState& state, const JobRacks* jobs);

/// Whether any of them has found that one of its jobs must.
bool is_any_job_due(std::span<const UnitItem* const> items);

/// The slowest GPUs of a rack at the end of a window that skips seconds.
void note_clock_at_end(UnitItem& item, const RackNow& now, const PlantState& state, const JobRacks* jobs);

/// Whether a job is off its slowest GPU then by more than such a window may leave to the instant at its end.
bool has_any_job_left_clock(std::span<const UnitItem> items, const PlantState& state, const JobRacks* jobs);

}  // namespace wattloop::twin
