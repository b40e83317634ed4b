#include "core/numbers/conditioned_factors.hpp"

#include <klu.h>

#include <cmath>
#include <limits>
#include <vector>

namespace wattloop {

namespace {

/// Below this reciprocal of the condition, as the pivots tell it, the condition is estimated; where the estimate is as bad, pivots are chosen
/// anew.
double smallest_reciprocal() { return std::pow(std::numeric_limits<double>::epsilon(), 2.0 / 3.0); }

}  // namespace

struct ConditionedFactors::Klu {
  klu_l_common common{};
  klu_l_symbolic* symbolic = nullptr;
  klu_l_numeric* numeric = nullptr;
  std::vector<SuiteSparse_long> starts, rows;
  std::vector<double> values;

  void take(const SparseColumns& matrix) {
    starts.assign(matrix.starts.begin(), matrix.starts.end());
    rows.assign(matrix.rows.begin(), matrix.rows.end());
    values.assign(matrix.values.begin(), matrix.values.end());
  }

  bool factor_anew() {
    klu_l_free_numeric(&numeric, &common);
    numeric = klu_l_factor(starts.data(), rows.data(), values.data(), symbolic, &common);
    return numeric != nullptr;
  }

  bool begin() {
    klu_l_free_symbolic(&symbolic, &common);
    symbolic = klu_l_analyze(static_cast<SuiteSparse_long>(starts.size()) - 1, starts.data(), rows.data(), &common);
    return symbolic != nullptr && factor_anew();
  }

  bool refactor() {
    return klu_l_refactor(starts.data(), rows.data(), values.data(), symbolic, numeric, &common) != 0 &&
           klu_l_rcond(symbolic, numeric, &common) != 0;
  }

  bool estimate() { return klu_l_condest(starts.data(), values.data(), symbolic, numeric, &common) != 0; }

  void forget() {
    klu_l_free_numeric(&numeric, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }

  ~Klu() { forget(); }
};

ConditionedFactors::ConditionedFactors(Order order) : klu_(std::make_unique<Klu>()) {
  klu_l_defaults(&klu_->common);
  klu_->common.ordering = order == Order::symmetric ? 0 : 1;  // KLU's numbers of AMD and COLAMD
}

ConditionedFactors::~ConditionedFactors() = default;

void ConditionedFactors::forget() { klu_->forget(); }

ConditionedFactors::Outcome ConditionedFactors::factor(const SparseColumns& matrix) {
  Klu& klu = *klu_;
  klu.take(matrix);
  if (klu.numeric == nullptr) return klu.begin() ? Outcome::good : Outcome::never;
  if (!klu.refactor()) return Outcome::not_now;
  if (klu.common.rcond >= smallest_reciprocal()) return Outcome::good;
  if (!klu.estimate()) return Outcome::not_now;
  if (klu.common.condest <= 1.0 / smallest_reciprocal()) return Outcome::good;
  return klu.factor_anew() ? Outcome::good : Outcome::never;
}

bool ConditionedFactors::solve(std::span<double> right_hand_side) {
  Klu& klu = *klu_;
  return klu_l_solve(klu.symbolic, klu.numeric, static_cast<SuiteSparse_long>(right_hand_side.size()), 1,
                     right_hand_side.data(), &klu.common) != 0;
}

}  // namespace wattloop
