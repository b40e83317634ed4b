#include "twin/run/figures/unit_costs.hpp"

#include <cmath>

#include "twin/actions/work/job_figures.hpp"
#include "twin/run/meters/energy_figures.hpp"

namespace wattloop::twin {

std::optional<UnitCosts> unit_costs(const FinishedRun& run) {
  if (!run.statistics.costs || !run.statistics.costs->has_prices()) return std::nullopt;
  const CostMeter& meter = *run.statistics.costs;
  const auto gpus = static_cast<double>(run.plant.it.gpu_count());
  const double total = costs_of(meter).total();
  UnitCosts costs{.per_gpu_s = total / (gpus * meter.seen_s())};
  const JobFigures jobs = job_figures(run.simulation.jobs(), run.simulation.state());
  if (!jobs.is_any) return costs;
  const bool is_queue = run.simulation.jobs().queue() != nullptr;
  if (jobs.tokens > 0.0 && (is_queue || jobs.gpus == gpus)) {
    constexpr double million = 1e6;
    costs.tokens = jobs.tokens;
    costs.per_million_tokens = total / jobs.tokens * million;
  }
  costs.failed_gpu_s = (jobs.lost.stopped_s + jobs.lost.redone_s) * (is_queue ? gpus : jobs.gpus);
  costs.failures = *costs.failed_gpu_s * costs.per_gpu_s;
  return costs;
}

}  // namespace wattloop::twin
