// The core by CVODE [hindmarsh2005] (BDF, modified Newton, KLU), for comparison with the one-step method.
//
// Restarted at the begin of every window, since inputs have jumped; units give the mean of the window, so that the energy
// that they hand over is exact.

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/problem.hpp"
#include "twin/integration/core_integrator.hpp"
#include "twin/integration/jacobian.hpp"

namespace wattloop::twin {

namespace {

struct FreeContext {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

template <class T, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Free>;

constexpr double relative_tolerance_ratio = 1e-5;
constexpr double share_of_step = 0.04;  ///< of the error of one step that is allowed to a step of CVODE, which adds up
constexpr double meter_tolerance_j = 1e30;  ///< so large that meters have no say
constexpr long largest_step_count = 100'000;

class CvodeCore final : public CoreIntegrator {
 public:
  CvodeCore(CoreRates& rates, const CoreOptions& options)
      : rates_(rates), jacobian_(rates.plant(), rates.seam().core_slots) {
    SUNContext context = nullptr;
    check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
    context_.reset(context);
    const auto size = static_cast<sunindextype>(rates.size());
    states_.reset(N_VNew_Serial(size, context));
    tolerances_.reset(N_VNew_Serial(size, context));
    const std::vector<double> tolerance = rates.tolerances();
    for (std::size_t k = 0; k < tolerance.size(); ++k) {
      N_VGetArrayPointer(tolerances_.get())[k] =
          std::isinf(tolerance[k]) ? meter_tolerance_j : tolerance[k] * options.tolerance_ratio * share_of_step;
    }
    matrix_.reset(SUNSparseMatrix(size, size, static_cast<sunindextype>(jacobian_.values().size()), CSC_MAT, context));
  }

  std::string_view name() const override { return "cvode"; }

  void restart(const PlantState& state) override { rates_.hold(state); }

  /// CVODE keeps its first pivots and much else over CVodeReInit: it is made anew at the next window.
  void start_afresh(const PlantState& state) override {
    if (cvode_) add_counters(total_);
    cvode_.reset();
    restart(state);
  }

  bool advance(const UnitEnergy& units, CoreWave& wave, double& reached_s) override {
    reached_s = units.instants_s.front();
    rates_.take_units(units, reached_s, units.instants_s.back());
    std::copy(wave.at(0).begin(), wave.at(0).end(), N_VGetArrayPointer(states_.get()));
    start(reached_s);
    check(CVodeSetStopTime(cvode_.get(), units.instants_s.back()), "CVodeSetStopTime");
    for (std::size_t k = 1; k < units.instants_s.size(); ++k) {
      const int flag = CVode(cvode_.get(), units.instants_s[k], states_.get(), &reached_s, CV_NORMAL);
      if (flag < 0) return false;
      const double* values = N_VGetArrayPointer(states_.get());
      std::copy(values, values + wave.size, wave.at(k).begin());
      const std::span<const double> before = wave.at(k - 1);
      for (std::size_t s = 0; s < wave.size; ++s) wave.mean(k - 1)[s] = 0.5 * (before[s] + values[s]);
    }
    return true;
  }

  void accept() override {}

  SolverStatistics statistics() const override {
    SolverStatistics sum = total_;
    add_counters(sum);
    return sum;
  }

 private:
  static void check(int flag, const char* call) {
    if (flag < 0) throw SolverError(fmt::format("{} failed with flag {}", call, flag));
  }

  void start(double time_s) {
    ++total_.restarts;
    if (cvode_) {
      add_counters(total_);  // CVodeReInit sets CVODE's own counters to zero
      return check(CVodeReInit(cvode_.get(), time_s, states_.get()), "CVodeReInit");
    }
    linear_solver_.reset(SUNLinSol_KLU(states_.get(), matrix_.get(), context_.get()));
    cvode_.reset(CVodeCreate(CV_BDF, context_.get()));
    void* memory = cvode_.get();
    check(CVodeInit(memory, rates_callback, time_s, states_.get()), "CVodeInit");
    check(CVodeSVtolerances(memory, relative_tolerance_ratio, tolerances_.get()), "CVodeSVtolerances");
    check(CVodeSetLinearSolver(memory, linear_solver_.get(), matrix_.get()), "CVodeSetLinearSolver");
    check(CVodeSetJacFn(memory, jacobian_callback), "CVodeSetJacFn");
    check(CVodeSetUserData(memory, this), "CVodeSetUserData");
    check(CVodeSetMaxNumSteps(memory, largest_step_count), "CVodeSetMaxNumSteps");
    check(CVodeSetErrHandlerFn(
              memory, [](int, const char*, const char*, char*, void*) {}, nullptr),
          "CVodeSetErrHandlerFn");
  }

  int rates(N_Vector y, N_Vector ydot) {
    const std::span<double> rate(N_VGetArrayPointer(ydot), rates_.size());
    rates_.evaluate({N_VGetArrayPointer(y), rates_.size()}, rate);
    const bool is_finite = std::all_of(rate.begin(), rate.end(), [](double r) { return std::isfinite(r); });
    return is_finite ? 0 : 1;  // 1: CVODE tries a smaller step
  }

  int fill_matrix(N_Vector y, N_Vector scratch, SUNMatrix matrix) {
    if (rates(y, scratch) != 0) return 1;
    jacobian_.assemble(rates_.evaluation());
    std::copy(jacobian_.column_starts().begin(), jacobian_.column_starts().end(),
              SUNSparseMatrix_IndexPointers(matrix));
    std::copy(jacobian_.rows().begin(), jacobian_.rows().end(), SUNSparseMatrix_IndexValues(matrix));
    std::copy(jacobian_.values().begin(), jacobian_.values().end(), SUNSparseMatrix_Data(matrix));
    return 0;
  }

  static int rates_callback(double, N_Vector y, N_Vector ydot, void* self) {
    return static_cast<CvodeCore*>(self)->rates(y, ydot);
  }

  static int jacobian_callback(double, N_Vector y, N_Vector, SUNMatrix matrix, void* self, N_Vector scratch, N_Vector,
                               N_Vector) {
    return static_cast<CvodeCore*>(self)->fill_matrix(y, scratch, matrix);
  }

  void add_counters(SolverStatistics& sum) const {
    if (!cvode_) return;
    long steps = 0, evaluations = 0, setups = 0, failures = 0, jacobians = 0;
    CVodeGetNumSteps(cvode_.get(), &steps);
    CVodeGetNumRhsEvals(cvode_.get(), &evaluations);
    CVodeGetNumLinSolvSetups(cvode_.get(), &setups);
    CVodeGetNumErrTestFails(cvode_.get(), &failures);
    CVodeGetNumJacEvals(cvode_.get(), &jacobians);
    sum.steps += steps;
    sum.rate_evaluations += evaluations;
    sum.factorisations += setups;
    sum.error_test_failures += failures;
    sum.jacobian_evaluations += jacobians;
  }

  CoreRates& rates_;
  Jacobian jacobian_;
  SolverStatistics total_;

  Owned<SUNContext, FreeContext> context_;
  Owned<N_Vector, FreeVector> states_, tolerances_;
  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeSolver> linear_solver_;
  std::unique_ptr<void, FreeCvode> cvode_;
};

}  // namespace

std::unique_ptr<CoreIntegrator> make_cvode_core(CoreRates& rates, const CoreOptions& options) {
  return std::make_unique<CvodeCore>(rates, options);
}

}  // namespace wattloop::twin
