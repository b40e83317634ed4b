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
                     "limits of parts that were exceeded; of equal parts only the worst", ""});
  figures.push_back(figure_of_verdict({figures, run.simulation.events(), limits}));
  if (work.clamped_sample_share)
    figures.push_back({"clamped_sample_share", *work.clamped_sample_share, "1",
                       "share of samples of the trace that ask for more GPU power than the limit; the other parts of "
                       "the node draw the surplus"});
  return figures;
}

}  // namespace wattloop::twin
