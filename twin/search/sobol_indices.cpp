#include "twin/search/sobol_indices.hpp"

#include <boost/random/sobol.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/numbers/random.hpp"
#include "twin/study/draws/samples.hpp"

namespace wattloop::twin {

namespace {

constexpr std::uint32_t shift_stream = 1'000'003, bootstrap_stream = 1'000'033;

/// Values of one sample: A, B, AB_1 ...
using Sample = std::span<const double>;

struct Estimate {
  std::vector<double> first, total;
};

Estimate estimate(std::span<const Sample> samples, std::span<const std::size_t> rows, std::size_t inputs) {
  const auto n = static_cast<double>(rows.size());
  double sum = 0.0, squares = 0.0;
  for (const std::size_t row : rows) sum += samples[row][0] + samples[row][1];
  const double mean = sum / (2.0 * n);
  for (const std::size_t row : rows)
    squares += std::pow(samples[row][0] - mean, 2) + std::pow(samples[row][1] - mean, 2);
  const double variance = squares / (2.0 * n);
  Estimate made{std::vector<double>(inputs), std::vector<double>(inputs)};
  for (std::size_t i = 0; i < inputs; ++i) {
    double of_b = 0.0, of_a = 0.0;
    for (const std::size_t row : rows) {
      of_b += (samples[row][1] - mean) * (samples[row][2 + i] - samples[row][0]);
      of_a += std::pow(samples[row][0] - samples[row][2 + i], 2);
    }
    made.first[i] = variance > 0.0 ? of_b / (n * variance) : std::nan("");
    made.total[i] = variance > 0.0 ? of_a / (2.0 * n * variance) : std::nan("");
  }
  return made;
}

/// Of sorted values.
double percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], place - static_cast<double>(below));
}

void put_interval(std::vector<double> draws, double share, double& low, double& high) {
  std::erase_if(draws, [](double draw) { return !std::isfinite(draw); });
  low = high = std::nan("");
  if (draws.empty()) return;
  std::ranges::sort(draws);
  low = percentile(draws, 0.5 * (1.0 - share));
  high = percentile(draws, 0.5 * (1.0 + share));
}

std::vector<std::size_t> drawn_rows(std::size_t count, std::size_t draw, std::uint64_t seed) {
  const RandomKey key = random_key(seed, bootstrap_stream);
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const RandomCounter words = philox({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(draw), 2, 0}, key);
    rows[i] = std::min(count - 1, static_cast<std::size_t>(uniform(words[0]) * static_cast<double>(count)));
  }
  return rows;
}

}  // namespace

std::vector<std::vector<double>> sobol_shares(const SobolDesign& design, std::uint64_t seed) {
  const std::size_t d = design.inputs;
  std::vector<std::vector<double>> shares;
  if (d == 0) return shares;
  boost::random::sobol sequence(2 * d);
  const std::vector<double> shifts = random_samples(2 * d, seed, shift_stream);
  const double size = static_cast<double>(boost::random::sobol::max()) + 1.0;
  for (std::size_t sample = 0; sample < design.samples; ++sample) {
    std::vector<double> point(2 * d);
    for (std::size_t k = 0; k < 2 * d; ++k) {
      const double moved = static_cast<double>(sequence()) / size + shifts[k];
      point[k] = std::min(moved - std::floor(moved), std::nextafter(1.0, 0.0));
    }
    const auto half = point.begin() + static_cast<std::ptrdiff_t>(d);
    shares.emplace_back(point.begin(), half);
    shares.emplace_back(half, point.end());
    for (std::size_t i = 0; i < d; ++i) {
      shares.emplace_back(point.begin(), half);
      shares.back()[i] = point[d + i];
    }
  }
  return shares;
}

std::vector<SobolIndex> sobol_indices(const SobolDesign& design, std::span<const double> values,
                                      const Bootstrap& bootstrap) {
  const std::size_t width = design.inputs + 2;
  std::vector<Sample> samples;
  for (std::size_t sample = 0; sample < design.samples; ++sample) {
    const Sample one = values.subspan(sample * width, width);
    if (std::ranges::all_of(one, [](double value) { return std::isfinite(value); })) samples.push_back(one);
  }
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (samples.size() < 2) return std::vector<SobolIndex>(design.inputs, {none, none, none, none, none, none});
  std::vector<std::size_t> all(samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Estimate whole = estimate(samples, all, design.inputs);
  std::vector<std::vector<double>> first(design.inputs), total(design.inputs);
  for (std::size_t draw = 0; draw < bootstrap.draws; ++draw) {
    const Estimate drawn = estimate(samples, drawn_rows(samples.size(), draw, bootstrap.seed), design.inputs);
    for (std::size_t i = 0; i < design.inputs; ++i) {
      first[i].push_back(drawn.first[i]);
      total[i].push_back(drawn.total[i]);
    }
  }
  std::vector<SobolIndex> indices(design.inputs);
  for (std::size_t i = 0; i < design.inputs; ++i) {
    indices[i].first = whole.first[i];
    indices[i].total = whole.total[i];
    put_interval(std::move(first[i]), bootstrap.share, indices[i].first_low, indices[i].first_high);
    put_interval(std::move(total[i]), bootstrap.share, indices[i].total_low, indices[i].total_high);
  }
  return indices;
}

}  // namespace wattloop::twin
