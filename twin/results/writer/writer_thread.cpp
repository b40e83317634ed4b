#include "twin/results/writer/writer_thread.hpp"

namespace wattloop::twin {

namespace {

/// Keeps its exception to itself, so that a task's failure is thrown to the one who asked for it.
class TaskJob : public WriterJob {
 public:
  explicit TaskJob(const std::function<void()>& task) : task_(task) {}
  void run() override {
    try {
      task_();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  std::exception_ptr failure;

 private:
  const std::function<void()>& task_;
};

}  // namespace

WriterThread::WriterThread() : thread_([this] { work(); }) {}

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void WriterThread::push(WriterJob& job) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ < queue_length; });
    job.pending_ = true;
    queue_[(first_ + count_) % queue_length] = &job;
    ++count_;
  }
  changed_.notify_all();
}

void WriterThread::post(WriterJob& job) {
  throw_if_failed();
  push(job);
}

void WriterThread::wait(const WriterJob& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !job.pending_; });
}

void WriterThread::run(const std::function<void()>& task) {
  TaskJob job(task);
  push(job);
  wait(job);
  throw_if_failed();
  if (job.failure) std::rethrow_exception(job.failure);
}

void WriterThread::perform(WriterJob& job) noexcept {
  const bool is_task = dynamic_cast<TaskJob*>(&job) != nullptr;
  if (has_failed_ && !is_task) return;
  try {
    job.run();
  } catch (...) {
    failure_ = std::current_exception();
    has_failed_.store(true, std::memory_order_release);
  }
}

void WriterThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return count_ > 0 || is_ending_; });
    if (count_ == 0) return;
    WriterJob& job = *queue_[first_];
    lock.unlock();
    perform(job);
    lock.lock();
    first_ = (first_ + 1) % queue_length;
    --count_;
    job.pending_ = false;
    changed_.notify_all();
  }
}

}  // namespace wattloop::twin
