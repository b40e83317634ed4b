#include "viz/window/hall_window.hpp"

#include <vtkCallbackCommand.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/report/events/shown_time.hpp"
#include "viz/drawing/paint_drawing.hpp"
#include "viz/hall/paint_hall.hpp"
#include "viz/options/refused_option.hpp"
#include "viz/pages/picture.hpp"
#include "viz/window/window_page.hpp"

namespace wattloop::viz {
namespace {

constexpr unsigned long frame_ms = 100;
constexpr int samples_of_window = 4;  // per pixel: pictures have more, and time
constexpr double degrees_per_pixel = 0.35;
constexpr int click_pixels = 4;  // moved less than that, a press is a click

enum class Drag { none, turns, moves, slides };

}  // namespace

struct HallWindow::Parts {
  const twin::ResultsReader& results;
  WindowRequest request;
  WindowState state;
  std::vector<twin::EventSummaryLine> event_lines;
  Hall plant{};
  Scene scene{}, shown{};
  WindowPage page{};
  Drag drag = Drag::none;
  bool is_running = false;
  Point pressed{}, last{};

  vtkNew<vtkRenderWindow> window{};
  vtkNew<vtkRenderer> paper{}, hall{}, writing{};
  vtkNew<vtkRenderWindowInteractor> interactor{};
  vtkNew<vtkCallbackCommand> callback{};

  Parts(const twin::ResultsReader& of, WindowRequest asked)
      : results(of), request(std::move(asked)), state(), event_lines(twin::event_summary(of.events())) {
    std::vector<double> times_s = twin::shown_times_s(results);
    if (times_s.empty()) throw FileError(request.file_name + ": contains no records of racks to show");
    state = window_state(std::move(times_s), twin::worst_time(results).time_s);
    state.shown = twin::nearest_row(state.times_s, request.at_s);
    plant = read_hall(results, request.file_name);
    read();
    pick(request.picked);
    set_up();
    draw();
  }

  void read() {
    const SceneRequest asked{.at_s = state.time_s(),
                             .field = request.field,
                             .has_fixed_scales = request.has_fixed_scales,
                             .is_isometric = !state.is_plan,
                             .may_show_gpus = !state.is_plan};
    scene = read_scene(results, plant, asked);
  }

  void pick(const std::string& name) {
    if (name.empty()) return;
    std::vector<std::string> names;
    for (const std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors})
      for (const SceneBox& one : *boxes) names.push_back(one.box.name);
    if (std::ranges::find(names, name) == names.end())
      refuse_option("--pick", "no drawn part is called '" + printable(name) + "'", nearest_hint(name, names));
    state.picked = name;
    state.is_pinned = true;
  }

  void set_up() {
    window->SetSize(request.width, request.height);
    window->SetWindowName(("Wattloop: " + scene.title).c_str());
    window->SetMultiSamples(samples_of_window);
    window->SetNumberOfLayers(2);
    for (vtkRenderer* ground : {paper.Get(), hall.Get()}) ground->SetBackground(1.0, 1.0, 1.0);
    writing->SetLayer(1);
    for (vtkRenderer* renderer : {paper.Get(), hall.Get(), writing.Get()}) {
      renderer->InteractiveOff();
      window->AddRenderer(renderer);
    }
    interactor->SetRenderWindow(window);
    interactor->SetInteractorStyle(nullptr);  // ours, below
    callback->SetClientData(this);
    callback->SetCallback(
        [](vtkObject*, unsigned long event, void* parts, void*) { static_cast<Parts*>(parts)->take(event); });
    for (const unsigned long event :
         {vtkCommand::KeyPressEvent, vtkCommand::TimerEvent, vtkCommand::LeftButtonPressEvent,
          vtkCommand::LeftButtonReleaseEvent, vtkCommand::RightButtonPressEvent, vtkCommand::RightButtonReleaseEvent,
          vtkCommand::MiddleButtonPressEvent, vtkCommand::MiddleButtonReleaseEvent, vtkCommand::MouseMoveEvent,
          vtkCommand::MouseWheelForwardEvent, vtkCommand::MouseWheelBackwardEvent, vtkCommand::ConfigureEvent})
      interactor->AddObserver(event, callback);
  }

  void draw() {
    const int* size = window->GetSize();
    const int width = std::max(size[0], 800), height = std::max(size[1], 500);
    shown = shown_layers(scene, state);
    const auto picked = std::ranges::find(shown.boxes, state.picked, [](const SceneBox& one) { return one.box.name; });
    const std::vector<PartFact> facts = state.picked.empty() || picked == shown.boxes.end()
                                            ? std::vector<PartFact>()
                                            : part_facts(results, *picked, scene.time_s);
    page = compose_window({scene, shown, event_lines, facts}, state, width, height);
    for (vtkRenderer* renderer : {hall.Get(), writing.Get()}) renderer->RemoveAllViewProps();
    hall->RemoveAllLights();
    hall->SetDraw(page.page.camera.has_value());
    if (page.page.camera) paint_hall(*hall, shown, *page.page.camera, page.page.area);
    paint_drawing(*writing, page.page.drawing);
    window->Render();
  }

  /// After a change of the state, whatever it was.
  void follow(double time_before_s, bool was_plan) {
    if (state.is_closed) return is_running ? interactor->TerminateApp() : void();
    if (state.time_s() != time_before_s || state.is_plan != was_plan) read();
    draw();
  }

  Point mouse() const {
    const int* at = interactor->GetEventPosition();
    return {double(at[0]), double(at[1])};
  }

  bool is_on_slider(Point p) const {
    const Rectangle& slider = page.slider;
    const double reach = slider.height;
    return p.x >= slider.left - reach && p.x <= slider.right() + reach && p.y >= slider.bottom - reach &&
           p.y <= slider.top() + reach;
  }

  void slide_to(Point p) { show_share(state, (p.x - page.slider.left) / page.slider.width); }

  void press(Drag kind) {
    pressed = last = mouse();
    drag = kind == Drag::turns && is_on_slider(pressed) ? Drag::slides : kind;
    if (drag == Drag::slides) slide_to(pressed);
  }

  void release() {
    const Point at = mouse();
    const bool is_click = drag == Drag::turns && std::hypot(at.x - pressed.x, at.y - pressed.y) < click_pixels;
    drag = Drag::none;
    if (!is_click) return;
    const auto box = box_at(shown, page, at);
    state.picked = box ? shown.boxes[*box].box.name : "";
    state.is_pinned = box.has_value();
  }

  /// False where nothing changes by it.
  bool move() {
    const Point at = mouse(), by{at.x - last.x, at.y - last.y};
    last = at;
    if (drag == Drag::slides) return slide_to(at), true;
    if (drag == Drag::turns && !state.is_plan)
      return turn(state, -degrees_per_pixel * by.x, -degrees_per_pixel * by.y), true;
    if (drag == Drag::moves) {
      state.view.shift.x += by.x;
      state.view.shift.y += by.y;
      return true;
    }
    if (drag != Drag::none || state.is_pinned) return false;
    const auto box = box_at(shown, page, at);
    const std::string name = box ? shown.boxes[*box].box.name : "";
    if (name == state.picked) return false;
    state.picked = name;
    return true;
  }

  bool change(unsigned long event) {
    switch (event) {
      case vtkCommand::KeyPressEvent:
        return interactor->GetKeySym() != nullptr && press_key(state, interactor->GetKeySym());
      case vtkCommand::TimerEvent:
        if (!state.is_playing) return false;
        return play_on(state), true;
      case vtkCommand::LeftButtonPressEvent:
        return press(Drag::turns), drag == Drag::slides;
      case vtkCommand::RightButtonPressEvent:
      case vtkCommand::MiddleButtonPressEvent:
        return press(Drag::moves), false;
      case vtkCommand::MouseMoveEvent:
        return move();
      case vtkCommand::MouseWheelForwardEvent:
        return zoom(state, 1.15), true;
      case vtkCommand::MouseWheelBackwardEvent:
        return zoom(state, 1.0 / 1.15), true;
      case vtkCommand::ConfigureEvent:
        return page.page.area.width != window->GetSize()[0] || page.page.area.height != window->GetSize()[1];
      default:
        return release(), true;
    }
  }

  void take(unsigned long event) {
    const double time_s = state.time_s();
    const bool was_plan = state.is_plan;
    if (change(event)) follow(time_s, was_plan);
  }
};

HallWindow::HallWindow(const twin::ResultsReader& results, WindowRequest request)
    : parts_(std::make_unique<Parts>(results, std::move(request))) {}
HallWindow::HallWindow(HallWindow&&) noexcept = default;
HallWindow& HallWindow::operator=(HallWindow&&) noexcept = default;
HallWindow::~HallWindow() = default;

void HallWindow::run() {
  parts_->interactor->Initialize();
  parts_->interactor->CreateRepeatingTimer(frame_ms);
  parts_->is_running = true;
  parts_->interactor->Start();
}

void HallWindow::press(const std::string& key) {
  parts_->interactor->SetKeySym(key.c_str());
  parts_->interactor->InvokeEvent(vtkCommand::KeyPressEvent);
}

void HallWindow::point(Point at) {
  parts_->interactor->SetEventPosition(int(std::lround(at.x)), int(std::lround(at.y)));
  parts_->interactor->InvokeEvent(vtkCommand::MouseMoveEvent);
}

void HallWindow::drag(Point from, Point to) {
  point(from);
  parts_->interactor->InvokeEvent(vtkCommand::LeftButtonPressEvent);
  point(to);
  parts_->interactor->InvokeEvent(vtkCommand::LeftButtonReleaseEvent);
}

void HallWindow::turn_wheel(bool is_forward) {
  parts_->interactor->InvokeEvent(is_forward ? vtkCommand::MouseWheelForwardEvent
                                             : vtkCommand::MouseWheelBackwardEvent);
}

void HallWindow::wait_a_frame() { parts_->interactor->InvokeEvent(vtkCommand::TimerEvent); }

const WindowState& HallWindow::state() const { return parts_->state; }

Image HallWindow::image() {
  const int* size = parts_->window->GetSize();
  return pixels_of(*parts_->window, size[0], size[1]);
}

}  // namespace wattloop::viz
