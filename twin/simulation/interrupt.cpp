#include "twin/simulation/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace wattloop::twin {

namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "written from a signal handler");
std::array<struct sigaction, signals.size()> earlier_actions;

void remember(int) { is_interrupted = true; }

}  // namespace

InterruptGuard::InterruptGuard() {
  is_interrupted = false;
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one ends the program
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &earlier_actions[i]);
    if (earlier_actions[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &action, nullptr);  // nohup, a job in the background
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &earlier_actions[i], nullptr);
}

bool interrupt_requested() noexcept { return is_interrupted; }

}  // namespace wattloop::twin
