// How a hall is made and computed: of what, by which method, with how many threads.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/engine/snapshots.hpp"
#include "twin/run/hall_run.hpp"

namespace wattloop::engine {

struct HallMethod {
  twin::RunMethod run{};
  int threads = 1;
  std::function<void(std::string_view)> on_note{}, on_warning{};
};

/// A file or a text.
struct GivenScenario {
  std::filesystem::path file{};
  std::optional<std::string_view> text{};
  std::vector<std::string> overrides{};
};

/// As many threads as the hall has, for this thread alone, and for as long as it is in use.
class ThreadCount {
 public:
  explicit ThreadCount(int threads);
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
  ~ThreadCount();

 private:
  int before_;
};

/// A run that has yet to begin, made with as many threads as it has: integrators keep room for these. Throws InputError.
std::unique_ptr<twin::HallRun> make_run(const GivenScenario& given, const HallMethod& method);

/// The same of what a snapshot has of its hall, by its integrator.
std::unique_ptr<twin::HallRun> make_run(const Snapshot& snapshot, HallMethod& method);

}  // namespace wattloop::engine
