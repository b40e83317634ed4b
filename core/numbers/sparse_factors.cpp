#include "core/numbers/sparse_factors.hpp"

#include <klu.h>

#include <algorithm>
#include <vector>

namespace wattloop {

struct SparseFactors::Klu {
  std::span<const std::int64_t> column_starts, rows;  ///< of all entries
  std::vector<std::size_t> kept;                      ///< entries that are not zero
  std::vector<std::uint8_t> is_kept;                  ///< [entry]
  std::vector<SuiteSparse_long> kept_starts, kept_rows;
  std::vector<double> kept_values;
  klu_l_common common{};
  klu_l_symbolic* symbolic = nullptr;
  std::vector<klu_l_numeric*> numeric;  ///< [number]

  bool has_pattern_of(std::span<const double> values) const {
    return std::ranges::equal(values, is_kept, {}, [](double value) -> std::uint8_t { return value != 0.0; });
  }

  bool fits(std::span<const double> values) const {
    bool do_all_fit = true;
    for (std::size_t k = 0; k < values.size(); ++k) do_all_fit = do_all_fit && (is_kept[k] != 0 || values[k] == 0.0);
    return do_all_fit;
  }

  /// Copies the pattern of non-zero entries and computes the order of elimination.
  void set_pattern(std::span<const double> values) {
    forget();
    kept.clear();
    kept_rows.clear();
    kept_starts.assign(1, 0);
    for (std::size_t column = 0; column + 1 < column_starts.size(); ++column) {
      const auto end = static_cast<std::size_t>(column_starts[column + 1]);
      for (auto entry = static_cast<std::size_t>(column_starts[column]); entry < end; ++entry) {
        is_kept[entry] = values[entry] != 0.0 ? 1 : 0;
        if (is_kept[entry] == 0) continue;
        kept.push_back(entry);
        kept_rows.push_back(rows[entry]);
      }
      kept_starts.push_back(static_cast<SuiteSparse_long>(kept.size()));
    }
    kept_values.resize(kept.size());
    symbolic = klu_l_analyze(static_cast<SuiteSparse_long>(kept_starts.size()) - 1, kept_starts.data(),
                             kept_rows.data(), &common);
  }

  void take(std::span<const double> values) {
    std::ranges::transform(kept, kept_values.begin(), [&](std::size_t entry) { return values[entry]; });
  }

  void forget() {
    for (klu_l_numeric*& factors : numeric) klu_l_free_numeric(&factors, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }

  ~Klu() { forget(); }
};

SparseFactors::SparseFactors(std::span<const std::int64_t> column_starts, std::span<const std::int64_t> rows,
                             std::size_t count)
    : klu_(std::make_unique<Klu>()) {
  klu_->column_starts = column_starts;
  klu_->rows = rows;
  klu_->is_kept.resize(rows.size());
  klu_->numeric.resize(count);
  klu_l_defaults(&klu_->common);
  klu_->common.scale = -1;  // no scaling: rows have similar sizes, and the pattern needs no check
}

SparseFactors::~SparseFactors() = default;

bool SparseFactors::factor(std::span<const double> values, std::size_t number) {
  Klu& klu = *klu_;
  if (klu.symbolic == nullptr || !klu.has_pattern_of(values)) klu.set_pattern(values);
  if (klu.symbolic == nullptr) return false;
  klu.take(values);
  klu_l_numeric*& numeric = klu.numeric[number];
  klu_l_free_numeric(&numeric, &klu.common);
  numeric =
      klu_l_factor(klu.kept_starts.data(), klu.kept_rows.data(), klu.kept_values.data(), klu.symbolic, &klu.common);
  return numeric != nullptr && klu.common.status == KLU_OK;
}

bool SparseFactors::refactor(std::span<const double> values, std::size_t number) {
  constexpr double smallest_pivot_growth = 1e-8;  // reciprocal; KLU's own advice is to factor again where it is tiny
  Klu& klu = *klu_;
  klu_l_numeric* numeric = klu.numeric[number];
  if (numeric == nullptr || !klu.fits(values)) return factor(values, number);
  klu.take(values);
  SuiteSparse_long *starts = klu.kept_starts.data(), *rows = klu.kept_rows.data();
  double* data = klu.kept_values.data();
  const bool is_good = klu_l_refactor(starts, rows, data, klu.symbolic, numeric, &klu.common) != 0 &&
                       klu.common.status == KLU_OK &&
                       klu_l_rgrowth(starts, rows, data, klu.symbolic, numeric, &klu.common) != 0 &&
                       klu.common.rgrowth > smallest_pivot_growth;
  return is_good || factor(values, number);
}

bool SparseFactors::has(std::size_t number) const { return klu_->numeric[number] != nullptr; }

void SparseFactors::solve(std::span<double> right_hand_side, std::size_t number) {
  klu_l_solve(klu_->symbolic, klu_->numeric[number], static_cast<SuiteSparse_long>(right_hand_side.size()), 1,
              right_hand_side.data(), &klu_->common);
}

}  // namespace wattloop
