#include "include/cv_raster.h"
#include "guarded.hpp"
#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

namespace {
int type(int channels) { return channels == 3 ? CV_8UC3 : CV_8UC1; }
bool sized(const void *a, const void *b, int width, int height) { return a && b && width > 0 && height > 0; }
cv::Mat view(const uint8_t *bytes, int width, int height, int channels) {
    return cv::Mat(height, width, type(channels), const_cast<uint8_t *>(bytes));
}
} // namespace

int tcv_rgb_to_gray(const uint8_t *rgb, int width, int height, uint8_t *gray) {
    return guarded([&] {
        if (!sized(rgb, gray, width, height)) return int(TCV_E_ARGUMENT);
        cv::Mat to = view(gray, width, height, 1);
        cv::cvtColor(view(rgb, width, height, 3), to, cv::COLOR_RGB2GRAY);
        return int(TCV_OK);
    });
}

int tcv_words_to_rgb(const uint32_t *words, int words_per_line, int width, int height, uint8_t *rgb) {
    return guarded([&] {
        if (!sized(words, rgb, width, height) || words_per_line < width) return int(TCV_E_ARGUMENT);
        // On a little-endian machine a word lies in memory as alpha, blue, green, red.
        const cv::Mat from(height, width, CV_8UC4, const_cast<uint32_t *>(words), size_t(words_per_line) * 4);
        cv::Mat to = view(rgb, width, height, 3);
        const int pairs[] = {3, 0, 2, 1, 1, 2};
        cv::mixChannels(&from, 1, &to, 1, pairs, 3);
        return int(TCV_OK);
    });
}

int tcv_rgb_to_words(const uint8_t *rgb, int width, int height, uint32_t *words, int words_per_line) {
    return guarded([&] {
        if (!sized(rgb, words, width, height) || words_per_line < width) return int(TCV_E_ARGUMENT);
        const cv::Mat from = view(rgb, width, height, 3);
        cv::Mat to(height, width, CV_8UC4, words, size_t(words_per_line) * 4);
        to.setTo(cv::Scalar(255, 255, 255, 255));
        const int pairs[] = {0, 3, 1, 2, 2, 1};
        cv::mixChannels(&from, 1, &to, 1, pairs, 3);
        return int(TCV_OK);
    });
}

int tcv_upright(const uint8_t *from, int width, int height, int channels, int orientation, uint8_t *to) {
    return guarded([&] {
        if (!sized(from, to, width, height) || orientation < 1 || orientation > 8) return int(TCV_E_ARGUMENT);
        const cv::Mat source = view(from, width, height, channels);
        const bool swaps = orientation >= 5;
        cv::Mat target = view(to, swaps ? height : width, swaps ? width : height, channels);
        cv::Mat turned;
        switch (orientation) {
        case 2: cv::flip(source, turned, 1); break;
        case 3: cv::flip(source, turned, -1); break;
        case 4: cv::flip(source, turned, 0); break;
        case 5: cv::transpose(source, turned); break;
        case 6: cv::rotate(source, turned, cv::ROTATE_90_CLOCKWISE); break;
        case 7: cv::transpose(source, turned), cv::flip(turned, turned, -1); break;
        case 8: cv::rotate(source, turned, cv::ROTATE_90_COUNTERCLOCKWISE); break;
        default: turned = source;
        }
        turned.copyTo(target);
        return int(TCV_OK);
    });
}

int tcv_shrink(const uint8_t *from, int width, int height, int channels, uint8_t *to, int to_width, int to_height) {
    return guarded([&] {
        if (!sized(from, to, width, height) || to_width <= 0 || to_height <= 0) return int(TCV_E_ARGUMENT);
        cv::Mat target = view(to, to_width, to_height, channels);
        cv::resize(view(from, width, height, channels), target, target.size(), 0, 0, cv::INTER_AREA);
        return int(TCV_OK);
    });
}

int tcv_draw_outline(uint8_t *rgb, int width, int height, const double *corners, int count, const uint8_t colour[3],
                     int thickness) {
    return guarded([&] {
        if (!sized(rgb, corners, width, height) || count < 2) return int(TCV_E_ARGUMENT);
        // Sixteenths of a pixel, so that slanted outlines are smooth.
        std::vector<cv::Point> points;
        for (int i = 0; i < count; i++)
            points.emplace_back(cvRound(corners[2 * i] * 16), cvRound(corners[2 * i + 1] * 16));
        cv::Mat to = view(rgb, width, height, 3);
        cv::polylines(to, points, true, cv::Scalar(colour[0], colour[1], colour[2]), thickness, cv::LINE_AA, 4);
        return int(TCV_OK);
    });
}

int tcv_draw_caption(uint8_t *rgb, int width, int height, const char *text, int x, int y, const uint8_t ground[3],
                     double scale) {
    return guarded([&] {
        if (!sized(rgb, text, width, height)) return int(TCV_E_ARGUMENT);
        const int font = cv::FONT_HERSHEY_SIMPLEX;
        const int thickness = std::max(1, cvRound(scale * 1.8));
        const int pad = std::max(2, cvRound(scale * 5));
        int below = 0;
        std::string line = text;
        cv::Size size = cv::getTextSize(line, font, scale, thickness, &below);
        while (line.size() > 4 && size.width + 2 * pad > width) {
            line = line.substr(0, line.size() - 4) + "..";
            size = cv::getTextSize(line, font, scale, thickness, &below);
        }
        const int full = size.height + below + 2 * pad;
        const int left = std::clamp(x, 0, std::max(0, width - size.width - 2 * pad));
        const int top = std::clamp(y - full, 0, std::max(0, height - full));
        cv::Mat to = view(rgb, width, height, 3);
        const cv::Scalar fill(ground[0], ground[1], ground[2]);
        cv::rectangle(to, cv::Rect(left, top, size.width + 2 * pad, full), fill, cv::FILLED);
        const bool dark = 0.3 * ground[0] + 0.59 * ground[1] + 0.11 * ground[2] < 140;
        cv::putText(to, line, {left + pad, top + pad + size.height}, font, scale,
                    dark ? cv::Scalar(255, 255, 255) : cv::Scalar(0, 0, 0), thickness, cv::LINE_AA);
        return int(TCV_OK);
    });
}
