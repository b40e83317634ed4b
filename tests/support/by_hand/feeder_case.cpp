#include "tests/support/by_hand/feeder_case.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/catch.hpp"

namespace wattloop::tests {

namespace {

using Row = std::vector<std::string>;

/// Rows below the head of a file of plain cells.
std::vector<Row> rows_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Row> rows;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    Row& row = rows.emplace_back();
    while (std::getline(cells, cell, ',')) row.push_back(cell);
  }
  return rows;
}

std::size_t bus_of(const std::string& name) { return std::stoul(name) - 1; }

}  // namespace

FeederCase read_feeder_case(const std::string& name) {
  const std::string folder = reference_data() + "/electrical/" + name;
  FeederCase feeder;
  for (const Row& row : rows_of(folder + "/buses.csv")) {
    const std::size_t bus = bus_of(row.at(0));
    feeder.network.buses.push_back({row[0], 1e3 * std::stod(row.at(3))});
    feeder.network.loads.push_back({"load_" + row[0], bus});
    feeder.load_va.emplace_back(1e3 * std::stod(row.at(1)), 1e3 * std::stod(row.at(2)));
    if (row.at(4) == "1") feeder.network.sources.push_back({.name = "grid", .bus = bus});
  }
  for (const Row& row : rows_of(folder + "/branches.csv")) {
    feeder.network.branches.push_back({.name = row.at(0) + "_" + row.at(1),
                                       .from = bus_of(row[0]),
                                       .to = bus_of(row[1]),
                                       .resistance_ohm = std::stod(row.at(2)),
                                       .reactance_ohm = std::stod(row.at(3)),
                                       .is_closed = row.at(4) == "1"});
  }
  for (const Row& row : rows_of(folder + "/solution.csv")) {
    feeder.solved_ratio.push_back(std::stod(row.at(1)));
    feeder.solved_degrees.push_back(std::stod(row.at(2)));
  }
  return feeder;
}

electrical::AcBranch& branch_between(FeederCase& feeder, const std::string& one, const std::string& other) {
  for (electrical::AcBranch& branch : feeder.network.branches) {
    if (branch.name == one + "_" + other || branch.name == other + "_" + one) return branch;
  }
  throw std::runtime_error("no branch between " + one + " and " + other);
}

void share_loads(FeederCase& feeder, const electrical::VoltageShares& shares) {
  for (electrical::AcLoad& load : feeder.network.loads) load.shares = shares;
}

}  // namespace wattloop::tests
