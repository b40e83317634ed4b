#include "twin/study/tables/journal.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/text/problem.hpp"
#include "twin/platform/whole_file.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int journal_version = 1;
constexpr std::string_view file_start = "study", journal_end = ".journal";

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{{"-o", 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

std::string line_of(const Json& json) {
  const std::string body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("{:08x} {}\n", checksum_of(body), body);
}

/// What stands in a line; nothing where it is not whole.
std::optional<Json> json_of(std::string_view line) {
  std::uint32_t checksum = 0;
  if (line.size() < 10 || line[8] != ' ') return {};
  const auto [end, error] = std::from_chars(line.data(), line.data() + 8, checksum, 16);
  if (error != std::errc{} || end != line.data() + 8 || checksum != checksum_of(line.substr(9))) return {};
  Json json = Json::parse(line.substr(9), nullptr, false);
  if (json.is_discarded()) return {};
  return json;
}

Json json_of(const StudyIdentity& identity, const Shard& shard) {
  Json columns = Json::array();
  for (const TableColumn& column : identity.columns)
    columns.push_back({column.name, column.unit, column.long_name, static_cast<int>(column.kind), column.is_change});
  return {{"wattloop_study", journal_version},
          {"title", identity.title},
          {"runs", identity.runs},
          {"study", identity.study},
          {"scenario", identity.scenario},
          {"inputs", identity.inputs},
          {"program", identity.program},
          {"isa", identity.isa},
          {"shard", shard.number},
          {"shards", shard.count},
          {"columns", columns},
          {"whole_results", identity.whole_results},
          {"is_drawn", identity.is_drawn}};
}

void read_head(const Json& json, JournalText& journal) {
  StudyIdentity& identity = journal.identity;
  identity.title = json.at("title");
  identity.runs = json.at("runs");
  identity.study = json.at("study");
  identity.scenario = json.at("scenario");
  identity.inputs = json.at("inputs");
  identity.program = json.at("program");
  identity.isa = json.value("isa", "");
  identity.whole_results = json.value("whole_results", "");
  identity.is_drawn = json.value("is_drawn", false);
  journal.shard = {json.at("shard"), json.at("shards")};
  for (const Json& column : json.at("columns"))
    identity.columns.push_back({column.at(0), column.at(1), column.at(2),
                                static_cast<TableColumn::Kind>(column.at(3).get<int>()), column.at(4)});
}

Json json_of(const StudyRow& row) {
  Json json{row.run, row.exit_code, row.message};
  for (const std::string& cell : row.cells) json.push_back(cell);
  return json;
}

StudyRow row_of(const Json& json) {
  StudyRow row{json.at(0), json.at(1), {}, json.at(2)};
  for (std::size_t cell = 3; cell < json.size(); ++cell) row.cells.push_back(json[cell]);
  return row;
}

std::string text_of(const fs::path& file) {
  const SystemFile open(file, SystemFile::Access::read);
  std::string text(static_cast<std::size_t>(open.size()), '\0');
  open.read(text, 0);
  return text;
}

fs::path journal_file(const fs::path& folder, const Shard& shard) {
  return folder / fmt::format("{}-{}-of-{}{}", file_start, shard.number, shard.count, journal_end);
}

}  // namespace

std::string StudyIdentity::differences(const StudyIdentity& other) const {
  std::vector<std::string> found;
  if (study != other.study || runs != other.runs) found.push_back("the study");
  if (scenario != other.scenario) found.push_back("its scenario");
  if (inputs != other.inputs) found.push_back("a file that runs read");
  if (program != other.program) found.push_back("the program");
  if (isa != other.isa) found.push_back(fmt::format("the instructions ({} and {})", other.isa, isa));
  return fmt::format("{}", fmt::join(found, ", "));
}

std::optional<JournalText> read_journal(const fs::path& file) {
  const std::string text = text_of(file);
  JournalText journal;
  bool has_head = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string::npos) break;
    const auto json = json_of(std::string_view(text).substr(start, end - start));
    if (!json) break;
    if (has_head) {
      journal.rows.push_back(row_of(*json));
    } else if (json->is_object() && json->value("wattloop_study", 0) == journal_version) {
      read_head(*json, journal);
      has_head = true;
    } else {
      return {};
    }
    start = end + 1;
    journal.whole_bytes = start;
  }
  if (!has_head) return {};
  return journal;
}

std::vector<fs::path> journals_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(file_start) && name.ends_with(journal_end)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void demand_study_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder))
    refuse(fmt::format("'{}' is no folder", folder.string()), "a study is written to a folder of its own");
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(file_start) || name == "runs") continue;
    refuse(fmt::format("'{}' contains '{}', which does not belong to a study", folder.string(), name),
           "give a folder that does not exist yet");
  }
}

namespace {

/// For the lock, which stands in the folder.
fs::path with_folder(const fs::path& file) {
  demand_study_folder(file.parent_path());
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    throw FileError(fmt::format("cannot make the folder {}: {}", file.parent_path().string(), error.message()));
  return file;
}

/// What processes that were killed have left.
void remove_leftovers(const fs::path& journal) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(journal.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(journal.filename().string()) && name.ends_with(".partial")) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

Journal::Journal(const fs::path& folder, const StudyIdentity& identity, Shard shard, bool is_afresh)
    : file_(with_folder(journal_file(folder, shard))), lock_(file_) {
  remove_leftovers(file_);
  for (const fs::path& other : journals_in(folder)) {
    if (is_afresh && other == file_) continue;
    if (is_afresh && shard.count == 1) {  // of shards and ranks that were here before
      const OutputLock free(other);
      fs::remove(other);
      continue;
    }
    const auto journal = read_journal(other);
    const std::string other_things = journal ? identity.differences(journal->identity) : std::string();
    if (!journal)
      refuse(fmt::format("'{}' is no journal of a study", other.string()), "remove it, or name another folder");
    if (!other_things.empty())
      refuse(fmt::format("'{}' holds runs of '{}' from before something changed: {}", folder.string(),
                         journal->identity.title, other_things),
             "--afresh begins again and loses them, another folder keeps both");
  }
  std::error_code error;
  if (is_afresh || !fs::exists(file_, error)) {
    write_whole(file_, line_of(json_of(identity, shard)));
  } else {
    JournalText journal = *read_journal(file_);
    if (fs::file_size(file_) > journal.whole_bytes) fs::resize_file(file_, journal.whole_bytes);
    rows_ = std::move(journal.rows);
  }
  open_.emplace(file_, SystemFile::Access::append);
}

void Journal::append(std::span<const StudyRow> rows) {
  std::string lines;
  for (const StudyRow& row : rows) lines += line_of(json_of(row));
  open_->write(lines);
  open_->keep();
}

StudyTable join_journals(const std::vector<fs::path>& folders) {
  StudyTable table;
  std::optional<StudyIdentity> identity;
  fs::path first;
  std::vector<bool> is_there;
  for (const fs::path& folder : folders) {
    const std::vector<fs::path> files = journals_in(folder);
    if (files.empty())
      refuse(fmt::format("'{}' contains no journal of a study", folder.string()),
             "give folders that were written with -o");
    for (const fs::path& file : files) {
      auto journal = read_journal(file);
      if (!journal) refuse(fmt::format("'{}' is no journal of a study", file.string()), "");
      if (!identity) {
        identity = journal->identity;
        first = file;
        is_there.resize(identity->runs + 1);
      }
      if (const std::string other = identity->differences(journal->identity); !other.empty())
        refuse(fmt::format("'{}' and '{}' do not belong to the same study: {} do not match", first.string(),
                           file.string(), other),
               "");
      for (StudyRow& row : journal->rows) {
        if (row.run > identity->runs || is_there[row.run]) continue;
        is_there[row.run] = true;
        table.rows.push_back(std::move(row));
      }
    }
  }
  if (!identity) return table;
  std::ranges::sort(table.rows, {}, &StudyRow::run);
  table.title = identity->title;
  table.runs = identity->runs;
  table.columns = identity->columns;
  table.whole_results = identity->whole_results;
  table.is_drawn = identity->is_drawn;
  return table;
}

}  // namespace wattloop::twin
