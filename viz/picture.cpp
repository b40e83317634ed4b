#include "viz/picture.hpp"

#include <fmt/core.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkWindowToImageFilter.h>

#include "core/problem.hpp"
#include "viz/page.hpp"
#include "viz/paint.hpp"
#include "viz/virtual_display.hpp"

namespace wattloop::viz {
namespace {

constexpr int samples_per_pixel = 8;

void write_page(const Page& page, const Scene& scene, const std::filesystem::path& file) {
  vtkNew<vtkRenderWindow> window;
  window->SetOffScreenRendering(1);
  window->SetSize(int(page.area.width), int(page.area.height));
  window->SetMultiSamples(samples_per_pixel);
  window->SetNumberOfLayers(2);

  vtkNew<vtkRenderer> paper;
  paper->SetBackground(1.0, 1.0, 1.0);
  window->AddRenderer(paper);
  vtkNew<vtkRenderer> hall;
  hall->SetBackground(1.0, 1.0, 1.0);
  window->AddRenderer(hall);
  paint_hall(*hall, scene, page.camera, page.area);
  vtkNew<vtkRenderer> writing;
  writing->SetLayer(1);
  window->AddRenderer(writing);
  paint_drawing(*writing, page.drawing);
  window->Render();

  vtkNew<vtkWindowToImageFilter> image;
  image->SetInput(window);
  image->SetInputBufferTypeToRGB();
  image->ReadFrontBufferOff();
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputConnection(image->GetOutputPort());
  writer->SetFileName(file.c_str());
  writer->Write();
  if (writer->GetErrorCode() != 0) throw FileError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace

void write_picture(const Scene& scene, const Timeline& timeline, PictureSize size, const std::filesystem::path& file) {
  const Page page = compose_page(scene, timeline, size.width, size.height);
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  if (error) throw FileError(fmt::format("{}: {}", file.parent_path().string(), error.message()));

  const VirtualDisplay display;
  const std::filesystem::path unfinished = file.string() + ".partial";
  write_page(page, scene, unfinished);
  std::filesystem::rename(unfinished, file, error);
  if (error) throw FileError(fmt::format("{}: {}", file.string(), error.message()));
}

}  // namespace wattloop::viz
