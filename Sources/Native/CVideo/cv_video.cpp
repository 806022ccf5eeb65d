#include "include/cv_video.h"
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <opencv2/core.hpp>
#include <string>

// cv::VideoCapture of OpenCV 4, called by its exported symbol names. Its C functions do not support files ("doesn't
// support legacy API"). Under the Itanium ABI a member function takes `this` first. The object has a vtable, two
// shared pointers and a bool, 41 bytes in all; twelve times that size is reserved.
struct tcv_video {
    void *library = nullptr;
    alignas(16) unsigned char capture[512] = {};
    bool isMade = false;
    void (*destroy)(void *) = nullptr;
    bool (*isOpened)(const void *) = nullptr;
    bool (*read)(void *, const cv::_OutputArray &) = nullptr;
    double (*property)(const void *, int) = nullptr;
    cv::Mat frame;

    ~tcv_video() {
        if (isMade) destroy(capture);
        // The library stays open, because its threads may outlive a dlclose.
    }
};

namespace {
const int anyBackend = 0, positionMilliseconds = 0, framesASecond = 5; // cv::CAP_ANY, CAP_PROP_POS_MSEC, CAP_PROP_FPS

const char *const libraryName = "libopencv_videoio.so.406";

template <typename Function> bool find(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}
} // namespace

int tcv_video_present(void) {
    void *library = dlopen(libraryName, RTLD_LAZY | RTLD_LOCAL);
    if (library) dlclose(library);
    return library != nullptr;
}

tcv_video *tcv_video_open(const char *path, int camera, double *fps, char *reason) {
    std::unique_ptr<tcv_video> video(new tcv_video);
    video->library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
    if (!video->library) {
        std::snprintf(reason, 256, "no libopencv_videoio: install it with sudo apt-get install libopencv-videoio406");
        return nullptr;
    }
    void (*openFile)(void *, const std::string &, int) = nullptr;
    void (*openCamera)(void *, int, int) = nullptr;
    if (!find(video->library, "_ZN2cv12VideoCaptureC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEi", openFile) ||
        !find(video->library, "_ZN2cv12VideoCaptureC1Eii", openCamera) ||
        !find(video->library, "_ZN2cv12VideoCaptureD1Ev", video->destroy) ||
        !find(video->library, "_ZNK2cv12VideoCapture8isOpenedEv", video->isOpened) ||
        !find(video->library, "_ZN2cv12VideoCapture4readERKNS_12_OutputArrayE", video->read) ||
        !find(video->library, "_ZNK2cv12VideoCapture3getEi", video->property)) {
        std::snprintf(reason, 256, "libopencv_videoio is not the one of version 4.6: install libopencv-videoio406");
        return nullptr;
    }
    try {
        if (path) openFile(video->capture, path, anyBackend); else openCamera(video->capture, camera, anyBackend);
        video->isMade = true;
        if (video->isOpened(video->capture)) {
            *fps = video->property(video->capture, framesASecond);
            return video.release();
        }
    } catch (...) {
    }
    std::snprintf(reason, 256, path ? "no video that can be played" : "no camera that can be opened");
    return nullptr;
}

int tcv_video_next(tcv_video *video, const uint8_t **pixels, int *width, int *height, int *stride, double *milliseconds) {
    if (!video || !video->isMade) return 0;
    try {
        *milliseconds = video->property(video->capture, positionMilliseconds);
        if (!video->read(video->capture, video->frame) || video->frame.type() != CV_8UC3) return 0;
        *pixels = video->frame.data;
        *width = video->frame.cols;
        *height = video->frame.rows;
        *stride = int(video->frame.step);
        return 1;
    } catch (...) {
        return 0;
    }
}

void tcv_video_close(tcv_video *video) { delete video; }
