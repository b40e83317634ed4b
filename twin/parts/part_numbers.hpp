// What the tables of a kind say of each number that it sees and does, known when compiling: for its set, and for the catalog.
#pragma once

#include <array>
#include <cstddef>

#include "core/parts/part.hpp"

namespace wattloop::twin {

/// [number of Now] change that matters; 0: given, stands still.
template <Part K>
consteval auto noticeable_changes() {
  std::array<double, number_count<typename K::Now>> changes{};
  for (const auto& port : K::ports()) {
    for (std::size_t i = 0; i < port.seen.count; ++i) changes[port.seen.first + i] = port.changes[i];
  }
  if constexpr (HasState<K>) {
    const std::size_t first = numbers_of(&K::Now::state).first;
    for (const auto& state : K::states()) changes[first + state.number] = noticeable_change(state.info.unit);
  }
  if constexpr (HasSettings<K>) {
    for (const auto& setting : K::settings()) changes[setting.number] = noticeable_change(setting.unit);
  }
  return changes;
}

/// Whether a number of `Now` is a value that was given, not a signal.
template <Part K>
consteval bool is_given(std::size_t number) {
  return noticeable_changes<K>()[number] == 0.0;
}

/// Whether a number of `Now` is decided by switching or the power tree, which derivatives leave out
/// (docs/decisions/0026-electric-values-are-signals.md).
template <Part K>
consteval bool is_decided_elsewhere(std::size_t number) {
  for (const auto& port : K::ports()) {
    const bool is_here = number >= port.seen.first && number < port.seen.first + port.seen.count;
    if (is_here && port.is_decided_elsewhere) return true;
  }
  return false;
}

/// Where the signal of a number of `Now` stands in a list that leaves out those given.
template <Part K>
consteval std::size_t place_of(std::size_t number) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < number; ++i) place += is_given<K>(i) ? 0 : 1;
  return place;
}

/// Whether the cached number follows from this number of `Now`.
template <Part K>
consteval bool is_read_by_cached(std::size_t number) {
  if constexpr (CachesNumber<K>) {
    for (const double read : numbers_in(K::cached_from(numbered<typename K::Now>()))) {
      if (read == static_cast<double>(number)) return true;
    }
  }
  return false;
}

/// How many signals the cached number follows from.
template <Part K>
consteval std::size_t cached_signal_count() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < number_count<typename K::Now>; ++i) {
    count += is_read_by_cached<K>(i) && !is_given<K>(i) ? 1 : 0;
  }
  return count;
}

/// Which numbers of `Now` these are.
template <Part K>
consteval auto cached_signals() {
  std::array<std::size_t, cached_signal_count<K>()> numbers{};
  std::size_t place = 0;
  for (std::size_t i = 0; i < number_count<typename K::Now>; ++i) {
    if (is_read_by_cached<K>(i) && !is_given<K>(i)) numbers[place++] = i;
  }
  return numbers;
}

/// Which number of `Effect` is the power of the motor, or of what is only reported; behind the last where there is none.
template <Part K>
consteval std::size_t drawn_number() {
  for (const auto& port : K::ports()) {
    if (port.medium == PortMedium::electric && port.done.count > 0) return port.done.first;
  }
  return number_count<typename EffectOf<K>::type>;
}

/// How many numbers a part of a kind reports.
struct ReportedCount {
  std::size_t columns = 0, watched = 0;
};
template <Part K>
consteval ReportedCount reported_count() {
  ReportedCount count;
  if constexpr (HasColumns<K>) count.columns = K::columns().size();
  if constexpr (HasWatched<K>) count.watched = K::watched().size();
  return count;
}

}  // namespace wattloop::twin
