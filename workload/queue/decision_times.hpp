// Decisions of a scheduler are at whole multiples of an interval.
#pragma once

namespace wattloop::workload {

/// The first one that is not before a time; infinity of infinity.
double decision_from_s(double interval_s, double time_s);
/// The first one after a time.
double decision_after_s(double interval_s, double time_s);
/// The last one that is not after a time.
double decision_until_s(double interval_s, double time_s);

}  // namespace wattloop::workload
