#include "viz/pages/picture.hpp"

#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <vector>

#include "viz/drawing/paint_drawing.hpp"
#include "viz/drawing/virtual_display.hpp"
#include "viz/hall/paint_hall.hpp"

namespace wattloop::viz {

namespace {

constexpr int samples_per_pixel = 8;

}  // namespace

Image pixels_of(vtkRenderWindow& window, int width, int height) {
  vtkNew<vtkUnsignedCharArray> bytes;
  constexpr int back_buffer = 0;
  window.GetPixelData(0, 0, width - 1, height - 1, back_buffer, bytes);
  Image image{width, height, std::vector<Colour>(std::size_t(width) * std::size_t(height))};
  const unsigned char* byte = bytes->GetPointer(0);
  for (Colour& pixel : image.pixels) {
    pixel = {byte[0], byte[1], byte[2], 255};
    byte += 3;
  }
  return image;
}

Image draw_picture(const Page& page, const Scene& scene) {
  const VirtualDisplay display;  // outlives the window
  const int width = int(page.area.width), height = int(page.area.height);
  vtkNew<vtkRenderWindow> window;
  window->SetOffScreenRendering(1);
  window->SetSize(width, height);
  window->SetMultiSamples(samples_per_pixel);
  window->SetNumberOfLayers(2);

  vtkNew<vtkRenderer> paper, hall, outdoors, writing;
  for (vtkRenderer* background : {paper.Get(), hall.Get(), outdoors.Get()}) background->SetBackground(1.0, 1.0, 1.0);
  if (page.camera) paint_hall(*hall, scene, *page.camera, page.area);
  if (page.outdoors) paint_hall(*outdoors, scene.outdoor_scene(), *page.outdoors, page.area);
  paint_drawing(*writing, page.drawing);
  writing->SetLayer(1);
  std::vector<vtkRenderer*> layers{paper};
  if (page.camera) layers.push_back(hall);
  if (page.outdoors) layers.push_back(outdoors);
  layers.push_back(writing);
  for (vtkRenderer* renderer : layers) window->AddRenderer(renderer);
  window->Render();
  return pixels_of(*window, width, height);
}

}  // namespace wattloop::viz
