#include "include/cv_raster.h"
#include "guarded.hpp"
#include <opencv2/imgproc.hpp>

int tcv_rgb_to_gray(const uint8_t *rgb, int width, int height, uint8_t *gray) {
    return guarded([&] {
        if (!rgb || !gray || width <= 0 || height <= 0) return int(TCV_E_ARGUMENT);
        const cv::Mat from(height, width, CV_8UC3, const_cast<uint8_t *>(rgb));
        cv::Mat to(height, width, CV_8UC1, gray);
        cv::cvtColor(from, to, cv::COLOR_RGB2GRAY);
        return int(TCV_OK);
    });
}
