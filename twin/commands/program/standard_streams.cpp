#include "twin/commands/program/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "twin/commands/program/exit_codes.hpp"

namespace wattloop::twin {

void keep_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // as useless as a closed one
    if (opened >= 0 && opened != stream) {
      dup2(opened, stream);
      close(opened);
    }
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void report(std::string_view line) noexcept {
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

bool shows_colour() {
  const char *no_colour = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  const bool is_requested = no_colour == nullptr || *no_colour == '\0';
  return is_requested && isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool is_reader_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int after_output(int exit_code) {
  errno = 0;
  const bool had_failed = std::ferror(stdout) != 0;
  const bool is_flushed = std::fflush(stdout) == 0;
  if ((is_flushed && !had_failed) || is_reader_gone()) return exit_code;
  report("file error: standard output is lost" + (errno != 0 ? fmt::format(": {}", std::strerror(errno)) : ""));
  return exit_code == done ? file_failure : exit_code;
}

}  // namespace wattloop::twin
