#include "viz/drawing/image.hpp"

#include <fmt/core.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <fstream>

#include "core/text/problem.hpp"
#include "twin/platform/whole_file.hpp"

namespace wattloop::viz {

void write_png(const Image& image, const std::filesystem::path& file, std::span<const twin::PictureText> texts) {
  twin::WholeFile out(file);
  vtkNew<vtkImageData> data;
  data->SetDimensions(image.width, image.height, 1);
  data->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto* bytes = static_cast<unsigned char*>(data->GetScalarPointer());
  for (const Colour& pixel : image.pixels) {
    *bytes++ = pixel.red;
    *bytes++ = pixel.green;
    *bytes++ = pixel.blue;
  }
  vtkNew<vtkPNGWriter> writer;  // into memory: what a disk refuses is reported by us, once
  writer->SetInputData(data);
  writer->WriteToMemoryOn();
  writer->Write();
  vtkUnsignedCharArray& png = *writer->GetResult();
  out.write(twin::png_with_texts(
      {reinterpret_cast<const char*>(png.GetPointer(0)), std::size_t(png.GetNumberOfValues())}, texts));
  out.finish();
}

Image read_png(const std::filesystem::path& file) {
  vtkNew<vtkPNGReader> reader;
  if (!std::ifstream(file) || reader->CanReadFile(file.c_str()) == 0)
    throw FileError(fmt::format("{}: not a PNG file", file.string()));
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkImageData& data = *reader->GetOutput();
  if (data.GetNumberOfScalarComponents() != 3 || data.GetScalarType() != VTK_UNSIGNED_CHAR)
    throw FileError(fmt::format("{}: not an image of red, green and blue", file.string()));
  Image image{data.GetDimensions()[0], data.GetDimensions()[1], {}};
  const auto* bytes = static_cast<const unsigned char*>(data.GetScalarPointer());
  image.pixels.resize(std::size_t(image.width) * std::size_t(image.height));
  for (Colour& pixel : image.pixels) {
    pixel = {bytes[0], bytes[1], bytes[2], 255};
    bytes += 3;
  }
  return image;
}

}  // namespace wattloop::viz
