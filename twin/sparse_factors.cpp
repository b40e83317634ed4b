#include "twin/sparse_factors.hpp"

#include <klu.h>

namespace wattloop::twin {

struct SparseFactors::Klu {
  std::span<const std::int64_t> column_starts;
  std::span<const std::int64_t> rows;
  klu_l_common common{};
  klu_l_symbolic* symbolic = nullptr;
  klu_l_numeric* numeric = nullptr;

  SuiteSparse_long* starts() const { return reinterpret_cast<SuiteSparse_long*>(const_cast<std::int64_t*>(column_starts.data())); }
  SuiteSparse_long* row_indices() const { return reinterpret_cast<SuiteSparse_long*>(const_cast<std::int64_t*>(rows.data())); }

  void analyze() {
    symbolic = klu_l_analyze(static_cast<SuiteSparse_long>(column_starts.size()) - 1, starts(), row_indices(), &common);
  }

  ~Klu() {
    klu_l_free_numeric(&numeric, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }
};

SparseFactors::SparseFactors(std::span<const std::int64_t> column_starts, std::span<const std::int64_t> rows)
    : klu_(std::make_unique<Klu>()) {
  klu_->column_starts = column_starts;
  klu_->rows = rows;
  klu_l_defaults(&klu_->common);
  klu_->common.scale = -1;  // none: rows of rates are alike enough, and the pattern needs no check
}

SparseFactors::~SparseFactors() = default;

bool SparseFactors::factor(std::span<const double> values) {
  auto* data = const_cast<double*>(values.data());  // KLU's interface knows no const
  if (klu_->symbolic == nullptr) klu_->analyze();
  klu_l_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_l_factor(klu_->starts(), klu_->row_indices(), data, klu_->symbolic, &klu_->common);
  return klu_->numeric != nullptr && klu_->common.status == KLU_OK;
}

bool SparseFactors::refactor(std::span<const double> values) {
  constexpr double smallest_pivot_growth = 1e-8;  // reciprocal; KLU's own advice is to factor again where it is tiny
  if (klu_->numeric == nullptr) return factor(values);
  auto* data = const_cast<double*>(values.data());
  const bool is_good = klu_l_refactor(klu_->starts(), klu_->row_indices(), data, klu_->symbolic, klu_->numeric,
                                      &klu_->common) != 0 &&
                       klu_->common.status == KLU_OK &&
                       klu_l_rgrowth(klu_->starts(), klu_->row_indices(), data, klu_->symbolic, klu_->numeric,
                                     &klu_->common) != 0 &&
                       klu_->common.rgrowth > smallest_pivot_growth;
  return is_good || factor(values);
}

void SparseFactors::solve(std::span<double> right_hand_side) {
  klu_l_solve(klu_->symbolic, klu_->numeric, static_cast<SuiteSparse_long>(right_hand_side.size()), 1,
              right_hand_side.data(), &klu_->common);
}

}  // namespace wattloop::twin
