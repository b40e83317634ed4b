// A published trajectory beside a run of the scenario that stands for it: scenarios/verification/NAME.yaml by the calls of `wattloop
// run`, and the recorded results, against a CSV file of the reference data.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::tests {

/// A CSV file with a line of names, the first column seconds.
class Trajectory {
 public:
  explicit Trajectory(const std::string& file);
  const std::vector<double>& times_s() const { return columns_.front(); }
  double at(const std::string& column, std::size_t row) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

/// What of the results is compared with what.
struct Beside {
  std::string what;    ///< "temperature of the coolant that leaves"
  std::string group;   ///< of the results
  std::string column;  ///< of it, first item
  std::string theirs;  ///< column of the trajectory
  double tolerance;    ///< largest |ours - theirs|; of theirs where `is_relative`
  std::string unit;
  bool is_relative = false;
  double times = 1.0;  ///< of ours, so that both are the same
};

class PublishedCase {
 public:
  /// Runs it. `title` begins the names of its rows in docs/verification.md. Skips the test where there are no reference data.
  PublishedCase(std::string title, const std::string& scenario, const std::string& trajectory,
                const std::vector<std::string>& overrides = {}, const std::string& integrator = "multirate");

  double ours(const std::string& group, const std::string& column, double time_s) const;
  double theirs(const std::string& column, double time_s) const;

  /// Checks all times of the trajectory for which `is_meant` holds, and reports the worst. At least one must be.
  void check(const Beside& beside, const std::function<bool(double time_s)>& is_meant) const;
  /// Checks and reports the end of the trajectory.
  void check_end(const Beside& beside) const;

 private:
  const std::string title_;
  TemporaryFolder folder_;
  Trajectory trajectory_;
  twin::ResultsReader results_;
};

}  // namespace wattloop::tests
