// Loaded before a program to kill it in the instant in which it would give a file its name.
#include <csignal>

extern "C" int rename(const char*, const char*) {
  std::raise(SIGKILL);
  return -1;
}
