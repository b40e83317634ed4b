#include "twin/commands/program/trusted_results.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/text/problem.hpp"
#include "twin/results/hdf5/results_seal.hpp"

namespace wattloop::twin {

namespace {

template <class Resource>
void limit(Resource resource, unsigned long value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

[[noreturn]] void act(const std::function<int()>& action, const ReadingLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  limit(RLIMIT_CORE, 0);
  if (limits.processor_s > 0) limit(RLIMIT_CPU, limits.processor_s);
  if (limits.memory_bytes > 0) limit(RLIMIT_AS, limits.memory_bytes);
  const int exit_code = action();
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

std::string ending(int signal, const ReadingLimits& limits) {
  if (signal == SIGXCPU || (signal == SIGKILL && limits.processor_s > 0))
    return fmt::format("reading them takes more than {} s of processor time, or more memory than allowed",
                       limits.processor_s);
  return fmt::format("signal {} ended the process that reads them", signal);
}

unsigned long half_of_memory_bytes() {
  return static_cast<unsigned long>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void add_trust(CLI::App& command, Trusted what) {
  const char* seconds = what == Trusted::running ? "0" : "300";
  command.add_flag_callback(
      "--trust", [seconds] { setenv(trust_variable, seconds, 1); },
      "Read results that have no valid checksum, in a process with limits of time and memory");
}

int with_trust(const std::function<int()>& action) {
  const char* seconds = std::getenv(trust_variable);
  if (seconds == nullptr) return action();
  return in_limited_process(
      action, {.processor_s = std::strtoul(seconds, nullptr, 10), .memory_bytes = half_of_memory_bytes()});
}

int in_limited_process(const std::function<int()>& action, const ReadingLimits& limits) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw FileError(fmt::format("cannot start a process to read results: {}", std::strerror(errno)));
  if (child == 0) act(action, limits);
  std::signal(SIGINT, SIG_IGN);  // the child, which has it as well, decides
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  throw FileError(fmt::format("results without a valid checksum are damaged: {}", ending(WTERMSIG(status), limits)));
}

}  // namespace wattloop::twin
