// What GPUs of a pipeline stage draw in a window of a sample, as it stands among the numbers of a basis.
#pragma once

#include <cstddef>

namespace wattloop::workload {

/// Mean share of a window: what GPUs of one pipeline stage draw without deviations, and what each adds.
struct StageMix {
  double level_w;
  double per_node_noise_w;  // of the noise of the node, in standard deviations
  double per_gpu_noise_w;   // of the noise of the GPU, in standard deviations
  double per_place_w;       // of the place of the GPU in the spread
};

/// A mix as it stands among the numbers of a basis, stage by stage.
inline constexpr std::size_t numbers_per_mix = 4;

inline void put_mix(const StageMix& mix, double* numbers) {
  numbers[0] = mix.level_w;
  numbers[1] = mix.per_node_noise_w;
  numbers[2] = mix.per_gpu_noise_w;
  numbers[3] = mix.per_place_w;
}

inline StageMix mix_of(const double* mixes, std::size_t stage) {
  const double* numbers = mixes + stage * numbers_per_mix;
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

}  // namespace wattloop::workload
