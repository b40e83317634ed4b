#include "tests/support/records/published_case.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/commands/run/run_command.hpp"

namespace wattloop::tests {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

/// The row of that time; times are reported to a microsecond.
std::size_t row_at(const std::vector<double>& times_s, double time_s) {
  const auto found = std::ranges::find_if(times_s, [&](double at_s) { return std::abs(at_s - time_s) < 1e-6; });
  INFO("no row at " << time_s << " s");
  REQUIRE(found != times_s.end());
  return static_cast<std::size_t>(found - times_s.begin());
}

std::filesystem::path run_scenario(const std::string& name, const std::vector<std::string>& overrides,
                                   const std::string& integrator, const TemporaryFolder& folder) {
  twin::RunOptions options;
  options.scenario = std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/verification/" + name + ".yaml";
  options.output = folder / "results.h5";
  options.overrides = overrides;
  options.method.integrator = integrator;
  options.is_quiet = true;
  REQUIRE(twin::run(options) == 0);
  return options.output;
}

}  // namespace

Trajectory::Trajectory(const std::string& file) {
  std::ifstream in(file);
  INFO(file);
  REQUIRE(in);
  std::string line;
  std::getline(in, line);
  names_ = cells_of(line);
  columns_.resize(names_.size());
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == names_.size());
    for (std::size_t k = 0; k < cells.size(); ++k) columns_[k].push_back(std::stod(cells[k]));
  }
  REQUIRE(!times_s().empty());
}

double Trajectory::at(const std::string& column, std::size_t row) const {
  const auto found = std::ranges::find(names_, column);
  INFO(column);
  REQUIRE(found != names_.end());
  return columns_[static_cast<std::size_t>(found - names_.begin())].at(row);
}

PublishedCase::PublishedCase(std::string title, const std::string& scenario, const std::string& trajectory,
                             const std::vector<std::string>& overrides, const std::string& integrator)
    : title_(std::move(title)),
      trajectory_(reference_data() + "/modelica_dc/" + trajectory),
      results_(run_scenario(scenario, overrides, integrator, folder_)) {
  CHECK(std::abs(results_.summary_number("energy_residual").value()) < 1e-9);
}

double PublishedCase::ours(const std::string& group, const std::string& column, double time_s) const {
  return static_cast<double>(results_.frame(group, column, row_at(results_.times_s(group), time_s)).at(0));
}

double PublishedCase::theirs(const std::string& column, double time_s) const {
  return trajectory_.at(column, row_at(trajectory_.times_s(), time_s));
}

void PublishedCase::check(const Beside& beside, const std::function<bool(double)>& is_meant) const {
  Verified worst;
  double largest = -1.0;
  for (const double time_s : trajectory_.times_s()) {
    if (!is_meant(time_s)) continue;
    const double are = theirs(beside.theirs, time_s), is = beside.times * ours(beside.group, beside.column, time_s);
    const double tolerance = beside.tolerance * (beside.is_relative ? std::abs(are) : 1.0);
    INFO(title_ << ", " << beside.what << " at " << time_s << " s");
    CHECK(is == Approx(are).epsilon(0.0).margin(tolerance));
    if (std::abs(is - are) / tolerance <= largest) continue;
    largest = std::abs(is - are) / tolerance;
    worst = {title_, "modelica_buildings", beside.what, is, are, tolerance, beside.unit};
  }
  REQUIRE(largest >= 0.0);
  report_verification(worst);
}

void PublishedCase::check_end(const Beside& beside) const {
  const double end_s = trajectory_.times_s().back();
  check(beside, [&](double time_s) { return time_s == end_s; });
}

}  // namespace wattloop::tests
