#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/catch.hpp"
#include "twin/simulation/interrupt.hpp"

using namespace wattloop::twin;

namespace {
volatile std::sig_atomic_t earlier_calls = 0;
void count_call(int) { earlier_calls = earlier_calls + 1; }
}  // namespace

TEST_CASE("an interrupt sets the flag, and a new guard clears it", "[interrupt]") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  {
    const InterruptGuard guard;
    CHECK_FALSE(interrupt_requested());
    std::raise(signal);
    CHECK(interrupt_requested());
  }
  CHECK(interrupt_requested());
  const InterruptGuard guard;
  CHECK_FALSE(interrupt_requested());
}

TEST_CASE("the handlers of before are back after the guard", "[interrupt]") {
  const auto before = std::signal(SIGTERM, count_call);
  {
    const InterruptGuard guard;
    std::raise(SIGTERM);
    CHECK(earlier_calls == 0);
  }
  std::raise(SIGTERM);
  CHECK(earlier_calls == 1);
  std::signal(SIGTERM, before);
}

TEST_CASE("a second interrupt ends the program", "[interrupt]") {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    const InterruptGuard guard;
    std::raise(SIGINT);
    if (!interrupt_requested()) _exit(2);
    std::raise(SIGINT);
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}

TEST_CASE("a signal that is ignored stays so", "[interrupt]") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const auto before = std::signal(signal, SIG_IGN);
  {
    const InterruptGuard guard;
    std::raise(signal);
    CHECK_FALSE(interrupt_requested());
  }
  std::raise(signal);
  std::signal(signal, before);
}
