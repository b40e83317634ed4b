// The hall through VTK: one glyph mapper for each look, however many boxes there are.
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCubeSource.h>
#include <vtkCylinderSource.h>
#include <vtkFloatArray.h>
#include <vtkGlyph3DMapper.h>
#include <vtkLight.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkTransform.h>
#include <vtkTransformPolyDataFilter.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "twin/results/schema/layout_cells.hpp"
#include "viz/hall/paint_hall.hpp"

namespace wattloop::viz {
namespace {

// Colour times what falls on a face: the top shows the colours of the scale as they are, the sides are
// darker.
constexpr double ambient_share = 0.60;
constexpr double front_light = 0.62;
constexpr double side_light = 0.25;

constexpr double edge_shift_pixels = 4.0;
constexpr double frame_bar_m = 0.022;

namespace body {
constexpr Colour floor{240, 243, 246}, room{224, 230, 236}, frame{104, 116, 130}, tray{208, 215, 222},
    parts{232, 236, 241}, door{190, 203, 215}, equipment{228, 233, 239}, edge{120, 132, 145}, gpu_edge{60, 40, 60};
}

struct PaintedBox {
  Metres centre_m, size_m;
  Colour colour;
};

using Boxes = std::vector<PaintedBox>;

enum class Shape { solid, outline, pipe_x, pipe_y, pipe_z };

vtkNew<vtkPolyData> shape_of(Shape shape) {
  vtkNew<vtkPolyData> unit;
  if (shape == Shape::solid) {
    vtkNew<vtkCubeSource> cube;
    cube->Update();
    unit->ShallowCopy(cube->GetOutput());
    return unit;
  }
  if (shape == Shape::outline) {
    vtkNew<vtkOutlineSource> outline;
    outline->SetBounds(-0.5, 0.5, -0.5, 0.5, -0.5, 0.5);
    outline->Update();
    unit->ShallowCopy(outline->GetOutput());
    return unit;
  }
  vtkNew<vtkCylinderSource> cylinder;  // along y
  cylinder->SetRadius(0.5);
  cylinder->SetHeight(1.0);
  cylinder->SetResolution(32);
  vtkNew<vtkTransform> turn;
  if (shape == Shape::pipe_x) turn->RotateZ(90.0);
  if (shape == Shape::pipe_z) turn->RotateX(90.0);
  vtkNew<vtkTransformPolyDataFilter> turned;
  turned->SetTransform(turn);
  turned->SetInputConnection(cylinder->GetOutputPort());
  turned->Update();
  unit->ShallowCopy(turned->GetOutput());
  return unit;
}

vtkNew<vtkPolyData> glyph_points(const Boxes& boxes) {
  vtkNew<vtkPoints> centres;
  vtkNew<vtkFloatArray> sizes;
  sizes->SetName("size");
  sizes->SetNumberOfComponents(3);
  vtkNew<vtkUnsignedCharArray> colours;
  colours->SetName("colour");
  colours->SetNumberOfComponents(4);
  for (const PaintedBox& box : boxes) {
    centres->InsertNextPoint(box.centre_m.data());
    sizes->InsertNextTuple(box.size_m.data());
    colours->InsertNextTuple4(box.colour.red, box.colour.green, box.colour.blue, box.colour.opacity);
  }
  vtkNew<vtkPolyData> points;
  points->SetPoints(centres);
  points->GetPointData()->AddArray(sizes);
  points->GetPointData()->AddArray(colours);
  return points;
}

vtkActor& add(vtkRenderer& renderer, const Boxes& boxes, Shape shape) {
  vtkNew<vtkGlyph3DMapper> mapper;
  mapper->SetInputData(glyph_points(boxes));
  mapper->SetSourceData(shape_of(shape));
  mapper->SetScaleModeToScaleByVectorComponents();
  mapper->SetScaleArray("size");
  mapper->SetScalarModeToUsePointFieldData();
  mapper->SelectColorArray("colour");
  mapper->SetColorModeToDirectScalars();
  mapper->OrientOff();
  vtkNew<vtkActor> controller;
  controller->SetMapper(mapper);
  controller->GetProperty()->SetAmbient(ambient_share);
  controller->GetProperty()->SetDiffuse(1.0 - ambient_share);
  controller->GetProperty()->SetSpecular(0.0);
  renderer.AddActor(controller);
  return *controller;
}

void add_solid(vtkRenderer& renderer, const Boxes& boxes) {
  if (!boxes.empty()) add(renderer, boxes, Shape::solid);
}

/// Lines along the edges of boxes, moved towards the viewer so that no face cuts them; the projection is
/// parallel, so they stay where they are on the page.
void add_edges(vtkRenderer& renderer, Boxes boxes, Colour colour, const Camera& camera) {
  if (boxes.empty()) return;
  for (PaintedBox& box : boxes) box.colour = colour;
  vtkActor& controller = add(renderer, boxes, Shape::outline);
  controller.GetProperty()->SetLighting(false);
  const double shift_m = edge_shift_pixels / camera.pixels_per_metre;
  const Metres& towards = camera.towards_viewer;
  controller.SetPosition(shift_m * towards[0], shift_m * towards[1], shift_m * towards[2]);
}

void add_bodies(vtkRenderer& renderer, const Boxes& boxes, const Camera& camera) {
  add_solid(renderer, boxes);
  add_edges(renderer, boxes, body::edge, camera);
}

/// The four posts and eight beams of each rack.
void add_frames(vtkRenderer& renderer, const Boxes& racks) {
  Boxes bars;
  for (const PaintedBox& rack : racks) {
    for (std::size_t along = 0; along < 3; ++along) {
      const std::size_t second = (along + 1) % 3, third = (along + 2) % 3;
      for (const double a : {-0.5, 0.5}) {
        for (const double b : {-0.5, 0.5}) {
          PaintedBox bar{rack.centre_m, {}, body::frame};
          bar.size_m.fill(frame_bar_m);
          bar.size_m[along] = rack.size_m[along];
          bar.centre_m[second] += a * (rack.size_m[second] - frame_bar_m);
          bar.centre_m[third] += b * (rack.size_m[third] - frame_bar_m);
          bars.push_back(bar);
        }
      }
    }
  }
  add_solid(renderer, bars);
}

void add_pipes(vtkRenderer& renderer, const Boxes& boxes) {
  Boxes along[3];
  for (const PaintedBox& box : boxes) {
    const auto longest = std::max_element(box.size_m.begin(), box.size_m.end());
    along[longest - box.size_m.begin()].push_back(box);
  }
  for (int axis = 0; axis < 3; ++axis)
    if (!along[axis].empty()) add(renderer, along[axis], Shape(int(Shape::pipe_x) + axis));
}

/// Tower cells with the stacks of their fans.
void add_towers(vtkRenderer& renderer, const Boxes& towers, const Camera& camera) {
  Boxes cells, stacks, mouths;
  for (const PaintedBox& tower : towers) {
    const double stack_m = 0.16 * tower.size_m[2], width_m = 0.7 * tower.size_m[0];
    PaintedBox cell = tower, stack = tower;
    cell.size_m[2] -= stack_m;
    cell.centre_m[2] -= stack_m / 2;
    stack.size_m = {width_m, width_m, stack_m};
    stack.centre_m[2] += (tower.size_m[2] - stack_m) / 2;
    PaintedBox mouth = stack;
    mouth.size_m = {0.8 * width_m, 0.8 * width_m, 0.02};
    mouth.centre_m[2] += stack_m / 2 + 0.01;
    mouth.colour = body::frame;
    cells.push_back(cell);
    stacks.push_back(stack);
    mouths.push_back(mouth);
  }
  add_bodies(renderer, cells, camera);
  if (!stacks.empty()) add(renderer, stacks, Shape::pipe_z);
  if (!mouths.empty()) add(renderer, mouths, Shape::pipe_z);
}

Boxes of_kind(const Scene& scene, std::string_view kind, Colour plain) {
  Boxes boxes;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != kind) continue;
    double done = -0.5;  // of its height, from its middle
    for (const ColouredShare& one : shown.shares) {
      PaintedBox part{shown.box.centre_m, shown.box.size_m, one.colour};
      part.centre_m[2] += (done + 0.5 * one.share) * part.size_m[2];
      part.size_m[2] *= one.share;
      boxes.push_back(part);
      done += one.share;
    }
    if (!shown.shares.empty()) continue;
    boxes.push_back(
        {shown.box.centre_m, shown.box.size_m, shown.has_value() ? scene.scale_of(shown).at(shown.value) : plain});
  }
  return boxes;
}

/// A node as it looks with its lid off: a tray under the GPUs, and a closed box behind them.
void add_nodes(vtkRenderer& renderer, const Scene& scene, const Camera& camera) {
  Boxes trays, closed;
  const SceneBox* node = nullptr;
  double gpus_end_m = 0.0;  // the GPU farthest into the node, from its centre
  bool looks_to_plus_y = false;
  const auto finish = [&] {
    if (node == nullptr) return;
    const auto& [centre_m, size_m] = std::pair(node->box.centre_m, node->box.size_m);
    const double sign = looks_to_plus_y ? -1.0 : 1.0;  // of the way into the node
    const double open_m = std::min(gpus_end_m + 0.02 + size_m[1] / 2, size_m[1]), closed_m = size_m[1] - open_m;
    const double tray_m = 0.05 * size_m[2];
    trays.push_back({{centre_m[0], centre_m[1] - sign * closed_m / 2, centre_m[2] - size_m[2] / 2 + tray_m / 2},
                     {size_m[0], open_m, tray_m},
                     body::tray});
    closed.push_back(
        {{centre_m[0], centre_m[1] + sign * open_m / 2, centre_m[2]}, {size_m[0], closed_m, size_m[2]}, body::parts});
  };
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind == "node") {
      finish();
      node = &shown;
      gpus_end_m = -shown.box.size_m[1] / 2;
    }
    if (shown.box.kind != "gpu" || node == nullptr) continue;
    const double offset_m = shown.box.centre_m[1] - node->box.centre_m[1];
    if (shown.box.name.ends_with("gpu_1")) looks_to_plus_y = offset_m > 0.0;
    gpus_end_m = std::max(gpus_end_m, (looks_to_plus_y ? -offset_m : offset_m) + shown.box.size_m[1] / 2);
  }
  finish();
  add_bodies(renderer, trays, camera);
  add_bodies(renderer, closed, camera);
}

void add_floor(vtkRenderer& renderer, const Scene& scene) {
  std::vector<twin::LayoutBox> boxes;
  for (const SceneBox& shown : scene.boxes) boxes.push_back(shown.box);
  const twin::LayoutBox floor = floor_under(boxes);
  add_solid(renderer, {{floor.centre_m, floor.size_m, body::floor}});
}

/// Floors of rooms, distinguished from that of the hall by a shade and by their walls' feet.
void add_rooms(vtkRenderer& renderer, const Scene& scene, const Camera& camera) {
  Boxes floors;
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.kind == "room") floors.push_back({shown.box.centre_m, shown.box.size_m, body::room});
  add_bodies(renderer, floors, camera);
}

void add_lights(vtkRenderer& renderer, const Metres& towards_viewer) {
  renderer.AutomaticLightCreationOff();
  const double front = towards_viewer[1] < 0 ? -1.0 : 1.0, side = towards_viewer[0] < 0 ? -1.0 : 1.0;
  const std::array<std::pair<Metres, double>, 3> lights{
      {{{0, 0, 1}, 1.0}, {{0, front, 0}, front_light}, {{side, 0, 0}, side_light}}};
  for (const auto& [from, intensity] : lights) {
    vtkNew<vtkLight> light;
    light->SetLightTypeToSceneLight();
    light->SetPosition(from.data());
    light->SetFocalPoint(0, 0, 0);
    light->SetIntensity(intensity);
    renderer.AddLight(light);
  }
}

void set_camera(vtkRenderer& renderer, const Camera& camera, const Rectangle& page) {
  const Rectangle& a = camera.area;
  renderer.SetViewport(a.left / page.width, a.bottom / page.height, a.right() / page.width, a.top() / page.height);
  vtkCamera& view = *renderer.GetActiveCamera();
  view.ParallelProjectionOn();
  view.SetFocalPoint(camera.focus_m.data());
  view.SetPosition(camera.focus_m[0] + 100 * camera.towards_viewer[0],
                   camera.focus_m[1] + 100 * camera.towards_viewer[1],
                   camera.focus_m[2] + 100 * camera.towards_viewer[2]);
  view.SetViewUp(0, 0, 1);
  view.SetParallelScale(a.height / 2 / camera.pixels_per_metre);
  renderer.ResetCameraClippingRange();
}

}  // namespace

void paint_hall(vtkRenderer& renderer, const Scene& scene, const Camera& camera, const Rectangle& page) {
  add_floor(renderer, scene);
  add_rooms(renderer, scene, camera);
  if (scene.is_detailed) {
    add_frames(renderer, of_kind(scene, "rack", body::frame));
    add_nodes(renderer, scene, camera);
    const Boxes gpus = of_kind(scene, "gpu", body::parts);
    add_solid(renderer, gpus);
    add_edges(renderer, gpus, body::gpu_edge, camera);
  } else {
    add_bodies(renderer, of_kind(scene, "rack", body::parts), camera);
  }
  add_bodies(renderer, of_kind(scene, "rear_door", body::door), camera);
  for (const std::string_view kind :
       {"cdu", "pdu", "crah", "network_rack", "ups", "substation", "transformer", "chiller", "generator"})
    add_bodies(renderer, of_kind(scene, kind, body::equipment), camera);
  std::set<std::string> others;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.parent == twin::yard_parent || shown.box.parent == twin::hall_parent) others.insert(shown.box.kind);
  }
  for (const std::string& kind : others) add_bodies(renderer, of_kind(scene, kind, body::equipment), camera);
  add_solid(renderer, of_kind(scene, "busway", body::equipment));
  add_towers(renderer, of_kind(scene, "tower", body::equipment), camera);
  add_pipes(renderer, of_kind(scene, "supply_pipe", body::edge));
  add_pipes(renderer, of_kind(scene, "return_pipe", body::edge));
  add_lights(renderer, camera.towards_viewer);
  set_camera(renderer, camera, page);
}

}  // namespace wattloop::viz
