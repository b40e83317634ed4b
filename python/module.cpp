// The extension module behind `import wattloop`: the library by name and number; what is pleasant in Python is in python/wattloop.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include <wattloop/wattloop.hpp>

namespace py = pybind11;
namespace wl = wattloop;

namespace {

using Called = std::optional<py::function>;

unsigned long main_thread = 0;  ///< of Python; set where the module is loaded

/// Asks the interpreter now and then whether somebody pressed Ctrl-C. The exception stays set in the interpreter.
class Interrupt {
 public:
  bool operator()() {
    constexpr std::chrono::milliseconds interval{50};
    const auto now = std::chrono::steady_clock::now();
    if (is_raised_ || !is_main_thread_ || now - asked_ < interval) return is_raised_;
    asked_ = now;
    const py::gil_scoped_acquire gil;
    is_raised_ = PyErr_CheckSignals() != 0;
    return is_raised_;
  }
  void rethrow() const {
    if (is_raised_) throw py::error_already_set();
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  const bool is_main_thread_ = PyThread_get_thread_ident() == main_thread;  // no other one gets signals
  bool is_raised_ = false;
};

/// The lock of the interpreter, given away for a while. A thread that still works when Python ends never gets it back: it waits for the end of the
/// process, since Python would end it in the midst of its functions.
class FreeOfLock {
 public:
  FreeOfLock() = default;
  FreeOfLock(const FreeOfLock&) = delete;
  FreeOfLock& operator=(const FreeOfLock&) = delete;
  ~FreeOfLock() {
    while (_Py_IsFinalizing() != 0) pause();
    PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_ = PyEval_SaveThread();
};

/// Calls `step` without the lock of the interpreter; it is given what asks for interrupts.
template <class Step>
auto freely(const Step& step) {
  Interrupt interrupt;
  const auto asked = [&interrupt] { return interrupt(); };
  if constexpr (std::is_void_v<decltype(step(asked))>) {
    {
      const FreeOfLock free;
      step(asked);
    }
    interrupt.rethrow();
  } else {
    auto result = [&] {
      const FreeOfLock free;
      return step(asked);
    }();
    interrupt.rethrow();
    return result;
  }
}

/// An array of its own that nobody writes to; it lives as long as anyone holds it.
py::array read_only(std::span<const double> values) {
  py::array_t<double> array(static_cast<py::ssize_t>(values.size()), values.data());
  array.attr("flags").attr("writeable") = false;
  return array;
}

void fill(std::span<const double> values, py::array_t<double, py::array::c_style>& out) {
  if (out.ndim() != 1 || static_cast<std::size_t>(out.size()) != values.size())
    throw wl::InputError(
        "out: an array of another shape",
        {{"out", 0, 0, "an array of another shape", "one dimension of " + std::to_string(values.size()) + " float64"}});
  std::ranges::copy(values, out.mutable_data());  // std::domain_error where nobody may write to it
}

wl::HallOptions options_of(std::vector<std::string> set, std::vector<std::string> events, std::string integrator,
                           int threads, const Called& on_note, const Called& on_warning) {
  wl::HallOptions options{std::move(set), std::move(events), std::move(integrator), threads, {}, {}};
  // Copies are made and dropped without the lock of the interpreter: they share the function, and the last one takes the lock.
  const auto called = [](const py::function& function) {
    const auto drop = [](py::function* kept) {
      const py::gil_scoped_acquire gil;
      delete kept;
    };
    return [shared = std::shared_ptr<py::function>(new py::function(function), drop)](std::string_view text) {
      const py::gil_scoped_acquire gil;
      (*shared)(std::string(text));
    };
  };
  if (on_note) options.on_note = called(*on_note);
  if (on_warning) options.on_warning = called(*on_warning);
  return options;
}

/// Exceptions of the library by the classes that the Python package declares.
void translate(std::exception_ptr thrown) {
  const auto raise = [](const char* name, const char* text, const std::vector<wl::Problem>* problems) {
    const py::object type = py::module_::import("wattloop._errors").attr(name);
    const py::object error = type(text);
    if (problems != nullptr) error.attr("problems") = py::cast(*problems);
    PyErr_SetObject(type.ptr(), error.ptr());
  };
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const wl::InputError& error) {
    raise("InputError", error.what(), &error.problems());
  } catch (const wl::SolverError& error) {
    raise("SolverError", error.what(), nullptr);
  } catch (const wl::FileError& error) {
    raise("FileError", error.what(), nullptr);
  } catch (const wl::UsageError& error) {
    raise("UsageError", error.what(), nullptr);
  } catch (const wl::Error& error) {
    raise("Error", error.what(), nullptr);
  }
}

void define_values(py::module_& module) {
  py::class_<wl::Problem>(module, "Problem")
      .def_readonly("file", &wl::Problem::file)
      .def_readonly("line", &wl::Problem::line)
      .def_readonly("column", &wl::Problem::column)
      .def_readonly("message", &wl::Problem::message)
      .def_readonly("hint", &wl::Problem::hint)
      .def("__repr__", [](const wl::Problem& problem) { return problem.file + ": " + problem.message; });
  py::class_<wl::Series>(module, "Series").def(py::self == py::self).def("__repr__", [](const wl::Series& series) {
    return "<Series " + std::to_string(series.column) + " of table " + std::to_string(series.table) + ">";
  });
  py::class_<wl::SeriesInfo>(module, "SeriesInfo")
      .def_readonly("table", &wl::SeriesInfo::table)
      .def_readonly("column", &wl::SeriesInfo::column)
      .def_readonly("unit", &wl::SeriesInfo::unit)
      .def_readonly("text", &wl::SeriesInfo::text)
      .def_readonly("items", &wl::SeriesInfo::items)
      .def_readonly("series", &wl::SeriesInfo::series)
      .def("__repr__", [](const wl::SeriesInfo& info) {
        return "<SeriesInfo " + info.table + "." + info.column + ", " + info.unit + ", " +
               std::to_string(std::max<std::size_t>(info.items.size(), 1)) + " values>";
      });
  py::class_<wl::Part>(module, "Part")
      .def_readonly("name", &wl::Part::name)
      .def_readonly("kind", &wl::Part::kind)
      .def_readonly("hangs_on", &wl::Part::hangs_on)
      .def_readonly("events", &wl::Part::events)
      .def_readonly("rated_w", &wl::Part::rated_w)
      .def("__repr__", [](const wl::Part& part) { return "<Part " + part.name + ", " + part.kind + ">"; });
  py::class_<wl::Input>(module, "Input")
      .def_readonly("name", &wl::Input::name)
      .def_readonly("unit", &wl::Input::unit)
      .def_readonly("lowest", &wl::Input::lowest)
      .def_readonly("highest", &wl::Input::highest)
      .def_readonly("value", &wl::Input::value)
      .def("__repr__", [](const wl::Input& input) {
        return py::str("<Input {} = {:g} {}>").format(input.name, input.value, input.unit);
      });
  py::class_<wl::Event>(module, "Event")
      .def_readonly("time_s", &wl::Event::time_s)
      .def_readonly("kind", &wl::Event::kind)
      .def_readonly("target", &wl::Event::target)
      .def_readonly("detail", &wl::Event::detail)
      .def("__repr__", [](const wl::Event& event) {
        return py::str("<Event {:g} s: {} {}>").format(event.time_s, event.kind, event.target);
      });
  py::class_<wl::Figure>(module, "Figure")
      .def_readonly("name", &wl::Figure::name)
      .def_readonly("value", &wl::Figure::value)
      .def_readonly("unit", &wl::Figure::unit)
      .def_readonly("text", &wl::Figure::text);
  py::class_<wl::StudyRow>(module, "StudyRow")
      .def_readonly("run", &wl::StudyRow::run)
      .def_readonly("cells", &wl::StudyRow::cells)
      .def_readonly("exit_code", &wl::StudyRow::exit_code)
      .def_readonly("message", &wl::StudyRow::message);
  py::class_<wl::StudyColumn>(module, "StudyColumn")
      .def_readonly("name", &wl::StudyColumn::name)
      .def_readonly("unit", &wl::StudyColumn::unit)
      .def_readonly("text", &wl::StudyColumn::text)
      .def_readonly("is_number", &wl::StudyColumn::is_number);
  py::class_<wl::StudyTable>(module, "StudyTable")
      .def_readonly("title", &wl::StudyTable::title)
      .def_readonly("columns", &wl::StudyTable::columns)
      .def_readonly("rows", &wl::StudyTable::rows);
}

/// Makes a hall without the lock; notes and warnings take it when they come.
template <class Make>
std::unique_ptr<wl::Hall> make_hall(const Make& make) {
  return freely([&](const auto&) { return std::make_unique<wl::Hall>(make()); });
}

void define_hall(py::module_& module) {
  py::class_<wl::HallOptions>(module, "Options").def(py::init(&options_of));
  py::class_<wl::Hall>(module, "Hall")
      .def(py::init([](const std::filesystem::path& scenario, const wl::HallOptions& options) {
        return make_hall([&] { return wl::Hall(scenario, options); });
      }))
      .def_static("from_text",
                  [](const std::string& text, const std::filesystem::path& name, const wl::HallOptions& options) {
                    return make_hall([&] { return wl::Hall::from_text(text, name, options); });
                  })
      .def_static("from_snapshot",
                  [](const py::bytes& bytes, int threads) {
                    const std::string_view view = bytes;
                    wl::HallOptions options;
                    options.threads = threads;
                    return make_hall([&] { return wl::Hall::from_snapshot(view, options); });
                  })
      .def("time_s", &wl::Hall::time_s)
      .def("end_s", &wl::Hall::end_s)
      .def("advance_to",
           [](wl::Hall& hall, double time_s) {
             return freely([&](const auto& asked) { return hall.advance_to(time_s, asked); });
           })
      .def("act", [](wl::Hall& hall, const std::string& event) { freely([&](const auto&) { hall.act(event); }); })
      .def("set", [](wl::Hall& hall, const std::string& input,
                     double value) { freely([&](const auto&) { hall.set(input, value); }); })
      .def("set_text", [](wl::Hall& hall, const std::string& input,
                          const std::string& value) { freely([&](const auto&) { hall.set(input, value); }); })
      .def("set_array",
           [](wl::Hall& hall, const std::string& input, const py::array_t<double, py::array::c_style>& values) {
             const std::span<const double> numbers(values.data(), static_cast<std::size_t>(values.size()));
             freely([&](const auto&) { hall.set(input, numbers); });
           })
      .def("fork", [](const wl::Hall& hall) { return make_hall([&] { return hall.fork(); }); })
      .def("column", [](const wl::Hall& hall, const std::string& table,
                        const std::string& column) { return hall.series(table, column); })
      .def("named", [](const wl::Hall& hall, const std::string& name) { return hall.series(name); })
      .def("values", [](wl::Hall& hall, wl::Series series) { return read_only(hall.values(series)); })
      .def("values_into", [](wl::Hall& hall, wl::Series series,
                             py::array_t<double, py::array::c_style> out) { fill(hall.values(series), out); })
      .def("value", &wl::Hall::value)
      .def("meter", &wl::Hall::meter)
      .def("means", [](wl::Hall& hall, wl::Series series,
                       std::optional<double> since_s) { return read_only(hall.means(series, since_s)); })
      .def("mean", &wl::Hall::mean)
      .def("info", &wl::Hall::info)
      .def("all_series", &wl::Hall::all_series)
      .def("parts", &wl::Hall::parts)
      .def("inputs", &wl::Hall::inputs)
      .def("events", &wl::Hall::events)
      .def("summary", [](const wl::Hall& hall) { return freely([&](const auto&) { return hall.summary(); }); })
      .def("scenario", &wl::Hall::scenario)
      .def("save_scenario",
           [](const wl::Hall& hall, const std::filesystem::path& file) {
             freely([&](const auto&) { hall.save_scenario(file); });
           })
      .def("snapshot", [](const wl::Hall& hall) { return py::bytes(hall.snapshot()); })
      .def("record_to", &wl::Hall::record_to);
}

wl::StudyTable run_study(const std::filesystem::path& file, std::vector<std::string> set,
                         std::vector<std::string> events, int threads, const Called& on_row) {
  const wl::StudyOptions options{std::move(set), std::move(events), threads};
  return freely([&](const auto& asked) {
    return wl::study(file, options, [&](const wl::StudyRow& row) {
      if (on_row) {
        const py::gil_scoped_acquire gil;
        (*on_row)(row);
      }
      return !asked();
    });
  });
}

}  // namespace

PYBIND11_MODULE(_wattloop, module) {
  module.attr("built_for") = WATTLOOP_VERSION;
  main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  py::register_exception_translator(&translate);
  define_values(module);
  define_hall(module);
  module.def("study", &run_study);
  module.def("to_si", &wl::to_si);
  module.def("from_si", &wl::from_si);
  module.def("version", [] { return std::string(wl::version()); });
  module.def("instructions", [] { return std::string(wl::instructions()); });
}
