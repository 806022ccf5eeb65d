#include "include/cv_marks.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <vector>

struct tcv_marks {
    cv::Mat work;        // 8UC3, R G B, lightly smoothed
    cv::Mat grey;
    double scale = 1;    // raster pixels per working pixel
};

namespace {
cv::Vec3d medianOf(std::vector<cv::Vec3b> &colours) {
    cv::Vec3d result;
    for (int c = 0; c < 3; c++) {
        std::nth_element(colours.begin(), colours.begin() + long(colours.size() / 2), colours.end(),
                         [c](const cv::Vec3b &a, const cv::Vec3b &b) { return a[c] < b[c]; });
        result[c] = colours[colours.size() / 2][c];
    }
    return result;
}

double apart(const cv::Vec3d &a, const cv::Vec3d &b) {
    return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

/// Colours on the ellipse enlarged by `growth`; fewer than `count` if it leaves the picture.
std::vector<cv::Vec3b> onRing(const cv::Mat &image, const cv::RotatedRect &ellipse, double growth, int count) {
    std::vector<cv::Vec3b> colours;
    const double turn = ellipse.angle * CV_PI / 180;
    for (int k = 0; k < count; k++) {
        const double t = 2 * CV_PI * k / count;
        const double u = ellipse.size.width / 2 * growth * std::cos(t), v = ellipse.size.height / 2 * growth * std::sin(t);
        const int x = cvRound(ellipse.center.x + u * std::cos(turn) - v * std::sin(turn));
        const int y = cvRound(ellipse.center.y + u * std::sin(turn) + v * std::cos(turn));
        if (x >= 0 && y >= 0 && x < image.cols && y < image.rows) colours.push_back(image.at<cv::Vec3b>(y, x));
    }
    return colours;
}

/// Mean distance of the outline from the ellipse, in radii.
double misfitOf(const std::vector<cv::Point> &outline, const cv::RotatedRect &ellipse) {
    const double turn = ellipse.angle * CV_PI / 180, c = std::cos(turn), s = std::sin(turn);
    double sum = 0;
    for (const cv::Point &p : outline) {
        const double dx = p.x - ellipse.center.x, dy = p.y - ellipse.center.y;
        const double u = (dx * c + dy * s) / (ellipse.size.width / 2), v = (-dx * s + dy * c) / (ellipse.size.height / 2);
        sum += std::abs(std::hypot(u, v) - 1);
    }
    return sum / double(outline.size());
}

/// False if the outline is not an ellipse on a uniform background.
bool markOf(const tcv_marks &prepared, const std::vector<cv::Point> &outline, double largest, tcv_round_mark &mark) {
    if (outline.size() < 10) return false;
    const cv::Rect box = cv::boundingRect(outline);
    if (box.width < 5 || box.height < 5 || std::max(box.width, box.height) > largest) return false;
    if (std::max(box.width, box.height) > 2.6 * std::min(box.width, box.height)) return false;
    const cv::RotatedRect ellipse = cv::fitEllipse(outline);
    const double a = std::max(ellipse.size.width, ellipse.size.height) / 2, b = std::min(ellipse.size.width, ellipse.size.height) / 2;
    if (b < 2 || b < 0.38 * a || a > largest) return false;
    const double area = cv::contourArea(outline) / (CV_PI * a * b);
    if (area < 0.72 || area > 1.2) return false;
    mark = {};
    // Discretisation of a short outline costs half a pixel, which is not a misfit.
    mark.misfit = std::max(0.0, misfitOf(outline, ellipse) - 0.3 / b);
    if (mark.misfit > 0.1) return false;
    // The outline runs along the inner pixels of the rim.
    const double rim = 1 + 1.8 / b;
    std::vector<cv::Vec3b> ring = onRing(prepared.work, ellipse, 1.25 * rim, 24), inner = onRing(prepared.work, ellipse, 0.55, 12);
    if (ring.size() < 20 || inner.size() < 12) return false;
    inner.push_back(prepared.work.at<cv::Vec3b>(cv::Point(ellipse.center)));
    const cv::Vec3d around = medianOf(ring), inside = medianOf(inner);
    mark.contrast = apart(around, inside);
    if (mark.contrast < 24) return false;
    std::vector<double> off;
    for (const cv::Vec3b &p : ring) off.push_back(apart(cv::Vec3d(p), around));
    std::nth_element(off.begin(), off.begin() + long(off.size() * 3 / 4), off.end());
    mark.unevenness = off[off.size() * 3 / 4];
    if (mark.unevenness > 0.45 * mark.contrast) return false;
    mark.x = (ellipse.center.x + 0.5) * prepared.scale - 0.5, mark.y = (ellipse.center.y + 0.5) * prepared.scale - 0.5;
    mark.longer = (a + 0.5) * prepared.scale, mark.shorter = (b + 0.5) * prepared.scale;
    // By its colours, not by the mask: the rim around a dark mark is segmented like a light mark.
    mark.is_dark = inside.dot(cv::Vec3d(1, 1, 1)) < around.dot(cv::Vec3d(1, 1, 1));
    for (int c = 0; c < 3; c++) mark.inside[c] = uint8_t(inside[c]), mark.around[c] = uint8_t(around[c]);
    return true;
}
} // namespace

int tcv_marks_open(const uint8_t *pixels, int width, int height, int channels, int long_side, tcv_marks **marks) {
    return guarded([&] {
        if (!pixels || !marks || width < 16 || height < 16 || (channels != 1 && channels != 3) || long_side < 64)
            return int(TCV_E_ARGUMENT);
        std::unique_ptr<tcv_marks> made(new tcv_marks);
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        cv::Mat colour, sized;
        if (channels == 3) colour = given; else cv::cvtColor(given, colour, cv::COLOR_GRAY2RGB);
        // A small photo is enlarged, because outlines of five pixels have no shape.
        made->scale = std::max(0.5, double(std::max(width, height)) / long_side);
        const cv::Size size(std::max(1, cvRound(width / made->scale)), std::max(1, cvRound(height / made->scale)));
        cv::resize(colour, sized, size, 0, 0, made->scale > 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
        cv::GaussianBlur(sized, made->work, cv::Size(3, 3), 0);
        cv::cvtColor(made->work, made->grey, cv::COLOR_RGB2GRAY);
        *marks = made.release();
        return int(TCV_OK);
    });
}

void tcv_marks_close(tcv_marks *marks) { delete marks; }

int tcv_marks_find(tcv_marks *marks, tcv_round_mark *found, int capacity, int *count) {
    return guarded([&] {
        if (!marks || !found || !count || capacity < 1) return int(TCV_E_ARGUMENT);
        const double size = std::max(marks->grey.cols, marks->grey.rows);
        std::vector<tcv_round_mark> all;
        std::vector<std::vector<cv::Point>> outlines;
        cv::Mat red, mean, mask;
        cv::extractChannel(marks->work, red, 0);
        for (const cv::Mat &plane : {marks->grey, red})
            for (const double part : {0.06, 0.12, 0.2}) {
                const int window = int(part * size) | 1;
                cv::boxFilter(plane, mean, CV_8U, cv::Size(window, window));
                for (const bool dark : {true, false}) {
                    if (dark) cv::subtract(mean, plane, mask); else cv::subtract(plane, mean, mask);
                    cv::threshold(mask, mask, 11, 255, cv::THRESH_BINARY);
                    cv::findContours(mask, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
                    tcv_round_mark mark;
                    for (const auto &outline : outlines)
                        if (markOf(*marks, outline, 0.7 * part * size + 8, mark)) all.push_back(mark);
                }
            }
        std::sort(all.begin(), all.end(), [](const tcv_round_mark &a, const tcv_round_mark &b) {
            return a.misfit + a.unevenness / a.contrast < b.misfit + b.unevenness / b.contrast;
        });
        *count = 0;
        for (const tcv_round_mark &mark : all) {
            bool known = false;
            for (int k = 0; k < *count && !known; k++)
                known = std::hypot(found[k].x - mark.x, found[k].y - mark.y) < 0.7 * std::max(found[k].longer, mark.longer);
            if (!known && *count < capacity) found[(*count)++] = mark;
        }
        return int(TCV_OK);
    });
}
