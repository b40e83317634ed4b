#include "twin/integration/core/integrator_cvode.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <fmt/format.h>

#include "core/numbers/conditioned_factors.hpp"
#include "core/text/problem.hpp"

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
struct FreeNewton {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

template <class T, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Free>;

/// How small the last correction of Newton's iteration must be, over the error that a step may have. CVODE's own test accepts
/// a correction that it expects to be followed by small ones. That leaves energy behind: power of loads is not in the
/// Jacobian, so the meters lag behind the states by what the last correction changes.
constexpr double newton_tolerance_ratio = 1e-3;
constexpr int most_newton_iterations = 6;
constexpr double diverging_ratio = 2.0;

constexpr long largest_step_count = 100'000;  ///< in one `advance`
constexpr int converged = 0;                  ///< SUN_NLS_SUCCESS of SUNDIALS 6, SUN_SUCCESS of 7

/// What goes wrong is said by `check` alone.
#if SUNDIALS_VERSION_MAJOR >= 7
const SUNComm no_communicator = SUN_COMM_NULL;
void be_quiet(SUNContext context, void*) { SUNContext_ClearErrHandlers(context); }
#else
void* const no_communicator = nullptr;
void be_quiet(SUNContext, void* cvode) {
  CVodeSetErrHandlerFn(
      cvode, [](int, const char*, const char*, char*, void*) {}, nullptr);
}
#endif

void check(int flag, const char* call) {
  if (flag < 0) throw SolverError(fmt::format("{} failed with flag {}", call, flag));
}

std::string flag_text(int flag) {
  char* name = CVodeGetReturnFlagName(flag);
  const std::string text(name);
  std::free(name);
  return text;
}

/// KLU as a linear solver of SUNDIALS. SUNDIALS has one, too, but Debian's package of it needs PETSc and MPI.
class LinearSolver {
 public:
  LinearSolver(ConditionedFactors::Order order, SUNContext context)
      : factors_(order), solver_(SUNLinSolNewEmpty(context)) {
    solver_->content = this;
    solver_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    solver_->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
    solver_->ops->initialize = [](SUNLinearSolver solver) {
      of(solver).factors_.forget();
      return success;
    };
    solver_->ops->setup = [](SUNLinearSolver solver, SUNMatrix matrix) { return of(solver).setup(matrix); };
    solver_->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, sunrealtype) {
      return of(solver).solve(x, b);
    };
  }
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;

  SUNLinearSolver get() const { return solver_.get(); }

 private:
  static constexpr int success = 0;  ///< SUNLS_SUCCESS of SUNDIALS 6, SUN_SUCCESS of 7
  static LinearSolver& of(SUNLinearSolver solver) { return *static_cast<LinearSolver*>(solver->content); }

  int setup(SUNMatrix matrix) {
    const auto columns = static_cast<std::size_t>(SUNSparseMatrix_Columns(matrix));
    const sunindextype* starts = SUNSparseMatrix_IndexPointers(matrix);
    const auto entries = static_cast<std::size_t>(starts[columns]);
    const auto outcome = factors_.factor({.starts = {starts, columns + 1},
                                          .rows = {SUNSparseMatrix_IndexValues(matrix), entries},
                                          .values = {SUNSparseMatrix_Data(matrix), entries}});
    if (outcome == ConditionedFactors::Outcome::good) return success;
    return outcome == ConditionedFactors::Outcome::not_now ? SUNLS_PACKAGE_FAIL_REC : SUNLS_PACKAGE_FAIL_UNREC;
  }

  int solve(N_Vector x, N_Vector b) {
    N_VScale(1.0, b, x);
    const auto size = static_cast<std::size_t>(N_VGetLength(x));
    return factors_.solve({N_VGetArrayPointer(x), size}) ? success : SUNLS_PACKAGE_FAIL_REC;
  }

  struct Free {
    void operator()(SUNLinearSolver solver) const { SUNLinSolFreeEmpty(solver); }
  };

  ConditionedFactors factors_;
  Owned<SUNLinearSolver, Free> solver_;
};

}  // namespace

struct Cvode::Memory {
  CvodeSystem& system;
  const CvodeOptions options;
  std::size_t size;
  std::vector<int> fallen, falling;  ///< [height] `falling`: the direction that CVODE is reported
  SolverStatistics total;            ///< but for what CVODE has counted since the last start
  double reached_s = 0.0;
  double last_correction = 0.0;  ///< of Newton's iteration, weighted

  Owned<SUNContext, FreeContext> context;
  Owned<N_Vector, FreeVector> states, tolerances;
  Owned<SUNMatrix, FreeMatrix> matrix;
  std::unique_ptr<LinearSolver> linear_solver;
  Owned<SUNNonlinearSolver, FreeNewton> newton;
  std::unique_ptr<void, FreeCvode> cvode;

  Memory(CvodeSystem& of, const Jacobian& pattern, const CvodeOptions& from)
      : system(of), options(from), size(from.tolerances.size()), fallen(from.heights), falling(from.heights, -1) {
    SUNContext made = nullptr;
    check(SUNContext_Create(no_communicator, &made), "SUNContext_Create");
    context.reset(made);
    const auto count = static_cast<sunindextype>(size);
    states.reset(N_VNew_Serial(count, made));
    tolerances.reset(N_VNew_Serial(count, made));
    std::ranges::copy(options.tolerances, N_VGetArrayPointer(tolerances.get()));
    matrix.reset(SUNSparseMatrix(count, count, static_cast<sunindextype>(pattern.values().size()), CSC_MAT, made));
  }

  std::span<double> values(N_Vector of) const { return {N_VGetArrayPointer(of), size}; }

  void create(double time_s) {
    using Order = ConditionedFactors::Order;
    linear_solver = std::make_unique<LinearSolver>(options.orders_by_minimum_degree ? Order::symmetric : Order::columns,
                                                   context.get());
    cvode.reset(CVodeCreate(CV_BDF, context.get()));
    void* memory = cvode.get();
    check(CVodeInit(memory, rates_callback, time_s, states.get()), "CVodeInit");
    check(CVodeSVtolerances(memory, options.relative_tolerance_ratio, tolerances.get()), "CVodeSVtolerances");
    check(CVodeSetLinearSolver(memory, linear_solver->get(), matrix.get()), "CVodeSetLinearSolver");
    check(CVodeSetJacFn(memory, jacobian_callback), "CVodeSetJacFn");
    check(CVodeSetUserData(memory, this), "CVodeSetUserData");
    if (options.heights > 0) {
      check(CVodeRootInit(memory, static_cast<int>(options.heights), heights_callback), "CVodeRootInit");
      check(CVodeSetRootDirection(memory, falling.data()), "CVodeSetRootDirection");
      check(CVodeSetNoInactiveRootWarn(memory), "CVodeSetNoInactiveRootWarn");
    }
    if (options.has_small_corrections) {
      newton.reset(SUNNonlinSol_Newton(states.get(), context.get()));
      check(CVodeSetNonlinearSolver(memory, newton.get()), "CVodeSetNonlinearSolver");
      check(SUNNonlinSolSetConvTestFn(newton.get(), convergence_callback, this), "SUNNonlinSolSetConvTestFn");
      check(CVodeSetNonlinConvCoef(memory, newton_tolerance_ratio), "CVodeSetNonlinConvCoef");
      check(CVodeSetMaxNonlinIters(memory, most_newton_iterations), "CVodeSetMaxNonlinIters");
    }
    check(CVodeSetMaxNumSteps(memory, largest_step_count), "CVodeSetMaxNumSteps");
    be_quiet(context.get(), memory);
  }

  int rates(N_Vector y, N_Vector ydot) {
    const std::span<double> rate = values(ydot);
    system.fill_rates(values(y), rate);
    const bool is_finite = std::all_of(rate.begin(), rate.end(), [](double r) { return std::isfinite(r); });
    return is_finite ? 0 : 1;  // 1: CVODE tries a smaller step
  }

  int fill_matrix(N_Vector y, N_Vector scratch, SUNMatrix to) {
    if (rates(y, scratch) != 0) return 1;
    const Jacobian& jacobian = system.assemble_jacobian();
    std::copy(jacobian.column_starts().begin(), jacobian.column_starts().end(), SUNSparseMatrix_IndexPointers(to));
    std::copy(jacobian.rows().begin(), jacobian.rows().end(), SUNSparseMatrix_IndexValues(to));
    std::copy(jacobian.values().begin(), jacobian.values().end(), SUNSparseMatrix_Data(to));
    return 0;
  }

  int convergence(N_Vector correction, double largest, N_Vector weights) {
    int iteration = 0;
    SUNNonlinSolGetCurIter(newton.get(), &iteration);
    const double norm = N_VWrmsNorm(correction, weights);
    if (norm <= largest) return converged;
    if (iteration > 0 && norm > diverging_ratio * last_correction) return SUN_NLS_CONV_RECVR;
    last_correction = norm;
    return SUN_NLS_CONTINUE;
  }

  static int convergence_callback(SUNNonlinearSolver, N_Vector, N_Vector correction, double largest, N_Vector weights,
                                  void* self) {
    return static_cast<Memory*>(self)->convergence(correction, largest, weights);
  }

  static int heights_callback(double, N_Vector y, double* height, void* self) {
    const auto* memory = static_cast<const Memory*>(self);
    memory->system.fill_heights(memory->values(y), {height, memory->options.heights});
    return 0;
  }

  static int rates_callback(double, N_Vector y, N_Vector ydot, void* self) {
    return static_cast<Memory*>(self)->rates(y, ydot);
  }

  static int jacobian_callback(double, N_Vector y, N_Vector, SUNMatrix matrix, void* self, N_Vector scratch, N_Vector,
                               N_Vector) {
    return static_cast<Memory*>(self)->fill_matrix(y, scratch, matrix);
  }

  void add_counters(SolverStatistics& sum) const {
    if (!cvode) return;
    long steps = 0, evaluations = 0, matrices = 0, failures = 0, jacobians = 0;
    CVodeGetNumSteps(cvode.get(), &steps);
    CVodeGetNumRhsEvals(cvode.get(), &evaluations);
    CVodeGetNumLinSolvSetups(cvode.get(), &matrices);
    CVodeGetNumErrTestFails(cvode.get(), &failures);
    CVodeGetNumJacEvals(cvode.get(), &jacobians);
    sum.steps += steps;
    sum.rate_evaluations += evaluations;
    sum.factorisations += matrices;
    sum.error_test_failures += failures;
    sum.jacobian_evaluations += jacobians;
  }
};

Cvode::Cvode(CvodeSystem& system, const Jacobian& pattern, const CvodeOptions& options)
    : memory_(std::make_unique<Memory>(system, pattern, options)) {}

Cvode::~Cvode() = default;

std::span<double> Cvode::states() { return memory_->values(memory_->states.get()); }

bool Cvode::is_started() const { return memory_->cvode != nullptr; }

void Cvode::start(double time_s) {
  Memory& m = *memory_;
  ++m.total.restarts;
  m.reached_s = time_s;
  if (!m.cvode) return m.create(time_s);
  m.add_counters(m.total);  // CVodeReInit sets CVODE's own counters to zero
  check(CVodeReInit(m.cvode.get(), time_s, m.states.get()), "CVodeReInit");
}

void Cvode::forget() {
  memory_->add_counters(memory_->total);
  memory_->cvode.reset();
}

void Cvode::stop_at(double time_s) { check(CVodeSetStopTime(memory_->cvode.get(), time_s), "CVodeSetStopTime"); }

Cvode::Reached Cvode::advance(double end_s) {
  Memory& m = *memory_;
  const int flag = CVode(m.cvode.get(), end_s, m.states.get(), &m.reached_s, CV_NORMAL);
  return {m.reached_s, flag == CV_ROOT_RETURN, flag < 0 ? flag_text(flag) : std::string()};
}

std::span<const int> Cvode::fallen() {
  check(CVodeGetRootInfo(memory_->cvode.get(), memory_->fallen.data()), "CVodeGetRootInfo");
  return memory_->fallen;
}

SolverStatistics Cvode::statistics() const {
  SolverStatistics sum = memory_->total;
  memory_->add_counters(sum);
  return sum;
}

}  // namespace wattloop::twin
