// Runs the program as its users do: as a process in a folder of its own, judged by exit code and text.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace wattloop::tests {

/// The scenario that most tests run.
inline const std::string one_rack = WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml";

struct Outcome {
  int exit_code = -1;  ///< 128 + signal for a process that a signal ended
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// A process with its standard output and error in files; it is ended after four minutes at the latest.
class Process {
 public:
  Process(const std::string& program, const std::vector<std::string>& arguments, const std::filesystem::path& folder);
  void send(int signal) const;
  Outcome wait();

 private:
  TemporaryFolder texts_;
  pid_t id_;
};

/// A folder in which somebody works, with the results of an earlier run of `own.yaml` that must survive.
class WorkFolder {
 public:
  explicit WorkFolder(std::string program);
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path operator/(const char* name) const { return folder_ / name; }

  void write(const std::string& name, const std::string& text) const;
  Process start(const std::vector<std::string>& arguments) const { return {program_, arguments, path()}; }
  Outcome run(const std::vector<std::string>& arguments) const { return start(arguments).wait(); }

  /// Writes `own.yaml` and runs it.
  Outcome run_own(const std::string& text) const;

  /// Runs a line of the shell there, in which $wattloop is the program.
  Outcome run_shell(const std::string& line) const;

  /// What an unfinished run has left in results/, or is writing; empty where nothing is there.
  std::filesystem::path partial_results() const;

  /// Waits until a run is writing; empty where it never does.
  std::filesystem::path await_partial_results() const;

  /// Is results/own.h5 the same bytes, with nothing else beside it?
  bool keeps_earlier_results() const;

 private:
  std::string program_;
  TemporaryFolder folder_;
  std::string earlier_results_;
};

/// Text of a file, bytes as they are.
std::string file_text(const std::filesystem::path& file);

}  // namespace wattloop::tests
