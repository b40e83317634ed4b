// Loaded before a program so that the disk is full for files that are not whole yet: those of a name that ends in ".partial".
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

extern "C" ssize_t write(int descriptor, const void* bytes, size_t size) {
  std::array<char, 4096> file{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  if (readlink(link.c_str(), file.data(), file.size() - 1) > 0 && std::string(file.data()).ends_with(".partial")) {
    errno = ENOSPC;
    return -1;
  }
  return reinterpret_cast<ssize_t (*)(int, const void*, size_t)>(dlsym(RTLD_NEXT, "write"))(descriptor, bytes, size);
}
