#include "include/cv_round.h"
#include "guarded.hpp"
#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// The weighted sum of the channels over the largest channel, −1…1 mapped to 0…255.
cv::Mat planeOf(const cv::Mat &colour, const tcv_round_cut &cut) {
    cv::Mat plane(colour.size(), CV_8U);
    for (int y = 0; y < colour.rows; y++) {
        const cv::Vec3b *from = colour.ptr<cv::Vec3b>(y);
        uint8_t *to = plane.ptr<uint8_t>(y);
        for (int x = 0; x < colour.cols; x++) {
            const cv::Vec3b &p = from[x];
            const double sum = cut.way[0] * p[0] + cut.way[1] * p[1] + cut.way[2] * p[2];
            to[x] = cv::saturate_cast<uint8_t>(128 + 127 * sum / (std::max({p[0], p[1], p[2]}) + cut.floor));
        }
    }
    return plane;
}

bool regionOf(const std::vector<cv::Point> &outline, const tcv_round_cut &cut, double scale, tcv_round_region &region) {
    const cv::Rect box = cv::boundingRect(outline);
    if (std::min(box.width, box.height) < cut.least_side || std::max(box.width, box.height) > cut.most_side) return false;
    std::vector<cv::Point> hull;
    cv::convexHull(outline, hull);
    if (hull.size() < 5) return false;
    const cv::RotatedRect ellipse = cv::fitEllipse(hull);
    const double a = std::max(ellipse.size.width, ellipse.size.height) / 2, b = std::min(ellipse.size.width, ellipse.size.height) / 2;
    const double around = cv::contourArea(hull);
    if (!(a > 0 && b > 0 && around > 0)) return false;
    region.x = (ellipse.center.x + 0.5) * scale - 0.5, region.y = (ellipse.center.y + 0.5) * scale - 0.5;
    region.longer = a * scale, region.shorter = b * scale;
    region.fill = around / (CV_PI * a * b), region.solid = cv::contourArea(outline) / around;
    return true;
}
} // namespace

int tcv_round_regions(const uint8_t *pixels, int width, int height, int channels, const tcv_round_cut *cut, tcv_round_region *found,
                      int capacity, int *count) {
    return guarded([&] {
        if (!pixels || !cut || !cut->offsets || cut->offset_count < 1 || !found || !count || capacity < 1 || width < 16 || height < 16 ||
            (channels != 1 && channels != 3) || cut->long_side < 64 || cut->least_side < 1)
            return int(TCV_E_ARGUMENT);
        *count = 0;
        if (channels == 1) return int(TCV_OK);
        const cv::Mat given(height, width, CV_8UC3, const_cast<uint8_t *>(pixels));
        const double scale = std::max(width, height) / double(cut->long_side);
        cv::Mat work, mask;
        cv::resize(given, work, cv::Size(std::max(1, cvRound(width / scale)), std::max(1, cvRound(height / scale))), 0, 0, scale > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        const cv::Mat plane = planeOf(work, *cut);
        const double middle = cv::threshold(plane, mask, 0, 255, cv::THRESH_BINARY_INV | cv::THRESH_OTSU);
        std::vector<std::vector<cv::Point>> outlines;
        for (int k = 0; k < cut->offset_count; k++) {
            cv::threshold(plane, mask, middle + cut->offsets[k], 255, cv::THRESH_BINARY_INV);
            cv::findContours(mask, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
            for (const auto &outline : outlines)
                if (*count < capacity && regionOf(outline, *cut, scale, found[*count])) (*count)++;
        }
        return int(TCV_OK);
    });
}
