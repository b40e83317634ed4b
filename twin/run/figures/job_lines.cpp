#include "twin/run/figures/job_lines.hpp"

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/actions/work/burn_in_watch.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string seconds(double time_s) { return format_quantity(time_s, "s"); }

void add_queue(const workload::JobQueue& queue, const JobFigures& all, const FinishedRun& run, Lines& lines) {
  const QueueFigures jobs = queue_figures(queue, run.simulation.state());
  std::string words = fmt::format("{} of {} submitted done, {} running, {} waiting", jobs.done, jobs.submitted,
                                  jobs.running, jobs.waiting);
  if (jobs.over_limit > 0) words += fmt::format(", {} ended by their time limit", jobs.over_limit);
  lines.emplace_back("queue", words);
  if (jobs.has_waits) {
    words = fmt::format("{} in the mean, 95 % at most {}, longest {}", seconds(jobs.mean_wait_s),
                        seconds(jobs.p95_wait_s), seconds(jobs.longest_wait_s));
    if (jobs.never_started > 0) words += fmt::format("; {} never started", jobs.never_started);
    if (jobs.stuck > 0) words += fmt::format(", {} of them need more than the hall has", jobs.stuck);
    lines.emplace_back("waits", words);
  }
  const double run_s = run.simulation.state().time_s;
  lines.emplace_back("nodes", fmt::format("{:.1f} % of their time with a job, {:.1f} % goodput, {} of {} at the end",
                                          100.0 * all.held_s / run_s, 100.0 * all.gained_s / run_s, jobs.busy_nodes,
                                          run.plant.it.node_count()));
  if (!run.statistics.jobs) return;
  lines.emplace_back(
      "energy", fmt::format("jobs {}, nodes without a job {}", format_quantity(run.statistics.jobs->of_jobs_j(), "J"),
                            format_quantity(run.statistics.jobs->idle_j(), "J")));
}

/// "2 outliers, slowest row_1.rack_1.node_2.gpu_3, 1.250 times the median".
std::string tested_words(std::string_view what, const TestedItem& slowest, std::size_t outliers) {
  return fmt::format("{}, slowest {}: {:.3f} times the median", count_text(outliers, std::string(what) + " outlier"),
                     slowest.name, slowest.time_ratio);
}

void add_tests(const FinishedRun& run, Lines& lines) {
  const std::vector<workload::TestedNodes> tests = run.simulation.jobs().tests();
  if (tests.empty()) return;
  const TestFindings found = test_findings(run.plant, tests, run.simulation.state());
  lines.emplace_back("burn-in", std::string(burn_in_word(found)));
  if (found.has_gpus) {
    lines.emplace_back("GPUs", tested_words("GPU", found.slowest_gpu, found.gpus.size()));
    lines.emplace_back("racks", tested_words("rack", found.slowest_rack, found.racks.size()));
  }
  if (found.has_nodes) lines.emplace_back("nodes", tested_words("node", found.slowest_node, found.nodes.size()));
}

void add_jobs(const FinishedRun& run, Lines& lines) {
  const JobFigures jobs = job_figures(run.simulation.jobs(), run.simulation.state());
  if (!jobs.is_any) return;
  std::string words = fmt::format("{:.0f} steps, {:.2f} % of the time effective", jobs.steps,
                                  jobs.held_s > 0.0 ? 100.0 * jobs.gained_s / jobs.held_s : 0.0);
  constexpr double noticeable_s = 0.05;
  const bool is_one_job = run.simulation.jobs().queue() == nullptr && run.simulation.jobs().clock_count() == 1;
  const auto amount = [&](double time_s) {
    return is_one_job ? seconds(time_s) : fmt::format("{:.4g} GPU h", time_s * lost_gpus(run, jobs) / 3600.0);
  };
  if (jobs.saving_s > noticeable_s) words += fmt::format(", {} for checkpoints", amount(jobs.saving_s));
  if (jobs.lost.slowed_s > noticeable_s) words += fmt::format(", {} slowed", amount(jobs.lost.slowed_s));
  if (jobs.lost.shrunk_s > noticeable_s) words += fmt::format(", {} lost by missing nodes", amount(jobs.lost.shrunk_s));
  if (jobs.lost.storage_wait_s > noticeable_s)
    words += fmt::format(", {} waited for storage", amount(jobs.lost.storage_wait_s));
  if (jobs.lost.stopped_s + jobs.lost.redone_s > noticeable_s)
    words += fmt::format(", {} for {}, {} for repeated work", amount(jobs.lost.stopped_s),
                         count_text(jobs.lost.stops, "stop"), amount(jobs.lost.redone_s));
  const workload::JobQueue* queue = run.simulation.jobs().queue();
  lines.emplace_back(queue != nullptr ? "all jobs" : "training job", words);
  if (const std::optional<Throughput> throughput = throughput_of(run))
    lines.emplace_back("throughput", throughput_words(*throughput));
  if (queue != nullptr) add_queue(*queue, jobs, run, lines);
}

}  // namespace

std::string throughput_words(const Throughput& throughput) {
  constexpr double million = 1e6;
  const std::string mfu =
      throughput.mfu_fraction > 0.0 ? fmt::format(", MFU {:.1f} %", 100.0 * throughput.mfu_fraction) : "";
  return fmt::format("{:.4g} million tokens/s{}, {:.3g} J of IT energy a token", throughput.tokens_per_s / million, mfu,
                     throughput.energy_per_token_j);
}

std::vector<std::pair<std::string, std::string>> job_lines(const FinishedRun& run) {
  Lines lines;
  add_jobs(run, lines);
  add_tests(run, lines);
  return lines;
}

}  // namespace wattloop::twin
