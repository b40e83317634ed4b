// All runs of a study in this process, without a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/study/tables/study_table.hpp"

namespace wattloop::engine {

struct StudyRequest {
  std::filesystem::path file{};
  std::vector<std::string> overrides{};
  int threads = 1;
};

/// `on_row` is called on this thread with each row as its run ends; false stops the study when the runs that have begun are broken off. Rows of
/// the table are by run. Throws InputError with all that is wrong with the study.
twin::StudyTable run_study(const StudyRequest& request, const std::function<bool(const twin::StudyRow&)>& on_row);

/// What this library computes with: "v3".
std::string_view instructions_of_library();

}  // namespace wattloop::engine
