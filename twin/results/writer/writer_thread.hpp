// A thread that does jobs one after another, behind a queue of fixed length: who produces faster than it
// works waits.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace wattloop::twin {

/// Something to do. Owned by whoever posts it, and left alone by them while it is pending.
class WriterJob {
 public:
  virtual ~WriterJob() = default;
  virtual void run() = 0;

 private:
  friend class WriterThread;
  bool pending_ = false;
};

/// The first exception of a posted job is thrown by every later call; jobs posted before that is noticed are
/// skipped.
class WriterThread {
 public:
  WriterThread();
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;
  ~WriterThread();  ///< does what is queued, then ends

  /// Queues a job; allocates nothing; waits while the queue is full.
  void post(WriterJob& job);

  /// Waits until a posted job is done or skipped.
  void wait(const WriterJob& job);

  /// Does a task on the thread after all that is queued, even after a failure, and waits for it. Its own
  /// exception is thrown here unless there is an earlier one.
  void run(const std::function<void()>& task);

  void throw_if_failed() const {
    if (has_failed_.load(std::memory_order_acquire)) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t queue_length = 16;

  void push(WriterJob& job);
  void work();
  void perform(WriterJob& job) noexcept;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<WriterJob*, queue_length> queue_{};
  std::size_t first_ = 0, count_ = 0;
  bool is_ending_ = false;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;  ///< set once, before has_failed_
  std::thread thread_;
};

}  // namespace wattloop::twin
