// A drawing through VTK's two-dimensional painter.
#include <vtkBrush.h>
#include <vtkContext2D.h>
#include <vtkContextActor.h>
#include <vtkContextItem.h>
#include <vtkContextScene.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkPoints2D.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <cmath>

#include "viz/drawing/paint_drawing.hpp"

namespace wattloop::viz {
namespace {

vtkNew<vtkPoints2D> points_of(const std::vector<Point>& points) {
  vtkNew<vtkPoints2D> copy;
  copy->SetNumberOfPoints(vtkIdType(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) copy->SetPoint(vtkIdType(i), points[i].x, points[i].y);
  return copy;
}

void paint(vtkContext2D& painter, const Stroke& stroke) {
  if (stroke.points.size() < 2) return;
  const Colour& c = stroke.colour;
  painter.GetPen()->SetColor(c.red, c.green, c.blue, c.opacity);
  painter.GetPen()->SetWidth(float(stroke.width));
  painter.GetPen()->SetLineType(stroke.is_dashed ? vtkPen::DASH_LINE : vtkPen::SOLID_LINE);
  painter.DrawPoly(points_of(stroke.points));
}

void paint(vtkContext2D& painter, const Polygon& polygon) {
  const Colour& c = polygon.colour;
  painter.GetPen()->SetLineType(vtkPen::NO_PEN);
  painter.GetBrush()->SetColor(c.red, c.green, c.blue, c.opacity);
  painter.DrawPolygon(points_of(polygon.points));
}

/// Texts are controllers of their own: the painter's own texts show seams at their edges.
void paint(vtkRenderer& renderer, const Text& text) {
  vtkNew<vtkTextActor> controller;
  controller->SetInput(text.text.c_str());
  controller->SetTextScaleModeToNone();
  vtkTextProperty* look = controller->GetTextProperty();
  look->SetFontFamilyToArial();
  look->SetFontSize(int(std::lround(text.size)));
  look->SetBold(text.is_bold);
  look->SetColor(text.colour.red / 255.0, text.colour.green / 255.0, text.colour.blue / 255.0);
  look->SetOpacity(text.colour.opacity / 255.0);
  look->SetVerticalJustificationToBottom();
  look->SetJustification(text.align == Align::left     ? VTK_TEXT_LEFT
                         : text.align == Align::centre ? VTK_TEXT_CENTERED
                                                       : VTK_TEXT_RIGHT);
  // From the middle of the capitals down to the bottom of the letters; whole pixels keep the letters sharp.
  const double drop = 0.58 * text.size;
  const Point at = text.is_upright ? Point{text.at.x + drop, text.at.y} : Point{text.at.x, text.at.y - drop};
  if (text.is_upright) look->SetOrientation(90.0);
  controller->SetPosition(double(std::lround(at.x)), double(std::lround(at.y)));
  renderer.AddActor2D(controller);
}

class DrawingItem : public vtkContextItem {
 public:
  static DrawingItem* New();
  vtkTypeMacro(DrawingItem, vtkContextItem)

      bool Paint(vtkContext2D* painter) override {
    for (const auto& shape : drawing.shapes) {
      if (const auto* stroke = std::get_if<Stroke>(&shape)) paint(*painter, *stroke);
      if (const auto* polygon = std::get_if<Polygon>(&shape)) paint(*painter, *polygon);
    }
    return true;
  }

  Drawing drawing;
};

vtkStandardNewMacro(DrawingItem)

}  // namespace

void paint_drawing(vtkRenderer& renderer, const Drawing& drawing) {
  vtkNew<DrawingItem> item;
  item->drawing = drawing;
  vtkNew<vtkContextActor> controller;
  controller->GetScene()->AddItem(item);
  renderer.AddActor(controller);
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) paint(renderer, *text);
}

}  // namespace wattloop::viz
