// The one reader of tables: what it takes, and every kind of file that it refuses with what to do.
#include "core/csv_table.hpp"

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

struct Read {
  std::optional<CsvTable> table;
  std::string problems;
};

Read read(const std::string& content) {
  static tests::TemporaryFolder folder;
  const std::string file = (folder / "t.csv").string();
  std::ofstream(file, std::ios::binary) << content;
  Problems problems;
  Read found{read_csv_table(file, problems), {}};
  for (Problem problem : problems.all()) {
    problem.place.file = "t.csv";
    found.problems += format_problem(problem);
  }
  return found;
}

}  // namespace

TEST_CASE("cells are the same whatever separates them", "[csv]") {
  const std::string content = GENERATE("t,a,b\n0,1.5,x\n", "t;a;b\n0;1.5;x\n", "t\ta\tb\n0\t1.5\tx\n",
                                       "\xef\xbb\xbft, a ,\"b\"\r\n# no row\r\n\r\n 0 ,1.5,\"x\"\r\n");
  const Read found = read(content);
  CHECK(found.problems.empty());
  REQUIRE(found.table);
  CHECK(found.table->names == std::vector<std::string>{"t", "a", "b"});
  REQUIRE(found.table->rows.size() == 1);
  CHECK(found.table->cell(found.table->rows[0], 1).text == "1.5");
  CHECK(found.table->cell(found.table->rows[0], 2).text == "x");
  CHECK(found.table->column("b") == 2);
  CHECK_FALSE(found.table->column("c"));
}

TEST_CASE("two columns of one name are refused, both named", "[csv]") {
  const Read found = read("t,P,Q,P,\n0,1,2,3,\n");
  CHECK_THAT(found.problems, Contains("t.csv:1:7: columns 2 and 4 are both called 'P'"));
  CHECK_FALSE(found.table->is_whole);
  CHECK(read("t,P,p,,\n0,1,2,3,\n").problems.empty());  // nameless ones are not asked for by name
}

TEST_CASE("text that is no UTF-8 is refused with its line and what to do", "[csv]") {
  CHECK_THAT(read("t,Zulauf \xb0"
                  "C\n0,1\n")
                 .problems,
             Contains("t.csv:1:10: is no UTF-8 text") && Contains("iconv -f windows-1252"));
  CHECK_THAT(read("t,a\n0,1\n# caf\xe9\n").problems, Contains("t.csv:3:6"));
  CHECK_THAT(read(std::string("\xff\xfet\0,\0", 6)).problems, Contains("UTF-16"));
  CHECK(read("t,Zulauf \xc2\xb0"
             "C\n0,1\n")
            .problems.empty());
}

TEST_CASE("decimal commas and semicolons among commas are named", "[csv]") {
  CHECK_THAT(read("t,a\n0,1,5\n1,2,5\n").problems, Contains("3 cells") && Contains("decimal commas?"));
  CHECK_THAT(read("t,a\n0;1\n").problems, Contains("1 cell, but") && Contains("semicolons between cells?"));
  CHECK_THAT(number_hint("35,5", ""), Contains("35.5"));
  CHECK_THAT(number_hint("645.69 W", ""), Contains("`unit: W`"));
  CHECK(number_hint("off", "otherwise") == "otherwise");
}

TEST_CASE("rows of another width, open quotes and lines without names are told at once", "[csv]") {
  const Read found = read("t,a\n0\n1,2,3\n2,\"3\n3,4\n");
  CHECK_THAT(found.problems, Contains("t.csv:2:2: 1 cell, but the first line names 2 columns") &&
                                 Contains("t.csv:3:5: 3 cells, but") && Contains("t.csv:4:3: the quote does not end"));
  CHECK(found.table->rows.size() == 1);
  CHECK_THAT(read("0,1\n1,2\n").problems, Contains("the first line holds numbers, not names"));
  CHECK_THAT(read("").problems, Contains("empty"));
  CHECK_THAT(read(std::string("t,a\n0,\0\n", 8)).problems, Contains("binary"));
}

TEST_CASE("cells without a number are known by what people write there", "[csv]") {
  for (const char* missing : {"", "-", "nan", "NaN", "NULL", "n/a", "[N/A]", "NA"}) CHECK(is_missing_number(missing));
  for (const char* text : {"0", "off", "[Not Found]", "--"}) CHECK_FALSE(is_missing_number(text));
  CHECK(number_in("1e3") == 1000.0);
  CHECK(std::isinf(*number_in("1e999")));
  for (const char* text : {"nan", "1,5", "5 W", "", "0x10"}) CHECK_FALSE(number_in(text));
}

TEST_CASE("a file that is missing is named with its nearest, where it was named", "[csv]") {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "meters.csv") << "t,a\n0,1\n";
  Problems problems;
  read_csv_table(folder / "meter.csv", problems, {{"hall.yaml", 7, 10}, "trace: meter.csv"});
  read_csv_table(folder.path(), problems);
  REQUIRE(problems.size() == 2);
  CHECK_THAT(format_problem(problems.all()[0]),
             Contains("hall.yaml:7:10: ") && Contains("no such file") && Contains("meters.csv'?"));
  CHECK_THAT(format_problem(problems.all()[1]), Contains("is a folder"));
}
