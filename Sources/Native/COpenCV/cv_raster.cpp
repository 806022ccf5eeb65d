#include "include/cv_raster.h"
#include "guarded.hpp"
#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {

cv::Scalar colour(uint32_t rgb) { return cv::Scalar(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255); }

bool isRaster(const void *bytes, int width, int height) { return bytes && width > 0 && height > 0; }

/// EXIF 2.32, tag 274: the position of the stored row 0 and column 0 in the upright picture.
void turn(const cv::Mat &from, int orientation, cv::Mat &to) {
    cv::Mat transposed;
    switch (orientation) {
    case 2: cv::flip(from, to, 1); break;
    case 3: cv::flip(from, to, -1); break;
    case 4: cv::flip(from, to, 0); break;
    case 5: cv::transpose(from, to); break;
    case 6:
        cv::transpose(from, transposed);
        cv::flip(transposed, to, 1);
        break;
    case 7:
        cv::transpose(from, transposed);
        cv::flip(transposed, to, -1);
        break;
    case 8:
        cv::transpose(from, transposed);
        cv::flip(transposed, to, 0);
        break;
    default: from.copyTo(to);
    }
}

} // namespace

int tcv_rgb_to_gray(const uint8_t *rgb, int width, int height, uint8_t *gray) {
    return guarded([&] {
        if (!isRaster(rgb, width, height) || !gray) return int(TCV_E_ARGUMENT);
        const cv::Mat from(height, width, CV_8UC3, const_cast<uint8_t *>(rgb));
        cv::Mat to(height, width, CV_8UC1, gray);
        cv::cvtColor(from, to, cv::COLOR_RGB2GRAY);
        return int(TCV_OK);
    });
}

int tcv_blend_on_white(uint8_t *rgba, int width, int height, size_t stride, int is_multiplied) {
    return guarded([&] {
        if (!isRaster(rgba, width, height) || stride < size_t(width) * 4) return int(TCV_E_ARGUMENT);
        cv::Mat all(height, width, CV_8UC4, rgba, stride);
        const int rows = 64; // strips, because the channels of a whole picture would double the memory
        std::vector<cv::Mat> planes;
        for (int top = 0; top < height; top += rows) {
            cv::Mat strip = all.rowRange(top, std::min(top + rows, height));
            cv::split(strip, planes);
            for (int channel = 0; channel < 3; ++channel) {
                if (is_multiplied) {
                    cv::add(planes[channel], cv::Scalar(255) - planes[3], planes[channel]);
                    continue;
                }
                cv::bitwise_not(planes[channel], planes[channel]);
                cv::multiply(planes[channel], planes[3], planes[channel], 1.0 / 255);
                cv::bitwise_not(planes[channel], planes[channel]);
            }
            planes[3].setTo(255);
            cv::merge(planes, strip);
        }
        return int(TCV_OK);
    });
}

int tcv_whiten(uint8_t *gray, int width, int height, size_t stride, int value) {
    return guarded([&] {
        if (!isRaster(gray, width, height) || stride < size_t(width)) return int(TCV_E_ARGUMENT);
        cv::Mat all(height, width, CV_8UC1, gray, stride);
        all.setTo(255, all == value);
        return int(TCV_OK);
    });
}

int tcv_upright(const uint8_t *pixels, int width, int height, int channels, size_t stride, int orientation,
                uint8_t *upright, int to_width, int to_height, int to_channels) {
    return guarded([&] {
        if (!isRaster(pixels, width, height) || !isRaster(upright, to_width, to_height)) return int(TCV_E_ARGUMENT);
        if ((channels != 1 && channels != 3 && channels != 4) || stride < size_t(width) * channels)
            return int(TCV_E_ARGUMENT);
        if (to_channels != 1 && to_channels != 3) return int(TCV_E_ARGUMENT);
        cv::Mat work(height, width, CV_8UC(channels), const_cast<uint8_t *>(pixels), stride);
        const cv::Size stored = orientation >= 5 ? cv::Size(to_height, to_width) : cv::Size(to_width, to_height);
        if (work.size() != stored) {
            cv::Mat scaled;
            cv::resize(work, scaled, stored, 0, 0, cv::INTER_AREA);
            work = scaled;
        }
        if (channels != to_channels) {
            const int code = to_channels == 1   ? (channels == 3 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGBA2GRAY)
                             : channels == 1 ? cv::COLOR_GRAY2RGB
                                             : cv::COLOR_RGBA2RGB;
            cv::Mat converted;
            cv::cvtColor(work, converted, code);
            work = converted;
        }
        cv::Mat to(to_height, to_width, CV_8UC(to_channels), upright);
        turn(work, orientation, to);
        return to.data == upright ? int(TCV_OK) : int(TCV_E_ARGUMENT); // OpenCV reallocates a buffer of the wrong size
    });
}

int tcv_resize(const uint8_t *from, int width, int height, int channels, uint8_t *to, int to_width, int to_height) {
    return guarded([&] {
        if (!isRaster(from, width, height) || !isRaster(to, to_width, to_height) || (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        const cv::Mat source(height, width, CV_8UC(channels), const_cast<uint8_t *>(from));
        cv::Mat target(to_height, to_width, CV_8UC(channels), to);
        cv::resize(source, target, target.size(), 0, 0, cv::INTER_AREA);
        return int(TCV_OK);
    });
}

int tcv_to_rgba(const uint8_t *from, int width, int height, int channels, uint8_t *rgba, size_t stride) {
    return guarded([&] {
        if (!isRaster(from, width, height) || !rgba || (channels != 1 && channels != 3) || stride < size_t(width) * 4)
            return int(TCV_E_ARGUMENT);
        const cv::Mat source(height, width, CV_8UC(channels), const_cast<uint8_t *>(from));
        cv::Mat target(height, width, CV_8UC4, rgba, stride);
        cv::cvtColor(source, target, channels == 1 ? cv::COLOR_GRAY2RGBA : cv::COLOR_RGB2RGBA);
        return int(TCV_OK);
    });
}

int tcv_draw_lines(uint8_t *raster, int width, int height, const int32_t *points, int count, uint32_t rgb,
                   int thickness) {
    return guarded([&] {
        if (!isRaster(raster, width, height) || !points || count < 1 || thickness < 1) return int(TCV_E_ARGUMENT);
        cv::Mat image(height, width, CV_8UC3, raster);
        for (int index = 0; index < count; ++index) {
            const int32_t *ends = points + 4 * index;
            cv::line(image, cv::Point(ends[0], ends[1]), cv::Point(ends[2], ends[3]), colour(rgb), thickness,
                     cv::LINE_AA);
        }
        return int(TCV_OK);
    });
}

int tcv_draw_disc(uint8_t *raster, int width, int height, int x, int y, int radius, uint32_t rgb) {
    return guarded([&] {
        if (!isRaster(raster, width, height) || radius < 1) return int(TCV_E_ARGUMENT);
        cv::Mat image(height, width, CV_8UC3, raster);
        cv::circle(image, cv::Point(x, y), radius, colour(rgb), cv::FILLED, cv::LINE_AA);
        return int(TCV_OK);
    });
}

int tcv_text_size(const char *text, double scale, int thickness, int *text_width, int *ascent, int *descent) {
    return guarded([&] {
        if (!text || !text_width || !ascent || !descent) return int(TCV_E_ARGUMENT);
        const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, scale, thickness, descent);
        *text_width = size.width;
        *ascent = size.height;
        return int(TCV_OK);
    });
}

int tcv_draw_text(uint8_t *raster, int width, int height, const char *text, int x, int y, double scale, int thickness,
                  uint32_t rgb) {
    return guarded([&] {
        if (!isRaster(raster, width, height) || !text) return int(TCV_E_ARGUMENT);
        cv::Mat image(height, width, CV_8UC3, raster);
        cv::putText(image, text, cv::Point(x, y), cv::FONT_HERSHEY_SIMPLEX, scale, colour(rgb), thickness, cv::LINE_AA);
        return int(TCV_OK);
    });
}
