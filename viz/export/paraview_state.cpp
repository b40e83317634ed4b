#include "viz/export/paraview_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/text/quoted_text.hpp"
#include "twin/results/schema/layout_cells.hpp"
#include "viz/drawing/colour_map.hpp"

namespace wattloop::viz {
namespace {

using Json = nlohmann::ordered_json;

/// How blocks are coloured that have the field: the first that fits.
struct Colouring {
  std::string_view block;  ///< empty: any
  std::string_view field, title;
  const ColourMap* map;
  double low, high;
};

const std::array colourings{
    Colouring{"racks", "margin (K)", "margin, K", &colour_maps::margin, -10.0, 30.0},
    Colouring{"racks", "max_die_temperature (degC)", "hottest die, degC", &colour_maps::heat, 30.0, 95.0},
    Colouring{"gpus", "die_temperature (degC)", "die, degC", &colour_maps::heat, 30.0, 95.0},
    Colouring{"supply_pipes", "temperature (degC)", "water and air, degC", &colour_maps::coolant, 15.0, 60.0},
    Colouring{"return_pipes", "temperature (degC)", "water and air, degC", &colour_maps::coolant, 15.0, 60.0},
    Colouring{"network_racks", "outlet_air_temperature (degC)", "water and air, degC", &colour_maps::coolant, 15.0,
              60.0},
    Colouring{"storage_racks", "outlet_air_temperature (degC)", "water and air, degC", &colour_maps::coolant, 15.0,
              60.0},
    Colouring{"motors", "state (1)", "off, on, failed", &colour_maps::coolant, 0.0, 2.0},
    Colouring{"breakers", "state (1)", "off, on, failed", &colour_maps::coolant, 0.0, 2.0},
    Colouring{"", "loading (1)", "loading, share of rated", &colour_maps::load, 0.0, 1.0},
};

Json colouring_of(const XdmfBlock& block) {
  for (const Colouring& one : colourings) {
    if (!one.block.empty() && one.block != block.name) continue;
    if (std::ranges::count(block.fields, one.field, &XdmfField::name) == 0) continue;
    Json points = Json::array();
    for (int k = 0; k <= 32; ++k) {
      const double share = k / 32.0;
      const Colour colour = one.map->at(share);
      for (const double value :
           {std::lerp(one.low, one.high, share), colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0})
        points.push_back(std::round(value * 1e4) / 1e4);
    }
    return {{"field", one.field}, {"title", one.title}, {"points", points}};
  }
  return nullptr;
}

/// Names as pairs of what stands before the second dot and what behind, each written once: GPUs of many racks are alike.
Json packed_names(const std::vector<std::string>& names) {
  std::vector<std::string> stems;
  std::map<std::vector<std::string>, std::size_t> number_of;
  std::vector<std::vector<std::string>> tails;
  Json runs = Json::array();
  for (std::size_t first = 0; first < names.size();) {
    const auto stem_of = [](const std::string& name) {
      const std::size_t second = name.find('.', name.find('.') == std::string::npos ? 0 : name.find('.') + 1);
      return second == std::string::npos ? std::string() : name.substr(0, second);
    };
    const std::string stem = stem_of(names[first]);
    std::vector<std::string> tail;
    std::size_t last = first;
    for (; last < names.size() && stem_of(names[last]) == stem; ++last) tail.push_back(names[last].substr(stem.size()));
    const auto [place, is_new] = number_of.emplace(tail, tails.size());
    if (is_new) tails.push_back(tail);
    runs.push_back({stem, place->second});
    first = last;
  }
  return {{"tails", tails}, {"runs", runs}};
}

std::vector<std::string> names_of(std::span<const twin::LayoutBox> layout, std::string_view kind) {
  const bool is_pipe = std::ranges::count(twin::pipe_kinds, kind) > 0;
  std::vector<std::string> names;
  for (const twin::LayoutBox& box : layout) {
    if (box.kind != kind) continue;
    const std::string& name = is_pipe ? box.parent : box.name;
    if (!is_pipe || std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return names;
}

/// Kinds that are hidden at first: large and far away.
std::set<std::string, std::less<>> kinds_outside(std::span<const twin::LayoutBox> layout) {
  std::set<std::string, std::less<>> kinds{"tower", "chiller", "generator", "substation", "transformer"};
  for (const twin::LayoutBox& box : layout)
    if (box.parent == twin::yard_parent) kinds.insert(box.kind);
  return kinds;
}

/// Of what stands in the hall; of all, where there is nothing.
std::array<double, 6> framed_m(std::span<const twin::LayoutBox> layout) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::set<std::string, std::less<>> outside = kinds_outside(layout);
  for (const bool is_indoors : {true, false}) {
    std::array<double, 6> bounds{infinity, -infinity, infinity, -infinity, infinity, -infinity};
    for (const twin::LayoutBox& box : layout) {
      if (is_indoors && outside.contains(box.kind)) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        bounds[2 * axis] = std::min(bounds[2 * axis], box.centre_m[axis] - box.size_m[axis] / 2);
        bounds[2 * axis + 1] = std::max(bounds[2 * axis + 1], box.centre_m[axis] + box.size_m[axis] / 2);
      }
    }
    if (std::isfinite(bounds[0])) return bounds;
  }
  return {0, 1, 0, 1, 0, 1};
}

constexpr std::string_view script = R"PY(
folder = os.path.dirname(os.path.abspath(globals().get("__file__", data["state"])))


def names_of(packed):
    return [stem + tail for stem, number in packed["runs"] for tail in packed["tails"][number]]


# Names of parts as an array of cells: they show where the pointer is, in the spreadsheet and in selections.
NAMES = """
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet
import json
import re
from vtkmodules.vtkCommonCore import vtkIntArray
packed = json.loads({packed})
output = self.GetOutputDataObject(0)
output.ShallowCopy(self.GetInputDataObject(0, 0))
cells = output.NewIterator()
cells.InitTraversal()
while not cells.IsDoneWithTraversal():
    block = cells.GetCurrentMetaData().Get(vtkCompositeDataSet.NAME())
    mesh, names = cells.GetCurrentDataObject(), packed.get(block)
    if names is not None:
        array = vtkStringArray()
        array.SetName("name")
        for stem, number in names["runs"]:
            for tail in names["tails"][number]:
                array.InsertNextValue(stem + tail)
        if array.GetNumberOfValues() == mesh.GetNumberOfCells():
            copy = mesh.NewInstance()
            copy.ShallowCopy(mesh)
            copy.GetCellData().AddArray(array)
            for part in ("row", "rack", "node"):  # numbers, by which Find Data selects
                found = [re.search(r"(?:^|[.])" + part + r"_([0-9]+)(?![^.])", array.GetValue(cell))
                         for cell in range(array.GetNumberOfValues())]
                if not found or None in found:
                    continue
                column = vtkIntArray()
                column.SetName(part)
                for one in found:
                    column.InsertNextValue(int(one.group(1)))
                copy.GetCellData().AddArray(column)
            output.SetDataSet(cells, copy)
    cells.GoToNextItem()
"""

view = simple.GetActiveViewOrCreate("RenderView")
view.UseColorPaletteForBackground = 0
view.Background = [1.0, 1.0, 1.0]
view.OrientationAxesLabelColor = [0.2, 0.2, 0.2]

reader = simple.XDMFReader(registrationName=data["xdmf"], FileNames=[os.path.join(folder, data["xdmf"])])
run = simple.ProgrammableFilter(registrationName="run", Input=reader)
run.Script = NAMES.replace("{packed}", repr(json.dumps({block["name"]: block["names"] for block in data["blocks"]})))
run.CopyArrays = 1
simple.Hide(reader, view)
simple.Hide(run, view)

maps = {}
for block in data["blocks"]:
    shown = simple.ExtractBlock(registrationName=block["name"], Input=run, Selectors=["/Root/" + block["name"]])
    if block["is_pipe"]:
        lines = simple.ExtractSurface(registrationName=block["name"] + " as lines", Input=shown)
        shown = simple.Tube(registrationName=block["name"] + " as tubes", Input=lines)
        shown.Radius = 0.06
    display = simple.Show(shown, view)
    display.Representation = "Surface"
    if block["is_points"]:
        display.Representation, display.PointSize, display.RenderPointsAsSpheres = "Points", 9.0, 1
    display.AmbientColor = display.DiffuseColor = [0.75, 0.77, 0.79]
    colouring = block["colouring"]
    if colouring is None:
        display.ColorArrayName = ["CELLS", ""]
    else:
        table = maps.get(colouring["title"])
        if table is None:
            table = simple.GetColorTransferFunction(colouring["title"])
            table.RGBPoints = colouring["points"]
            table.ColorSpace = "RGB"
            table.NanColor = [0.75, 0.77, 0.79]
            table.AutomaticRescaleRangeMode = "Never"
            maps[colouring["title"]] = table
        display.ColorArrayName = ["CELLS", colouring["field"]]
        display.LookupTable = table
    if not block["is_shown"]:
        simple.Hide(shown, view)

seen = {b["colouring"]["title"] for b in data["blocks"] if b["is_shown"] and b["colouring"]}
for title, table in maps.items():
    bar = simple.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = title, ""
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    bar.WindowLocation = "Any Location"
    bar.Position = [0.92 - 0.08 * sorted(seen | {title}).index(title), 0.28]
    bar.ScalarBarLength = 0.4
    bar.TitleFontSize = bar.LabelFontSize = 12
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = "%.1f" if title.startswith("loading") else "%.0f"
    bar.Visibility = int(title in seen)

text = simple.Text(registrationName="title", Text=data["title"])
label = simple.Show(text, view)
label.Color, label.WindowLocation, label.FontSize = [0.1, 0.1, 0.1], "Upper Left Corner", 14
# Expressions know the time that is shown as t_value. ParaView divides them at the word "and" and reads braces as formats of its own: words of
# events are encoded. A name is seen only where it is an argument.
CLOCK = ("(lambda t: '%.0f s, ' % t + (__import__('datetime').datetime.fromisoformat('START') + "
         "__import__('datetime').timedelta(seconds=t)).strftime('%Y-%m-%d %H:%M:%S'))(t_value)")
EVENTS = ("(lambda t, events: '\\n'.join([words for at, words in events if at <= t][-8:]) or ' ')"
          "(t_value, __import__('json').loads(__import__('base64').b64decode('EVENTS')))")


def annotation(name, expression, place, size):
    source = simple.PythonAnnotation(registrationName=name, Input=reader)
    source.ArrayAssociation = "Cell Data"
    source.Expression = expression
    label = simple.Show(source, view)
    label.Color, label.WindowLocation, label.FontSize = [0.1, 0.1, 0.1], place, size


annotation("time", CLOCK.replace("START", data["start"]), "Lower Left Corner", 14)
encoded = base64.b64encode(json.dumps(data["events"]).encode()).decode()
annotation("events", EVENTS.replace("'EVENTS'", repr(encoded)), "Lower Right Corner", 9)

simple.Render(view)  # the first time it looks at everything; from here on the camera stays where it is put
bounds = data["bounds"]
middle = [(bounds[k] + bounds[k + 1]) / 2 for k in (0, 2, 4)]
size = [bounds[k + 1] - bounds[k] for k in (0, 2, 4)]
width = 0.86 * size[0] + 0.5 * size[1]
height = 0.3 * size[0] + 0.52 * size[1] + 0.8 * size[2]
reach = 2.0 * builtins.max(size)  # annotations may have put functions of arrays in the place of those of Python
view.CameraParallelProjection = 1
aside = 0.17 * width  # room for the scales on the right
middle = [middle[0] + 0.868 * aside, middle[1] - 0.496 * aside, middle[2]]
view.CameraFocalPoint = middle
view.CameraPosition = [middle[0] - 0.4 * reach, middle[1] - 0.7 * reach, middle[2] + 0.6 * reach]
view.CameraViewUp = [0.0, 0.0, 1.0]
view.CameraParallelScale = 0.58 * builtins.max(height, 1.2 * width / 1.5)
scene = simple.GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.AnimationTime = data["time"]
simple.SetActiveSource(run)
simple.Render(view)
)PY";

}  // namespace

std::filesystem::path state_path(const std::filesystem::path& xdmf) {
  return xdmf.parent_path() / (xdmf.stem().string() + ".pvstate.py");
}

std::string paraview_state(const XdmfDocument& document, std::span<const twin::LayoutBox> layout,
                           const std::filesystem::path& xdmf, const StateOfRun& run) {
  std::map<std::string, std::string> kind_of;  // of blocks, named by the plural
  for (const twin::LayoutBox& box : layout) kind_of[box.kind.ends_with('s') ? box.kind : box.kind + "s"] = box.kind;
  const std::set<std::string, std::less<>> outside = kinds_outside(layout);
  Json blocks = Json::array();
  for (const XdmfBlock& block : document.blocks) {
    const std::string kind = kind_of.contains(block.name) ? kind_of.at(block.name) : block.name;
    const bool is_points = block.cells == XdmfBlock::Cells::points;
    blocks.push_back({{"name", block.name},
                      {"is_pipe", block.cells == XdmfBlock::Cells::polylines},
                      {"is_points", is_points},
                      {"is_shown", block.name != "gpus" && !is_points && !outside.contains(kind)},
                      {"colouring", colouring_of(block)},
                      {"names", packed_names(is_points ? block.names : names_of(layout, kind))}});
  }
  Json events = Json::array();
  for (const auto& [time_s, words] : run.events) events.push_back({time_s, words});
  const Json data{{"title", run.title}, {"start", run.start_iso},     {"time", run.shown_s},
                  {"events", events},   {"bounds", framed_m(layout)}, {"blocks", blocks}};
  const std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  return fmt::format(
      "# Written by wattloop export. Opens a run in ParaView 5.11: paraview --state={}, or File, Load State.\n"
      "import base64\nimport builtins\nimport json\nimport os\n\nfrom paraview import simple\n\ndata = json.loads({})\n"
      "data.update(xdmf={}, state={})\n{}",
      comment_text(shell_file(state_path(xdmf).filename().string())), python_text(json),
      python_text(xdmf.filename().string()),
      python_text(std::filesystem::absolute(state_path(xdmf)).lexically_normal().string()), script);
}

}  // namespace wattloop::viz
