#include "twin/scenario/specs/jobs_spec.hpp"

#include <algorithm>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

std::vector<const WorkloadSpec*> JobsSpec::programs() const {
  std::vector<const WorkloadSpec*> programs;
  for (const JobSpec& job : queue) programs.push_back(&job.program);
  for (const JobTraceSpec& trace : traces) {
    if (trace.has_program) programs.push_back(&trace.program);
    for (const auto& [name, program] : trace.of_classes) programs.push_back(&program);
  }
  for (const JobMixSpec& mix : mixes) programs.push_back(&mix.program);
  return programs;
}

workload::WattsContain contents_of(const Scenario& scenario, const RacksSpec& racks) {
  if (!scenario.jobs) return workload_of(scenario, racks).contents();
  const std::vector<const WorkloadSpec*> programs = scenario.jobs->programs();
  const auto all = [&](bool (WorkloadSpec::*contains)() const) {
    return std::ranges::all_of(programs, [contains](const WorkloadSpec* program) { return (program->*contains)(); });
  };
  return {all(&WorkloadSpec::contains_leakage), all(&WorkloadSpec::contains_fans)};
}

}  // namespace wattloop::twin
