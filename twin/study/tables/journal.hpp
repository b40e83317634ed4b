// The journal of a study, or of one shard of it: what it is of in the first line, then a line for each run that is done, in the order in
// which runs ended. A line is on the disk before its run counts; one that a killed process left half written is cut off.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/platform/output_lock.hpp"
#include "twin/platform/system_file.hpp"
#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// Every so many-th run, beginning with the first of them: `--shard 2/3`.
struct Shard {
  std::size_t number = 1, count = 1;
  bool has(std::size_t run) const { return (run - 1) % count == number - 1; }
};

/// What a kept row must agree in with the study, so that it can be used again.
struct StudyIdentity {
  std::string title{};
  std::size_t runs = 0;
  std::string study{};     ///< checksum of the file's content
  std::string scenario{};  ///< text of the base after library and overrides
  std::string inputs{};    ///< files and variables with their checksums, one a line
  std::string program{};   ///< version and checksum of the program
  std::string isa{};       ///< instructions of all runs (core/numbers/instruction_level.hpp)
  std::vector<TableColumn> columns{};
  std::string whole_results{};  ///< which runs keep their whole results; part of the study
  bool is_drawn = false;        ///< of distributions; part of the study

  /// "the scenario, the program"; empty where both are of the same.
  std::string differences(const StudyIdentity& other) const;
};

struct JournalText {
  StudyIdentity identity{};
  Shard shard{};
  std::vector<StudyRow> rows{};
  std::uintmax_t whole_bytes = 0;  ///< what follows is half a line
};

/// Nothing where it is no journal. Throws FileError.
std::optional<JournalText> read_journal(const std::filesystem::path& file);

/// Those of a folder, by name.
std::vector<std::filesystem::path> journals_in(const std::filesystem::path& folder);

/// Throws InputError where the folder holds anything that is of no study.
void demand_study_folder(const std::filesystem::path& folder);

class Journal {
 public:
  /// Goes on with the one in the folder or begins one; `is_afresh` throws away what is there. Throws InputError where the folder is not
  /// this study's, with what differs, FileError where another process holds it.
  Journal(const std::filesystem::path& folder, const StudyIdentity& identity, Shard shard, bool is_afresh);

  const std::vector<StudyRow>& rows() const { return rows_; }  ///< that were there

  /// Returns when they are on the disk. Throws FileError.
  void append(std::span<const StudyRow> rows);

 private:
  std::filesystem::path file_;
  OutputLock lock_;
  std::vector<StudyRow> rows_;
  std::optional<SystemFile> open_;
};

/// Rows of all journals together, by run, each once. Throws InputError where they are not of one study.
StudyTable join_journals(const std::vector<std::filesystem::path>& folders);

}  // namespace wattloop::twin
