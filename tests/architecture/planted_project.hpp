// A small project on disk with files planted by a test, gone with the object.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/architecture/project.hpp"
#include "tests/support/temporary_folder.hpp"

namespace wattloop::tests {

class PlantedProject {
 public:
  const std::filesystem::path& root() const { return folder_.path(); }

  void plant(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root() / path).parent_path());
    std::ofstream(root() / path) << text;
  }
  Project read() const { return read_project(root()); }

 private:
  TemporaryFolder folder_;
};

}  // namespace wattloop::tests
