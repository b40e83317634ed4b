// Links and power of a modelled fabric: what jobs send over each link, and switches, optical modules and network adapters apart.
#pragma once

#include "twin/run/recording/recorder.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// Up to so many links are recorded at the interval of single GPUs; of larger fabrics, the start and the end of the run.
inline constexpr std::size_t most_links_with_course = 10'000;

/// Of a plant with a modelled fabric; empty for others. Plant and work must outlive the tables. end_s: of the run
std::vector<RecordedTable> link_tables(const Plant& plant, const workload::Workload& work, const RecordSpec& record,
                                       double end_s);

}  // namespace wattloop::twin
