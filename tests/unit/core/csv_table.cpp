// The one reader of tables: what it takes, and every kind of file that it refuses with what to do.
#include "core/tables/csv_table.hpp"

#include <fstream>

#include <fmt/format.h>

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

TEST_CASE("lines end in LF, CRLF or CR, all in one file even", "[csv]") {
  const Read found = read("t,a\r0,1\r\n1,2\n2,3\r\r3,4");
  CHECK(found.problems.empty());
  REQUIRE(found.table->rows.size() == 4);
  CHECK(found.table->rows[3].number == 6);
  CHECK_THAT(read("t,a\r0,1\r1,\xe9\r").problems, Contains("t.csv:3:3: is no UTF-8 text"));
}

TEST_CASE("quotes end where the cell does, and are of the text where there are two", "[csv]") {
  const Read found = read("t,\"rack \"\"A\"\", kW\" ,b\n0,\"1\"\t,\"2\"\n");
  CHECK(found.problems.empty());
  CHECK(found.table->names == std::vector<std::string>{"t", "rack \"A\", kW", "b"});
  CHECK(found.table->cell(found.table->rows[0], 1).text == "1");
  CHECK_THAT(read("t,a\n0,\"10\"9\n1,\"1\" 5\n2,\"3\n").problems,
             Contains("t.csv:2:7: text behind the quote that closes the cell '10'") && Contains("t.csv:3:7: text") &&
                 Contains("t.csv:4:3: the quote does not end"));
  CHECK_THAT(read("t,\"a\n0,1\n").problems, Contains("t.csv:1:3: the quote does not end"));
  CHECK(read("\"rack 1, kW\";b\n1;2\n").table->separator == ';');
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
  CHECK_THAT(number_hint("1,010", ""),
             Contains("if the comma separates thousands, write 1010") && Contains("write 1.010"));
  CHECK_THAT(number_hint("-12,345,678.5", ""), Contains("thousands") && Contains("-12345678.5"));
  CHECK_THAT(number_hint("0,125", ""), Contains("0.125") && !Contains("thousands"));
  CHECK_THAT(number_hint("1.234,5", ""), Contains("1234.5") && !Contains("thousands"));
  CHECK_THAT(number_hint("1 234", ""), Contains("thousands") && Contains("1234"));
  CHECK(number_hint("1,2,3", "otherwise") == "otherwise");
}

TEST_CASE("rows of another width, open quotes and lines without names are reported at once", "[csv]") {
  const Read found = read("t,a\n0\n1,2,3\n2,\"3\n3,4\n");
  CHECK_THAT(found.problems, Contains("t.csv:2:2: 1 cell, but the first line names 2 columns") &&
                                 Contains("t.csv:3:5: 3 cells, but") && Contains("t.csv:4:3: the quote does not end"));
  CHECK(found.table->rows.size() == 1);
  CHECK_THAT(read("0,1\n1,2\n").problems,
             Contains("the first line contains numbers, but names of columns are expected"));
  CHECK_THAT(read("2026-01-01 00:00,1\n2026-01-01 01:00,2\n").problems,
             Contains("the first line contains numbers, but names of columns are expected"));
  CHECK_THAT(read("").problems, Contains("empty"));
  CHECK_THAT(read(std::string("t,a\n0,\0\n", 8)).problems, Contains("binary"));
}

TEST_CASE("cells without a number are known by what people write there", "[csv]") {
  for (const char* missing : {"", "-", "nan", "NaN", "NULL", "n/a", "[N/A]", "NA", "None", "#N/A", "<NA>"})
    CHECK(is_missing_number(missing));
  for (const char* text : {"0", "off", "[Not Found]", "--"}) CHECK_FALSE(is_missing_number(text));
  CHECK(number_in("1e3") == 1000.0);
  CHECK(number_in("+10") == 10.0);
  CHECK(read("t,a\n#N/A,1\n#n,2\n1,2\n").table->rows.size() == 2);                        // no comment
  for (const char* error : {"#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NAME?", "#NULL!"})  // of a spreadsheet, the same
    CHECK(read(fmt::format("t,a\n{},1\n1,2\n", error)).table->rows.size() == 2);
  CHECK(std::isinf(*number_in("1e999")));
  for (const char* text : {"nan", "1,5", "5 W", "", "0x10", "+", "+-1", "++1", "+nan"}) CHECK_FALSE(number_in(text));
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
