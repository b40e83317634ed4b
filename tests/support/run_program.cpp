#include "tests/support/run_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "twin/results/writer/results_writer.hpp"

namespace wattloop::tests {

namespace {

constexpr unsigned longest_run_s = 240;  ///< so that what hangs ends; no test is to depend on it

void redirect(int stream, const std::filesystem::path& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || dup2(opened, stream) < 0) _exit(126);
}

}  // namespace

Process::Process(const std::string& program, const std::vector<std::string>& arguments,
                 const std::filesystem::path& folder) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  id_ = fork();
  if (id_ < 0) throw std::runtime_error("cannot start a process");
  if (id_ > 0) return;
  redirect(STDOUT_FILENO, texts_ / "output");
  redirect(STDERR_FILENO, texts_ / "errors");
  if (chdir(folder.c_str()) != 0) _exit(126);
  alarm(longest_run_s);
  execv(program.c_str(), pointers.data());
  _exit(127);
}

void Process::send(int signal) const { kill(id_, signal); }

Outcome Process::wait() {
  int status = 0;
  if (waitpid(id_, &status, 0) != id_) throw std::runtime_error("lost a process");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), file_text(texts_ / "output"),
          file_text(texts_ / "errors")};
}

WorkFolder::WorkFolder(std::string program) : program_(std::move(program)) {
  twin::ResultsWriter(folder_ / "results/own.h5", "2026-01-01T00:00:00").finish();
  earlier_results_ = file_text(folder_ / "results/own.h5");
}

void WorkFolder::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = path() / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

Outcome WorkFolder::run_own(const std::string& text) const {
  write("own.yaml", text);
  return run({"run", "own.yaml", "--quiet"});
}

Outcome WorkFolder::run_shell(const std::string& line) const {
  return Process("/bin/sh", {"-c", "wattloop=" + program_ + "; " + line}, path()).wait();
}

std::filesystem::path WorkFolder::partial_results() const {
  for (const auto& file : std::filesystem::directory_iterator(path() / "results")) {
    if (file.path().string().ends_with(".partial.h5")) return file.path();
  }
  return {};
}

std::filesystem::path WorkFolder::await_partial_results() const {
  for (int wait = 0; wait < 4000 && partial_results().empty(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return partial_results();
}

bool WorkFolder::keeps_earlier_results() const {
  const std::filesystem::directory_iterator files(path() / "results");
  return std::distance(begin(files), end(files)) == 1 && file_text(path() / "results/own.h5") == earlier_results_;
}

std::string file_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace wattloop::tests
