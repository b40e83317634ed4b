#include "tests/support/job_goodput.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "workload/training/training_clock.hpp"
#include "workload/work/job_machine.hpp"

namespace wattloop::tests {

using namespace workload;

double goodput_of_runs(const TrainingParams& job, double between_s, int seeds) {
  const FailureParams failures{.kinds = {{"any", between_s, false}}};
  const double run_s = 200.0 * between_s;
  double gained_s = 0.0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const TrainingClock program(job, 1, 1);
    const FailureProcess process(failures, 1, static_cast<std::uint64_t>(seed));
    FailureCounters counters = process.at_begin();
    JobClock clock;
    JobMemory memory;
    for (double now_s = 0.0; now_s < run_s;) {
      now_s = std::min({process.next_s(counters), memory.due_s, run_s});
      if (process.next_s(counters) <= now_s) {
        process.take_next(counters);
        memory.is_interrupted = true;
      }
      advance(program, clock, memory, now_s, false);
    }
    gained_s += program.progress(clock, run_s).steps * job.step_s;  // without saves
  }
  return gained_s / (run_s * seeds);
}

double closed_form_goodput(const SavingJob& job, double between_s) {
  const double written_fraction = std::exp(-job.background_s / between_s);
  const double restarts = std::exp(job.restart_s / between_s);
  return job.work_s * written_fraction / (between_s * restarts * std::expm1((job.work_s + job.save_s) / between_s));
}

}  // namespace wattloop::tests
