#include "twin/run/figures/all_figures.hpp"

#include <algorithm>
#include <iterator>

#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/verdict_of_run.hpp"

namespace wattloop::twin {

std::vector<NamedValue> all_figures(const FinishedRun& run, const Losses& losses, const Work& work) {
  std::vector<NamedValue> figures = summarise(run);
  std::ranges::move(loss_figures(run, losses), std::back_inserter(figures));
  const std::vector<LimitRecord> limits = limit_records(run);
  figures.push_back({std::string(exceeded_figure), names_of_limits(limits), "",
                     "limits of parts that were exceeded; of parts alike the worst", ""});
  figures.push_back(figure_of_verdict({figures, run.simulation.events(), limits}));
  if (work.clamped_sample_share)
    figures.push_back(
        {"clamped_sample_share", *work.clamped_sample_share, "1",
         "samples of the trace that ask more of the GPUs than their limit; the rest of the node draws the surplus"});
  return figures;
}

}  // namespace wattloop::twin
