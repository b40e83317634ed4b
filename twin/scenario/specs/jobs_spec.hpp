// What a hall works: one kind of work, or a queue of jobs that come and go.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "twin/scenario/specs/one_line_spec.hpp"
#include "workload/failures/failure_process.hpp"
#include "workload/queue/job_class.hpp"
#include "workload/queue/jobs_table.hpp"
#include "workload/training/training.hpp"
#include "workload/transformer_job/transformer_job.hpp"
#include "workload/work/any_work.hpp"

namespace wattloop::twin {

struct WorkloadSpec {  // of the hall, of a group of racks, or of a job
  workload::AnyWork params = workload::TrainingParams{};
  Mention mention;                                   ///< where the section begins
  std::map<std::string, Mention, std::less<>> keys;  ///< where each key of it is written
  bool may_share_storage = false;                    ///< a job that names none uses that of `jobs`

  template <class Kind>
  const Kind* get() const {
    return params.get<Kind>();
  }
  /// Schedule, checkpoints and failures of a training job; null: it is none.
  const workload::TrainingParams* training() const { return training_of(params); }
  workload::TrainingParams* training() { return training_of(params); }
  std::string_view noun() const { return params.noun(); }
  bool contains_leakage() const { return contents().leakage; }
  bool contains_fans() const { return contents().fans; }
  workload::WattsContain contents() const { return params.contents(); }
  /// Of a key that is not written, where the section begins.
  Mention mention_of(std::string_view key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? mention : found->second;
  }

 private:
  template <class Work>
  static auto training_of(Work& work) -> decltype(work.template get<workload::TrainingParams>()) {
    if (auto* transformer = work.template get<workload::TransformerParams>()) return &transformer->job;
    return work.template get<workload::TrainingParams>();
  }
};

/// Most power of the nodes that have a job: of the hall, or of a part of it.
struct BudgetSpec {
  static constexpr const char* hall = "hall";

  std::string name = hall;
  double power_w = std::numeric_limits<double>::infinity();
  Mention mention = {};
};

/// Who decides which job starts where.
struct SchedulerSpec {
  std::string policy = "backfill";
  std::string placement = "packed";
  double interval_s = 30.0;
  int spare_nodes = 0;
  std::vector<BudgetSpec> budgets = {};

  static constexpr auto fields() {
    using P = SchedulerSpec;
    return std::array{
        Field<P>{&P::policy, "policy", "first_come|backfill",
                 "first_come: jobs start in the order of the queue. backfill: a later job may start earlier if it "
                 "delays no job before it, by the time limits (EASY)."},
        Field<P>{&P::placement, "placement", "packed|spread|coolest|power",
                 "Which free nodes a job gets: whole racks side by side, nodes evenly over all racks, nodes with the "
                 "coolest dies, or nodes where most of a power budget is unused."},
        Field<P>{&P::interval_s, "interval", "s", Range::positive, "Interval between the decisions of the scheduler."},
        Field<P>{
            &P::spare_nodes, "spare_nodes", Range::non_negative,
            "Spare nodes, the last nodes of the hall: no job starts on them; they replace nodes that a job loses."},
    };
  }
};

/// Nodes that are kept for the jobs that name it.
struct ReservationSpec {
  std::string name = {};
  NamesSpec nodes = {};
  double from_s = 0.0;
  double to_s = std::numeric_limits<double>::infinity();
  Mention mention = {};

  static constexpr auto fields() {
    using P = ReservationSpec;
    return std::array{
        Field<P>{&P::from_s, "from", "s", Range::non_negative,
                 "Begin of the reservation; from then on only jobs that name it get these nodes."},
        Field<P>{&P::to_s, "to", "s", Range::positive,
                 "End of the reservation; if it is not given, the end of the run."},
    };
  }
};

/// A job that is submitted, or several alike.
struct JobSpec {
  static constexpr double before_run_s = -std::numeric_limits<double>::infinity();
  static constexpr double none_s = std::numeric_limits<double>::infinity();

  std::string name = "job";
  int nodes = required_count;
  int count = 1;
  double submit_s = before_run_s;
  double every_s = 0.0;
  double run_time_s = none_s;
  double time_limit_s = none_s;
  int priority = 0;
  bool is_preemptable = false;
  static constexpr const char* no_reservation = "none";
  std::string reservation = no_reservation;
  WorkloadSpec program = {};
  Mention mention = {};

  static constexpr auto fields() {
    using P = JobSpec;
    return std::array{
        Field<P>{&P::name, "name", "", "Name of the job; if there are several such jobs, a number is appended."},
        Field<P>{&P::nodes, "nodes", Range::positive, "Number of whole nodes that the job needs."},
        Field<P>{&P::count, "count", Range::positive, "Number of such jobs."},
        Field<P>{&P::submit_s, "submit", "s", Range::non_negative,
                 "Time of submission; if it is not given, the job is submitted before the run, and if it fits, it runs "
                 "at time zero."},
        Field<P>{&P::every_s, "every", "s", Range::non_negative, "With `count`: time between two submissions."},
        Field<P>{&P::run_time_s, "run_time", "s", Range::positive,
                 "Run time at full clock without stops; if it is not given, the job has no end."},
        Field<P>{&P::time_limit_s, "time_limit", "s", Range::positive,
                 "Time limit: time after the start at which the job is ended, finished or not; backfill needs it."},
        Field<P>{&P::priority, "priority", Range::non_negative, "Jobs of higher priority start first."},
        Field<P>{&P::is_preemptable, "preemptable",
                 "Whether the job gives its nodes to a job of higher priority that cannot start otherwise."},
        Field<P>{&P::reservation, "reservation", "",
                 "Name of a reservation whose nodes the job may use in addition to all others."},
    };
  }
};

/// Jobs of a log, as `wattloop import jobs` writes it.
struct JobTraceSpec {
  std::string trace = {};  ///< the file, as it is reached from the working folder
  double compress_ratio = 1.0;
  std::shared_ptr<const std::vector<workload::JobRow>> rows = {};
  WorkloadSpec program = {};                                         ///< of jobs whose class has none of its own
  bool has_program = true;                                           ///< else each class has one
  std::map<std::string, WorkloadSpec, std::less<>> of_classes = {};  ///< [class] programs
  Mention mention = {};

  static constexpr auto fields() {
    using P = JobTraceSpec;
    return std::array{
        Field<P>{&P::trace, "trace", "", "CSV file of jobs, as `wattloop import jobs` writes it."},
        Field<P>{&P::compress_ratio, "compress", "1", Range::positive,
                 "Submission times are divided by this factor: with 100, a trace of 100 days is played in 1 day."},
    };
  }
};

/// Jobs drawn from classes.
struct JobMixSpec {
  double mean_pause_s = required;
  double from_s = 0.0;
  double to_s = std::numeric_limits<double>::infinity();
  std::vector<workload::JobClass> classes = {};
  WorkloadSpec program = {};
  Mention mention = {};

  static constexpr auto fields() {
    using P = JobMixSpec;
    return std::array{
        Field<P>{&P::mean_pause_s, "every", "s", Range::positive,
                 "Mean time from one submission to the next, which is random."},
        Field<P>{&P::from_s, "from", "s", Range::non_negative, "Begin of the submissions."},
        Field<P>{&P::to_s, "to", "s", Range::positive, "End of the submissions; left out, the end of the run."},
    };
  }
};

struct JobsSpec {
  SchedulerSpec scheduler = {};
  workload::FailureParams failures = {};
  workload::StorageParams storage = {};  ///< of jobs that save and have none of their own
  std::vector<ReservationSpec> reservations = {};
  std::vector<JobSpec> queue = {};
  std::vector<JobTraceSpec> traces = {};
  std::vector<JobMixSpec> mixes = {};
  Mention mention = {};

  /// In the order in which they are numbered: of single jobs, of traces (that of all other classes, then by class), of mixes.
  std::vector<const WorkloadSpec*> programs() const;
};

}  // namespace wattloop::twin
