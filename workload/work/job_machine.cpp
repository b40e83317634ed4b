#include "workload/work/job_machine.hpp"

namespace wattloop::workload {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

void stop(const SynchronousJob& program, JobClock& clock, JobMemory& memory, double now_s) {
  memory.shrunk_s = shrunk_s(program, clock, memory, now_s);
  memory.storage_wait_s = storage_wait_s(program, clock, memory, now_s);
  clock = program.at_clock(clock, now_s, clock.clock_fraction);
  clock.is = JobClock::Is::waiting;
  memory.stopped_s = now_s;
  memory.due_s = now_s + program.detection_s();
  ++memory.stops;
}

void resume(const SynchronousJob& program, JobClock& clock, JobMemory& memory, double now_s) {
  const double before_s = program.progress(clock, now_s).gained_s;
  clock = program.from_checkpoint(clock, now_s);
  memory.resumed_at_s = program.progress(clock, now_s).gained_s;
  memory.redone_s += before_s - memory.resumed_at_s;
  memory.stopped_in_all_s += now_s - memory.stopped_s - memory.read_wait_s;
  memory.storage_wait_s += memory.read_wait_s;
  memory.stopped_s = memory.due_s = never_s;
  memory.is_restarting = false;
  memory.read_wait_s = 0.0;
  memory.read_fraction = 1.0;
}

/// Of the restart under way: waiting for storage so far.
double read_wait_s(const JobMemory& memory, double now_s) {
  if (memory.read_fraction == 1.0) return memory.read_wait_s;
  return memory.read_wait_s - (memory.due_s - now_s) * (1.0 - memory.read_fraction);
}

}  // namespace

double storage_wait_s(const SynchronousJob& program, const JobClock& clock, const JobMemory& memory, double now_s) {
  if (clock.is != JobClock::Is::running) return memory.storage_wait_s + read_wait_s(memory, now_s);
  return memory.storage_wait_s + program.progress(clock, now_s).storage_wait_s;
}

double stopped_s(const JobMemory& memory, double now_s) {
  if (memory.stopped_s == never_s) return memory.stopped_in_all_s;
  return memory.stopped_in_all_s + (now_s - memory.stopped_s) - read_wait_s(memory, now_s);
}

double shrunk_s(const SynchronousJob& program, const JobClock& clock, const JobMemory& memory, double now_s) {
  if (clock.is != JobClock::Is::running || clock.size_fraction == 1.0) return memory.shrunk_s;
  const double reached_s = program.progress(clock, now_s).gained_s;
  return memory.shrunk_s + program.longer_s(memory.resumed_at_s, reached_s, clock.size_fraction);
}

void stop_to_restart(const SynchronousJob& program, JobClock& clock, JobMemory& memory, double now_s) {
  stop(program, clock, memory, now_s);
  --memory.stops;
  clock.is = JobClock::Is::idle;
  memory.due_s = now_s;
}

JobChange advance(const SynchronousJob& program, JobClock& clock, JobMemory& memory, double now_s, bool is_lost) {
  JobChange change = JobChange::none;
  if (clock.is == JobClock::Is::running) {
    if (!is_lost && !memory.is_interrupted) return change;
    stop(program, clock, memory, now_s);
    change = JobChange::stopped;
  } else if (memory.is_restarting && (is_lost || memory.is_interrupted)) {  // again
    memory.is_restarting = false;
    memory.read_wait_s = read_wait_s(memory, now_s);
    memory.read_fraction = 1.0;
    memory.due_s = now_s + program.detection_s();
  }
  memory.is_interrupted = false;
  if (clock.is == JobClock::Is::waiting && now_s >= memory.due_s) {
    clock.is = JobClock::Is::idle;
    clock.since_s = now_s;
    memory.due_s = never_s;
    change = JobChange::noticed;
  }
  if (clock.is != JobClock::Is::idle || is_lost) return change;
  if (!memory.is_restarting && (memory.due_s == never_s || now_s >= memory.due_s)) {
    memory.is_restarting = true;
    memory.due_s = now_s + program.restart_s();
    change = JobChange::restarting;
  }
  if (!memory.is_restarting || now_s < memory.due_s) return change;
  resume(program, clock, memory, now_s);
  return JobChange::resumed;
}

}  // namespace wattloop::workload
