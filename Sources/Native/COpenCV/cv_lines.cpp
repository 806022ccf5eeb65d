#include "include/cv_lines.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// A text is measured at this height, pixels, and at most this width.
constexpr int inkRows = 32, mostInkColumns = 640;
/// The least difference of brightness between ink and ground, of 255.
constexpr double leastInkContrast = 12;

constexpr int largestSide = 1 << 15;

/// A contour that fills less of its rectangle is a curved line, if it is long enough.
constexpr double straightFill = .8;
constexpr double bendableLength = 2.4; // in heights

bool isRaster(const void *samples, int width, int height, int channels) {
    return samples && width > 0 && height > 0 && width <= largestSide && height <= largestSide &&
           (channels == 1 || channels == 3);
}

cv::Mat raster(const uint8_t *samples, int width, int height, int channels) {
    return cv::Mat(height, width, channels == 1 ? CV_8UC1 : CV_8UC3, const_cast<uint8_t *>(samples));
}

/// Growth on each side of a region of this extent.
double growth(double length, double height, double unclip) { return length * height * unclip / (2 * (length + height)); }

/// Least squares polynomial of `degree` through (u, v) with weights, lowest power first.
std::vector<double> fitted(const std::vector<double> &u, const std::vector<double> &v, const std::vector<double> &weight,
                           int degree) {
    // Scaled to −1…1, for numerical stability.
    double reach = 1;
    for (double x : u) reach = std::max(reach, std::abs(x));
    cv::Mat a(int(u.size()), degree + 1, CV_64F), b(int(u.size()), 1, CV_64F), x;
    for (int row = 0; row < a.rows; ++row) {
        double power = weight[row];
        for (int column = 0; column <= degree; ++column, power *= u[row] / reach) a.at<double>(row, column) = power;
        b.at<double>(row) = v[row] * weight[row];
    }
    cv::solve(a, b, x, cv::DECOMP_SVD);
    std::vector<double> coefficients(degree + 1);
    for (int i = 0; i <= degree; ++i) coefficients[i] = x.at<double>(i) / std::pow(reach, i);
    return coefficients;
}

double value(const std::vector<double> &coefficients, double u) {
    double sum = 0;
    for (size_t i = coefficients.size(); i-- > 0;) sum = sum * u + coefficients[i];
    return sum;
}

/// Traces the centre line of `mask` (its contour filled, top-left at `at`) along the long axis of `box`. False if too
/// little of it can be traced.
bool follow(const cv::Mat &mask, cv::Point at, const cv::RotatedRect &box, double unclip, double sx, double sy,
            tcv_text_line &line) {
    double angle = box.angle;
    if (box.size.width < box.size.height) angle -= 90;
    double ux = std::cos(angle * CV_PI / 180), uy = std::sin(angle * CV_PI / 180);
    // From left to right; a steep one from the top down.
    if (std::abs(ux) >= std::abs(uy) ? ux < 0 : uy < 0) ux = -ux, uy = -uy;
    const double vx = -uy, vy = ux;
    const double half = std::max(box.size.width, box.size.height) / 2 + 2, first = -half;
    const int bins = int(2 * half) + 1;
    std::vector<double> sum(bins, 0);
    std::vector<int> count(bins, 0);
    for (int y = 0; y < mask.rows; ++y) {
        const uchar *row = mask.ptr(y);
        for (int x = 0; x < mask.cols; ++x) {
            if (!row[x]) continue;
            const double px = x + at.x - box.center.x, py = y + at.y - box.center.y;
            const int bin = int(std::floor(px * ux + py * uy - first));
            if (bin < 0 || bin >= bins) continue;
            sum[bin] += px * vx + py * vy;
            ++count[bin];
        }
    }
    std::vector<double> u, v, weight;
    std::vector<int> thick;
    for (int bin = 0; bin < bins; ++bin) {
        if (count[bin] < 2) continue;
        u.push_back(first + bin + .5);
        v.push_back(sum[bin] / count[bin]);
        weight.push_back(std::sqrt(double(count[bin])));
        thick.push_back(count[bin]);
    }
    if (u.size() < 12) return false;
    const auto coefficients = fitted(u, v, weight, u.size() > 60 ? 3 : 2);
    std::sort(thick.begin(), thick.end());
    const double height = thick[size_t(.7 * (thick.size() - 1))];
    const double grow = growth(u.back() - u.front() + 1, height, unclip);
    const double start = u.front() - grow, end = u.back() + grow;
    for (int i = 0; i < TCV_SPINE_POINTS; ++i) {
        const double t = start + (end - start) * i / (TCV_SPINE_POINTS - 1), w = value(coefficients, t);
        line.spine[2 * i] = (box.center.x + .5 + t * ux + w * vx) * sx;
        line.spine[2 * i + 1] = (box.center.y + .5 + t * uy + w * vy) * sy;
    }
    line.is_bent = 1;
    // Across the line the page is scaled by the other axis.
    line.height = (height + 2 * grow) * std::hypot(vx * sx, vy * sy);
    return true;
}

} // namespace

int tcv_lines_picture(const uint8_t *samples, int width, int height, int channels, int to_width, int to_height,
                      uint8_t *picture) {
    if (!isRaster(samples, width, height, channels) || !isRaster(picture, to_width, to_height, channels))
        return TCV_E_ARGUMENT;
    return guarded([&] {
        cv::Mat to = raster(picture, to_width, to_height, channels);
        cv::resize(raster(samples, width, height, channels), to, to.size(), 0, 0, cv::INTER_LINEAR);
        return TCV_OK;
    });
}

int tcv_lines_input(const uint8_t *samples, int width, int height, int channels, int x, int y, int window_width,
                    int window_height, float *planes) {
    if (!isRaster(samples, width, height, channels) || x < 0 || y < 0 || window_width <= 0 || window_height <= 0 ||
        window_width > width - x || window_height > height - y || !planes)
        return TCV_E_ARGUMENT;
    const cv::Mat window = raster(samples, width, height, channels)(cv::Rect(x, y, window_width, window_height));
    const size_t plane = size_t(window_width) * window_height;
    for (int row = 0; row < window_height; ++row) {
        const uchar *from = window.ptr(row);
        float *to = planes + size_t(row) * window_width;
        for (int c = 0; c < 3; ++c, to += plane)
            for (int column = 0; column < window_width; ++column)
                to[column] = (channels == 1 ? from[column] : from[3 * column + 2 - c]) * (2.f / 255) - 1.f;
    }
    return TCV_OK;
}

int tcv_lines_find(const float *map, int map_width, int map_height, double threshold, double least_score, double unclip,
                   int page_width, int page_height, tcv_text_line *lines, int capacity, int *count) {
    if (!map || map_width <= 0 || map_height <= 0 || map_width > largestSide || map_height > largestSide || !lines ||
        capacity < 0 || !count)
        return TCV_E_ARGUMENT;
    *count = 0;
    return guarded([&] {
        const cv::Mat probability(map_height, map_width, CV_32F, const_cast<float *>(map));
        const cv::Mat above = probability > threshold;
        std::vector<std::vector<cv::Point>> contours;
        cv::findContours(above, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
        const double sx = double(page_width) / map_width, sy = double(page_height) / map_height;
        for (const auto &contour : contours) {
            if (*count >= capacity) break;
            cv::RotatedRect box = cv::minAreaRect(contour);
            const double length = std::max(box.size.width, box.size.height);
            const double height = std::min(box.size.width, box.size.height);
            if (height < 3) continue;
            const cv::Rect bounds = cv::boundingRect(contour);
            cv::Mat mask = cv::Mat::zeros(bounds.size(), CV_8U);
            cv::drawContours(mask, std::vector<std::vector<cv::Point>>{contour}, 0, 1, cv::FILLED, cv::LINE_8,
                             cv::noArray(), 0, cv::Point(-bounds.x, -bounds.y));
            // The contour, not its rectangle, because a curved line fills little of that.
            tcv_text_line line = {};
            line.score = cv::mean(probability(bounds), mask)[0];
            if (line.score < least_score) continue;
            const double fill = cv::countNonZero(mask) / ((length + 1) * (height + 1));
            const double grow = growth(length, height, unclip);
            if (fill < straightFill && length >= bendableLength * height)
                follow(mask, bounds.tl(), box, unclip, sx, sy, line);
            box.size.width += float(2 * grow);
            box.size.height += float(2 * grow);
            cv::Point2f corners[4];
            box.points(corners);
            for (int i = 0; i < 4; ++i) {
                line.corners[2 * i] = (corners[i].x + .5) * sx;
                line.corners[2 * i + 1] = (corners[i].y + .5) * sy;
            }
            lines[(*count)++] = line;
        }
        return TCV_OK;
    });
}

int tcv_lines_straighten(const uint8_t *samples, int width, int height, int channels, const double corners[8],
                         int to_width, int to_height, uint8_t *image) {
    if (!isRaster(samples, width, height, channels) || !corners || !image || to_width <= 0 || to_height <= 0 ||
        to_width > largestSide || to_height > largestSide)
        return TCV_E_ARGUMENT;
    return guarded([&] {
        cv::Point2f from[4], to[4] = {{-.5f, -.5f},
                                      {to_width - .5f, -.5f},
                                      {to_width - .5f, to_height - .5f},
                                      {-.5f, to_height - .5f}};
        for (int i = 0; i < 4; ++i) from[i] = {float(corners[2 * i] - .5), float(corners[2 * i + 1] - .5)};
        cv::Mat out(to_height, to_width, channels == 1 ? CV_8UC1 : CV_8UC3, image);
        cv::warpPerspective(raster(samples, width, height, channels), out, cv::getPerspectiveTransform(from, to),
                            out.size(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
        return TCV_OK;
    });
}

int tcv_lines_unbend(const uint8_t *samples, int width, int height, int channels, const double *spine, int points,
                     double band, int to_width, int to_height, uint8_t *image) {
    if (!isRaster(samples, width, height, channels) || !spine || points < 2 || band <= 0 || !image || to_width <= 0 ||
        to_height <= 0 || to_width > largestSide || to_height > largestSide)
        return TCV_E_ARGUMENT;
    return guarded([&] {
        cv::Mat mapX(to_height, to_width, CV_32F), mapY(to_height, to_width, CV_32F);
        for (int column = 0; column < to_width; ++column) {
            const double t = (column + .5) / to_width * (points - 1);
            const int at = std::min(int(t), points - 2);
            const double part = t - at;
            const double *a = spine + 2 * at, *b = a + 2;
            const double x = a[0] + part * (b[0] - a[0]), y = a[1] + part * (b[1] - a[1]);
            // The direction is averaged with the neighbours', to avoid steps between segments.
            const double *before = spine + 2 * std::max(0, at - 1), *after = spine + 2 * std::min(points - 1, at + 2);
            const double dx = after[0] - before[0], dy = after[1] - before[1], norm = std::max(1e-9, std::hypot(dx, dy));
            const double nx = -dy / norm, ny = dx / norm;
            for (int row = 0; row < to_height; ++row) {
                const double off = ((row + .5) / to_height - .5) * band;
                mapX.at<float>(row, column) = float(x + off * nx - .5);
                mapY.at<float>(row, column) = float(y + off * ny - .5);
            }
        }
        cv::Mat out(to_height, to_width, channels == 1 ? CV_8UC1 : CV_8UC3, image);
        cv::remap(raster(samples, width, height, channels), out, mapX, mapY, cv::INTER_CUBIC, cv::BORDER_REPLICATE);
        return TCV_OK;
    });
}

int tcv_lines_ink(const uint8_t *samples, int width, int height, int channels, const double *quadrangles, int count,
                  tcv_ink *inks) {
    if (!isRaster(samples, width, height, channels) || count < 0 || (count > 0 && (!quadrangles || !inks)))
        return TCV_E_ARGUMENT;
    return guarded([&] {
        const cv::Mat page = raster(samples, width, height, channels);
        cv::Mat box, gray, letters, rim, depth, far;
        for (int i = 0; i < count; ++i) {
            const double *q = quadrangles + 8 * i;
            const double across = std::hypot(q[2] - q[0], q[3] - q[1]), down = std::hypot(q[6] - q[0], q[7] - q[1]);
            inks[i] = {};
            if (!(across >= 1 && down >= 1 && across <= largestSide && down <= largestSide)) continue;
            const cv::Size size(std::clamp(int(std::lround(across / down * inkRows)), 8, mostInkColumns), inkRows);
            cv::Point2f from[4], to[4] = {{-.5f, -.5f},
                                          {size.width - .5f, -.5f},
                                          {size.width - .5f, size.height - .5f},
                                          {-.5f, size.height - .5f}};
            for (int k = 0; k < 4; ++k) from[k] = {float(q[2 * k] - .5), float(q[2 * k + 1] - .5)};
            cv::warpPerspective(page, box, cv::getPerspectiveTransform(from, to), size, cv::INTER_LINEAR,
                                cv::BORDER_REPLICATE);
            if (channels == 3) cv::cvtColor(box, gray, cv::COLOR_RGB2GRAY);
            else gray = box;
            const double middle = cv::threshold(gray, letters, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
            rim.create(size, CV_8U);
            rim.setTo(255);
            rim(cv::Rect(2, 2, size.width - 4, size.height - 4)).setTo(0);
            // Bright letters on a dark ground, or dark ones on a bright ground.
            const bool isBright = 2 * cv::mean(letters, rim)[0] < 255;
            if (!isBright) cv::bitwise_not(letters, letters);
            const double ink = cv::mean(gray, letters)[0];
            cv::bitwise_not(letters, rim);
            const cv::Scalar ground = cv::mean(box, rim), paper = cv::mean(gray, rim);
            // The blurred rims of the letters have neither colour.
            cv::compare(gray, ink, far, isBright ? cv::CMP_GE : cv::CMP_LE);
            const cv::Scalar colour = cv::mean(box, far);
            for (int k = 0; k < 3; ++k) {
                inks[i].ink[k] = cv::saturate_cast<uint8_t>(colour[channels == 3 ? k : 0]);
                inks[i].ground[k] = cv::saturate_cast<uint8_t>(ground[channels == 3 ? k : 0]);
            }
            if (std::abs(ink - paper[0]) < leastInkContrast || middle <= 0) continue;
            cv::distanceTransform(letters, depth, cv::DIST_L2, 3);
            // The mean distance from the rim is a quarter of the width of a long stroke.
            inks[i].stroke = float(4 * cv::mean(depth, letters)[0] / inkRows);
        }
        return int(TCV_OK);
    });
}
