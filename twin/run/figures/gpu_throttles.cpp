#include "twin/run/figures/gpu_throttles.hpp"

#include "twin/units/unit_classes.hpp"

namespace wattloop::twin {

GpuThrottles gpu_throttles_of(const FinishedRun& run) {
  GpuThrottles throttles{.first_s = run.simulation.state().work.gpu_first_throttle_s};
  if (throttles.first_s.empty()) return {};
  const ItEquipment& it = run.plant.it;
  for (std::size_t number = 0; number < it.groups.size(); ++number) {
    const UnitGroup& gpus = *run.plant.groups[it.groups[number].gpu_units];
    const UnitClasses classes =
        make_unit_classes(run.scenario.racks[number].gpu_spread, run.scenario.seed, gpus.stations);
    for (std::size_t unit = 0; unit < it.groups[number].gpu_count(); ++unit) {
      const UnitVariation variation =
          classes.are_alike() ? UnitVariation{} : classes.variations[classes.class_of_unit[unit]];
      throttles.names.push_back(gpus.unit_names[unit]);
      throttles.resistance_ratio.push_back(variation.resistance_ratio);
      throttles.flow_ratio.push_back(variation.flow_ratio);
      throttles.leakage_ratio.push_back(variation.leakage_ratio);
    }
  }
  return throttles;
}

}  // namespace wattloop::twin
