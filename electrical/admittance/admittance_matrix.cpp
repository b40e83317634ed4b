#include "electrical/admittance/admittance_matrix.hpp"

#include <algorithm>
#include <cassert>

namespace wattloop::electrical {

AdmittanceMatrix::AdmittanceMatrix(const AcNetwork& network) {
  const std::size_t count = network.buses.size();
  std::vector<std::vector<std::size_t>> rows_of(count);
  for (std::size_t bus = 0; bus < count; ++bus) rows_of[bus].push_back(bus);
  for (const AcBranch& branch : network.branches) {
    rows_of[branch.from].push_back(branch.to);
    rows_of[branch.to].push_back(branch.from);
    ends_.push_back({branch.from, branch.to});
  }
  column_starts_.push_back(0);
  for (std::vector<std::size_t>& rows : rows_of) {
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    column_starts_.push_back(rows_.size());
  }
  values_.resize(rows_.size());
  for (std::size_t bus = 0; bus < count; ++bus) {
    diagonal_.push_back(entry_of(bus, bus));
    for (std::size_t entry = column_starts_[bus]; entry < column_starts_[bus + 1]; ++entry)
      transposed_.push_back(entry_of(bus, rows_[entry]));
  }
  for (const auto& [from, to] : ends_) of_branch_.push_back({entry_of(from, to), entry_of(to, from)});
}

std::size_t AdmittanceMatrix::entry_of(std::size_t row, std::size_t column) const {
  const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(column_starts_[column]);
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(column_starts_[column + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, row) - rows_.begin());
}

void AdmittanceMatrix::clear() { std::ranges::fill(values_, Complex(0.0)); }

void AdmittanceMatrix::add(std::size_t branch, const TwoPort& admittance) {
  const auto [from, to] = ends_[branch];
  values_[diagonal_[from]] += admittance.from_from;
  values_[diagonal_[to]] += admittance.to_to;
  values_[of_branch_[branch][0]] += admittance.from_to;
  values_[of_branch_[branch][1]] += admittance.to_from;
}

void AdmittanceMatrix::multiply(std::span<const Complex> voltage, std::span<Complex> current) const noexcept {
  assert(voltage.size() == buses() && current.size() == buses());
  std::ranges::fill(current, Complex(0.0));
  for (std::size_t column = 0; column < buses(); ++column) {
    const double e = voltage[column].real(), f = voltage[column].imag();
    for (std::size_t entry = column_starts_[column]; entry < column_starts_[column + 1]; ++entry) {
      const double g = values_[entry].real(), b = values_[entry].imag();
      current[rows_[entry]] += Complex(g * e - b * f, b * e + g * f);
    }
  }
}

namespace {

/// Columns 2j and 2j + 1 have the rows 2i and 2i + 1 of each entry (i, j).
std::vector<std::int64_t> doubled_starts(const AdmittanceMatrix& matrix) {
  std::vector<std::int64_t> starts{0};
  for (std::size_t column = 0; column < matrix.buses(); ++column) {
    const auto height =
        2 * static_cast<std::int64_t>(matrix.column_starts()[column + 1] - matrix.column_starts()[column]);
    starts.push_back(starts.back() + height);
    starts.push_back(starts.back() + height);
  }
  return starts;
}

std::vector<std::int64_t> doubled_rows(const AdmittanceMatrix& matrix) {
  std::vector<std::int64_t> rows;
  for (std::size_t column = 0; column < 2 * matrix.buses(); ++column) {
    for (std::size_t entry = matrix.column_starts()[column / 2]; entry < matrix.column_starts()[column / 2 + 1];
         ++entry) {
      const auto row = static_cast<std::int64_t>(matrix.rows()[entry]);
      rows.push_back(2 * row);
      rows.push_back(2 * row + 1);
    }
  }
  return rows;
}

constexpr Block no_block{0.0, 0.0, 0.0, 0.0};
constexpr Block unit_block{1.0, 0.0, 0.0, 1.0};

Block block_of(Complex admittance) {
  return {admittance.real(), -admittance.imag(), admittance.imag(), admittance.real()};
}

}  // namespace

AdmittanceFactors::AdmittanceFactors(const AdmittanceMatrix& matrix)
    : column_starts_(doubled_starts(matrix)),
      rows_(doubled_rows(matrix)),
      values_(rows_.size()),
      factors_(column_starts_, rows_) {
  for (std::size_t column = 0; column < matrix.buses(); ++column) {
    const std::size_t first = matrix.column_starts()[column], end = matrix.column_starts()[column + 1];
    for (std::size_t entry = first; entry < end; ++entry) {
      const std::size_t place = 4 * first + 2 * (entry - first);
      places_.push_back({place, place + 2 * (end - first)});
    }
    diagonal_.push_back(matrix.diagonal(column));
  }
}

void AdmittanceFactors::set(std::size_t entry, const Block& block) {
  const auto [by_real, by_imaginary] = places_[entry];
  values_[by_real] = block.real_by_real;
  values_[by_real + 1] = block.imaginary_by_real;
  values_[by_imaginary] = block.real_by_imaginary;
  values_[by_imaginary + 1] = block.imaginary_by_imaginary;
}

void AdmittanceFactors::take(const AdmittanceMatrix& matrix) {
  for (std::size_t entry = 0; entry < places_.size(); ++entry) set(entry, block_of(matrix.values()[entry]));
}

void AdmittanceFactors::add(std::size_t bus, const Block& block) {
  const auto [by_real, by_imaginary] = places_[diagonal_[bus]];
  values_[by_real] += block.real_by_real;
  values_[by_real + 1] += block.imaginary_by_real;
  values_[by_imaginary] += block.real_by_imaginary;
  values_[by_imaginary + 1] += block.imaginary_by_imaginary;
}

void AdmittanceFactors::fix(const AdmittanceMatrix& matrix, std::size_t bus) {
  for (std::size_t entry = matrix.column_starts()[bus]; entry < matrix.column_starts()[bus + 1]; ++entry)
    set(matrix.transposed(entry), no_block);
  set(matrix.diagonal(bus), unit_block);
}

void AdmittanceFactors::solve(std::span<Complex> right_hand_side) {
  // [complex.numbers]: an array of complex numbers may be read as one of their real and imaginary parts.
  factors_.solve({reinterpret_cast<double*>(right_hand_side.data()), 2 * right_hand_side.size()});
}

}  // namespace wattloop::electrical
