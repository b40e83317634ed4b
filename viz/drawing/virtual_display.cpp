#include "viz/drawing/virtual_display.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "core/text/problem.hpp"

namespace wattloop::viz {
namespace {

constexpr int start_limit_ms = 20'000;
int servers = 0;  ///< of this process

/// In the child: becomes the server, which writes the number of its display to `answer`, and ends with its
/// parent.
[[noreturn]] void become_server(int answer) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nothing, stream);
  const std::string descriptor = std::to_string(answer);
  execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
         "-noreset", static_cast<char*>(nullptr));
  _exit(127);
}

/// The number the server writes, without its line end; empty where it ended or said nothing in time.
std::string read_number(int answer) {
  std::string number;
  for (char letter = 0;;) {
    pollfd waiting{answer, POLLIN, 0};
    if (poll(&waiting, 1, start_limit_ms) <= 0 || read(answer, &letter, 1) != 1) return {};
    if (letter == '\n') return number;
    number += letter;
  }
}

void end(int server) {
  kill(server, SIGTERM);
  waitpid(server, nullptr, 0);
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
  if (servers > 0) return;  // that of an outer one serves
  if (const char* display = std::getenv("DISPLAY"); display != nullptr && *display != '\0') earlier_display_ = display;
  int answer[2];
  if (pipe(answer) != 0) throw FileError("cannot start a virtual display: no pipe");
  server_ = fork();
  if (server_ == 0) {
    close(answer[0]);
    become_server(answer[1]);
  }
  close(answer[1]);
  const std::string number = server_ < 0 ? "" : read_number(answer[0]);
  close(answer[0]);
  if (!number.empty()) {
    setenv("DISPLAY", (":" + number).c_str(), 1);
    ++servers;
    return;
  }
  if (server_ > 0) end(server_);
  server_ = -1;
  if (!earlier_display_)
    throw FileError("pictures need an X display and there is none: install Xvfb (package xvfb) or set DISPLAY");
}

VirtualDisplay::~VirtualDisplay() {
  if (server_ < 0) return;
  --servers;
  end(server_);
  if (earlier_display_)
    setenv("DISPLAY", earlier_display_->c_str(), 1);
  else
    unsetenv("DISPLAY");
}

}  // namespace wattloop::viz
