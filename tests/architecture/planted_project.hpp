// A small project on disk with files planted by a test, gone with the object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/architecture/project.hpp"

namespace wattloop::tests {

class PlantedProject {
 public:
  PlantedProject()
      : root_(std::filesystem::temp_directory_path() / ("wattloop_planted_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  ~PlantedProject() { std::filesystem::remove_all(root_); }
  PlantedProject(const PlantedProject&) = delete;
  PlantedProject& operator=(const PlantedProject&) = delete;

  const std::filesystem::path& root() const { return root_; }

  void plant(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  Project read() const { return read_project(root_); }

 private:
  std::filesystem::path root_;
};

}  // namespace wattloop::tests
