// The judge: every state of the plant in one CVODE system (BDF, modified Newton, KLU), restarted at every jump.
//
// CVODE: [hindmarsh2005]. Weights: relative tolerance times the value plus the tolerance that the layout gives a state,
// scaled down with the relative tolerance. Meters never decide a step: they are pure integrals of the others. Guards are
// roots of CVODE; one whose state is not above its level at a restart shows CVODE a constant.

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "core/problem.hpp"
#include "twin/integration/fastest_states.hpp"
#include "twin/integration/integrator.hpp"
#include "twin/integration/jacobian.hpp"
#include "twin/plant/evaluation.hpp"
#include "twin/units/runaway.hpp"

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
struct FreeNewton {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

template <class T, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Free>;

/// Absolute tolerance of a meter: so large that meters have no say in step size or convergence.
constexpr double meter_tolerance = 1e30;

/// How small the last correction of Newton's iteration must be, over the error that a step may have. CVODE's own test accepts
/// a correction that it expects to be followed by small ones. That leaves energy behind: power of loads is not in the
/// Jacobian, so the meters lag behind the states by what the last correction changes.
constexpr double newton_tolerance_ratio = 1e-3;
constexpr int most_newton_iterations = 6;
constexpr double diverging_ratio = 2.0;

class MonolithicIntegrator final : public Integrator {
 public:
  MonolithicIntegrator(const Plant& plant, const IntegratorOptions& options)
      : plant_(plant),
        evaluation_(plant),
        jacobian_(plant),
        options_(options),
        is_awake_(plant.guards.size()),
        crossed_(plant.guards.size()),
        falling_(plant.guards.size(), -1),
        shown_(initial_state(plant)),
        half_way_(shown_),
        told_rates_(plant.map.state_count) {
    SUNContext context = nullptr;
    check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
    context_.reset(context);
    const auto size = static_cast<sunindextype>(plant.map.state_count);
    states_.reset(N_VNew_Serial(size, context));
    tolerances_.reset(N_VNew_Serial(size, context));
    fill_tolerances();
    const auto non_zeros = static_cast<sunindextype>(jacobian_.values().size());
    matrix_.reset(SUNSparseMatrix(size, size, non_zeros, CSC_MAT, context));
  }

  std::string_view name() const override { return "monolithic"; }

  void restart(const PlantState& state) override {
    switches_ = &state.switches;
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation_.inputs().begin());
    std::copy(state.states.begin(), state.states.end(), N_VGetArrayPointer(states_.get()));
    for (std::size_t g = 0; g < plant_.guards.size(); ++g) {
      is_awake_[g] = state.states[plant_.guards[g].state] > plant_.guards[g].level;
    }
    if (!cvode_) {
      create(state.time_s);
    } else {
      collect_counters();
      check(CVodeReInit(cvode_.get(), state.time_s, states_.get()), "CVodeReInit");
    }
    ++total_.restarts;
    time_s_ = state.time_s;
  }

  /// CVODE keeps its first pivots and much else over CVodeReInit: it is made anew.
  void start_afresh(const PlantState& state) override {
    collect_counters();
    cvode_.reset();
    restart(state);
  }

  /// To the first instant of the window: nothing acts before it.
  double advance(PlantState& state, const Window& window) override {
    const double begin_s = state.time_s, end_s = window.instants_s.front();
    if (window.observer == nullptr) return advance(state, end_s);
    shown_ = state;
    advance(state, 0.5 * (begin_s + end_s));
    half_way_ = state;
    if (!(state.time_s < 0.5 * (begin_s + end_s))) advance(state, end_s);
    tell(window, state);
    return state.time_s;
  }

  SolverStatistics statistics() const override {
    SolverStatistics sum = total_;
    add_counters(sum);
    return sum;
  }

 private:
  double advance(PlantState& state, double end_s) {
    if (!cvode_ || time_s_ != state.time_s) restart(state);
    switches_ = &state.switches;
    double reached_s = time_s_;
    const int flag = CVode(cvode_.get(), end_s, states_.get(), &reached_s, CV_NORMAL);
    const double* values = N_VGetArrayPointer(states_.get());
    std::copy(values, values + state.states.size(), state.states.begin());
    if (flag < 0) fail(flag_text(flag), reached_s, state);
    if (!are_units_within_bounds(state)) fail(runaway_text, reached_s, state);
    const bool is_early = flag == CV_ROOT_RETURN && reached_s < end_s;
    state.time_s = is_early ? reached_s : end_s;
    if (flag == CV_ROOT_RETURN) {
      stop_at_levels(state);
      restart(state);
    }
    time_s_ = state.time_s;
    return state.time_s;
  }

  /// The stretch to `end` by Simpson's rule; by that of trapezia where a guard ended it early.
  void tell(const Window& window, const PlantState& end) {
    const double first_s = half_way_.time_s - shown_.time_s, second_s = end.time_s - half_way_.time_s;
    const bool is_half_way = std::abs(first_s - second_s) < 1e-9 * (first_s + second_s);
    const double at_ends_ratio = is_half_way ? 1.0 / 3.0 : 0.5;  // of a part
    shown_.time_s = half_way_.time_s = end.time_s;
    window.observer->integrate(shown_, window.begin, at_ends_ratio * first_s);
    tell_of(window, half_way_, (1.0 - at_ends_ratio) * (first_s + second_s));
    tell_of(window, end, at_ends_ratio * second_s);
  }

  void tell_of(const Window& window, const PlantState& state, double duration_s) {
    evaluate(plant_, state.switches, state.states, evaluation_, told_rates_);
    for (std::size_t rack = 0; rack < evaluation_.racks.size(); ++rack) {
      evaluation_.racks[rack].gpu_power_w = evaluation_.station_power_w[plant_.hall.gpu_group][rack];
    }
    window.observer->integrate(state, evaluation_, duration_s);
  }

  static void check(int flag, const char* call) {
    if (flag < 0) throw SolverError(fmt::format("{} failed with flag {}", call, flag));
  }

  void fill_tolerances() {
    double* tolerance = N_VGetArrayPointer(tolerances_.get());
    const double scale = options_.relative_tolerance_ratio / reference_tolerance_ratio;
    for (std::size_t slot = 0; slot < plant_.map.state_count; ++slot) {
      tolerance[slot] = plant_.layout.is_meter(slot) ? meter_tolerance : plant_.layout.tolerance(slot) * scale;
    }
  }

  void create(double time_s) {
    linear_solver_.reset(SUNLinSol_KLU(states_.get(), matrix_.get(), context_.get()));
    check(SUNLinSol_KLUSetOrdering(linear_solver_.get(), minimum_degree_ordering), "SUNLinSol_KLUSetOrdering");
    newton_.reset(SUNNonlinSol_Newton(states_.get(), context_.get()));
    cvode_.reset(CVodeCreate(CV_BDF, context_.get()));
    void* memory = cvode_.get();
    check(CVodeInit(memory, rates_callback, time_s, states_.get()), "CVodeInit");
    check(CVodeSVtolerances(memory, options_.relative_tolerance_ratio, tolerances_.get()), "CVodeSVtolerances");
    check(CVodeSetLinearSolver(memory, linear_solver_.get(), matrix_.get()), "CVodeSetLinearSolver");
    check(CVodeSetJacFn(memory, jacobian_callback), "CVodeSetJacFn");
    check(CVodeSetUserData(memory, this), "CVodeSetUserData");
    if (!plant_.guards.empty()) {
      const auto guards = static_cast<int>(plant_.guards.size());
      check(CVodeRootInit(memory, guards, guards_callback), "CVodeRootInit");
      check(CVodeSetRootDirection(memory, falling_.data()), "CVodeSetRootDirection");
      check(CVodeSetNoInactiveRootWarn(memory), "CVodeSetNoInactiveRootWarn");
    }
    check(CVodeSetNonlinearSolver(memory, newton_.get()), "CVodeSetNonlinearSolver");
    check(SUNNonlinSolSetConvTestFn(newton_.get(), convergence_callback, this), "SUNNonlinSolSetConvTestFn");
    check(CVodeSetNonlinConvCoef(memory, newton_tolerance_ratio), "CVodeSetNonlinConvCoef");
    check(CVodeSetMaxNonlinIters(memory, most_newton_iterations), "CVodeSetMaxNonlinIters");
    check(CVodeSetMaxNumSteps(memory, largest_step_count), "CVodeSetMaxNumSteps");
    check(CVodeSetErrHandlerFn(
              memory, [](int, const char*, const char*, char*, void*) {}, nullptr),
          "CVodeSetErrHandlerFn");
  }

  int rates(N_Vector y, N_Vector ydot) {
    const std::size_t size = plant_.map.state_count;
    const std::span<double> rate(N_VGetArrayPointer(ydot), size);
    evaluate(plant_, *switches_, {N_VGetArrayPointer(y), size}, evaluation_, rate);
    const bool is_finite = std::all_of(rate.begin(), rate.end(), [](double r) { return std::isfinite(r); });
    return is_finite ? 0 : 1;  // 1: CVODE tries a smaller step
  }

  int fill_matrix(N_Vector y, N_Vector scratch, SUNMatrix matrix) {
    if (rates(y, scratch) != 0) return 1;
    jacobian_.assemble(evaluation_);
    std::copy(jacobian_.column_starts().begin(), jacobian_.column_starts().end(),
              SUNSparseMatrix_IndexPointers(matrix));
    std::copy(jacobian_.rows().begin(), jacobian_.rows().end(), SUNSparseMatrix_IndexValues(matrix));
    std::copy(jacobian_.values().begin(), jacobian_.values().end(), SUNSparseMatrix_Data(matrix));
    return 0;
  }

  /// Puts the states whose guards CVODE found crossed at their levels: it stops just beyond.
  void stop_at_levels(PlantState& state) {
    check(CVodeGetRootInfo(cvode_.get(), crossed_.data()), "CVodeGetRootInfo");
    for (std::size_t g = 0; g < plant_.guards.size(); ++g) {
      if (crossed_[g] != 0) state.states[plant_.guards[g].state] = plant_.guards[g].level;
    }
  }

  void heights(N_Vector y, double* height) const {
    for (std::size_t g = 0; g < plant_.guards.size(); ++g) {
      const Guard& guard = plant_.guards[g];
      height[g] = is_awake_[g] != 0 ? N_VGetArrayPointer(y)[guard.state] - guard.level : 1.0;
    }
  }

  int convergence(N_Vector correction, double largest, N_Vector weights) {
    int iteration = 0;
    SUNNonlinSolGetCurIter(newton_.get(), &iteration);
    const double size = N_VWrmsNorm(correction, weights);
    if (size <= largest) return SUN_NLS_SUCCESS;
    if (iteration > 0 && size > diverging_ratio * last_correction_) return SUN_NLS_CONV_RECVR;
    last_correction_ = size;
    return SUN_NLS_CONTINUE;
  }

  static int convergence_callback(SUNNonlinearSolver, N_Vector, N_Vector correction, double largest, N_Vector weights,
                                  void* self) {
    return static_cast<MonolithicIntegrator*>(self)->convergence(correction, largest, weights);
  }

  static int guards_callback(double, N_Vector y, double* height, void* self) {
    static_cast<const MonolithicIntegrator*>(self)->heights(y, height);
    return 0;
  }

  static int rates_callback(double, N_Vector y, N_Vector ydot, void* self) {
    return static_cast<MonolithicIntegrator*>(self)->rates(y, ydot);
  }

  static int jacobian_callback(double, N_Vector y, N_Vector, SUNMatrix matrix, void* self, N_Vector scratch, N_Vector,
                               N_Vector) {
    return static_cast<MonolithicIntegrator*>(self)->fill_matrix(y, scratch, matrix);
  }

  bool are_units_within_bounds(const PlantState& state) const {
    return std::all_of(plant_.groups.begin(), plant_.groups.end(), [&](const auto& group) {
      const auto first = state.states.begin() + static_cast<std::ptrdiff_t>(group->first_state);
      return std::all_of(first, first + static_cast<std::ptrdiff_t>(group->count() * group->states().size()),
                         [](double k) { return k > coldest_unit_k && k < hottest_unit_k; });
    });
  }

  static std::string flag_text(int flag) {
    char* name = CVodeGetReturnFlagName(flag);
    const std::string text(name);
    std::free(name);
    return text;
  }

  [[noreturn]] void fail(std::string_view why, double time_s, const PlantState& state) {
    std::vector<double> rate(plant_.map.state_count);
    evaluate(plant_, state.switches, state.states, evaluation_, rate);
    throw SolverError(fmt::format("monolithic integrator gave up at {:.3f} s ({}); moving most: {}", time_s, why,
                                  fastest_states(plant_, state.states, rate)));
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

  void collect_counters() { add_counters(total_); }  // CVodeReInit sets CVODE's own counters to zero

  static constexpr int minimum_degree_ordering = 0;  ///< AMD: the pattern is nearly symmetric; half the time of COLAMD
  static constexpr double reference_tolerance_ratio = 1e-4;  ///< at which the layout's tolerances apply as they stand
  static constexpr long largest_step_count = 100'000;        ///< between two instants

  const Plant& plant_;
  Evaluation evaluation_;
  Jacobian jacobian_;
  IntegratorOptions options_;
  const electrical::SwitchState* switches_ = nullptr;
  double time_s_ = 0.0;
  SolverStatistics total_;
  std::vector<std::uint8_t> is_awake_;  ///< [guard]
  std::vector<int> crossed_;            ///< [guard] scratch
  std::vector<int> falling_;            ///< [guard] the direction that CVODE is told
  PlantState shown_, half_way_;         ///< scratch: begin and middle of a stretch that observers are told of
  std::vector<double> told_rates_;      ///< scratch
  double last_correction_ = 0.0;        ///< of Newton's iteration, weighted

  Owned<SUNContext, FreeContext> context_;
  Owned<N_Vector, FreeVector> states_, tolerances_;
  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeSolver> linear_solver_;
  Owned<SUNNonlinearSolver, FreeNewton> newton_;
  std::unique_ptr<void, FreeCvode> cvode_;
};

}  // namespace

std::unique_ptr<Integrator> make_monolithic_integrator(const Plant& plant, const IntegratorOptions& options) {
  return std::make_unique<MonolithicIntegrator>(plant, options);
}

}  // namespace wattloop::twin
