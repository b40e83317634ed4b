// Values to bytes and back, in one list of members for both ways. The list of a struct is a structured binding: one that forgets a
// member, or does not know a new one, does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "twin/results/schema/job_place.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// Appends to its bytes.
struct Saving {
  std::string bytes{};
  void raw(void* value, std::size_t size) { bytes.append(static_cast<const char*>(value), size); }
  std::size_t count(std::size_t here) {
    std::uint64_t size = here;
    raw(&size, sizeof size);
    return here;
  }
};

/// Takes from bytes; std::out_of_range where they end too early.
struct Loading {
  std::string_view bytes{};
  void raw(void* value, std::size_t size) {
    if (size > bytes.size()) throw std::out_of_range("the checkpoint is cut off");
    if (size > 0) std::memcpy(value, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  std::size_t count(std::size_t) {
    std::uint64_t size = 0;
    raw(&size, sizeof size);
    if (size > bytes.size()) throw std::out_of_range("the checkpoint is cut off");
    return static_cast<std::size_t>(size);
  }
};

template <class Way>
class Archive {
 public:
  explicit Archive(Way way = {}) : way_(std::move(way)) {}

  template <class... Values>
  void operator()(Values&... values) {
    (go(values), ...);
  }

  const Way& way() const { return way_; }

 private:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void go(T& value) { way_.raw(&value, sizeof value); }
  void go(std::string& text) {
    text.resize(way_.count(text.size()));
    way_.raw(text.data(), text.size());
  }
  template <class T>
  void go(std::vector<T>& values) {
    values.resize(way_.count(values.size()));
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      way_.raw(values.data(), values.size() * sizeof(T));
    } else {
      for (T& value : values) go(value);
    }
  }
  template <class T, std::size_t n>
  void go(std::array<T, n>& values) {
    for (T& value : values) go(value);
  }

  void go(StoredEnergy& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(EventRecord& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(JobPlace& v) {
    auto& [a, b, c, d, e] = v;
    (*this)(a, b, c, d, e);
  }
  void go(electrical::Complex& v) { way_.raw(&v, sizeof v); }
  void go(electrical::TreeVoltages& v) {
    auto& [a, b, c, d, e, f, g] = v;
    (*this)(a, b, c, d, e, f, g);
  }
  void go(electrical::BranchFactors& v) {
    auto& [a, b, c, d, e] = v;
    (*this)(a, b, c, d, e);
  }
  void go(electrical::SwitchState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  }
  void go(workload::JobClock& v) {
    auto& [a, b, c, d, e, f, g, h, i, j] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j);
  }
  void go(workload::FailureCounters& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(workload::JobMemory& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
  void go(WorkState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w, x] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w, x);
  }
  void go(workload::Placement& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(workload::RunningJob& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(workload::JobLoss& v) {
    auto& [a, b, c, d, e, f] = v;
    (*this)(a, b, c, d, e, f);
  }
  void go(workload::JobRecord& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l);
  }
  void go(workload::TestState& v) {
    auto& [a, b, c] = v;
    (*this)(a, b, c);
  }
  void go(workload::QueueState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j);
  }
  void go(Ramp& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(TemporarySetting& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(SettingCourse& v) {
    auto& [a, b, c, d, e] = v;
    (*this)(a, b, c, d, e);
  }
  void go(FlagOverride::Temporary& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(FlagOverride& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(EquipmentState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  }
  void go(AutomaticState& v) {
    auto& [a, b, c, d, e, f, g] = v;
    (*this)(a, b, c, d, e, f, g);
  }
  void go(SwitchingState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m);
  }
  void go(AirAround& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(PartOverload& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
  }
  void go(OverloadState& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(PartBeyond& v) {
    auto& [a, b, c, d, e, f, g, h, i] = v;
    (*this)(a, b, c, d, e, f, g, h, i);
  }
  void go(LimitState& v) {
    auto& [a, b, c] = v;
    (*this)(a, b, c);
  }
  void go(physics::CoolingModeMemory& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(EconomiserState& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(BeginState& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(FabricLoss& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(FabricState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k);
  }
  void go(PlantState& v) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = v;
    (*this)(a, b, c, d, e, f, g, h, i, j, k, l, m);
  }
  void go(IntegratorMemory& v) {
    auto& [a, b, c, d, e] = v;
    (*this)(a, b, c, d, e);
  }
  void go(WindowPace& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(Checkpoint& v) {
    auto& [a, b, c, d, e] = v;
    (*this)(a, b, c, d, e);
  }
  void go(OffSetPoint& v) {
    auto& [a, b, c] = v;
    (*this)(a, b, c);
  }
  void go(Approach& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(Extremes& v) {
    auto& [a, b, c, d, e, f] = v;
    (*this)(a, b, c, d, e, f);
  }
  void go(LoadPeak& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }
  void go(Bill::Month& v) {
    auto& [a, b, c, d, e] = v;
    (*this)(a, b, c, d, e);
  }
  void go(MonthMeter::Powers& v) {
    auto& [a, b] = v;
    (*this)(a, b);
  }
  void go(MonthMeter::Month& v) {
    auto& [a, b, c, d, e, f] = v;
    (*this)(a, b, c, d, e, f);
  }
  void go(Statistics::Dies& v) {
    auto& [a, b, c, d] = v;
    (*this)(a, b, c, d);
  }

  Way way_;
};

}  // namespace wattloop::twin
