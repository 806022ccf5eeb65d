// A square fiducial marker of a board in a grey photo: its four edges and its cells.
#pragma once
#include "cv_straight.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

namespace {
using Corners = std::array<cv::Point2d, 4>;

/// Brightness between pixels; −1 outside the picture.
double bilinear(const cv::Mat &grey, double x, double y) {
    const int x0 = int(std::floor(x)), y0 = int(std::floor(y));
    if (x0 < 0 || y0 < 0 || x0 + 1 >= grey.cols || y0 + 1 >= grey.rows) return -1;
    const double u = x - x0, v = y - y0;
    const uint8_t *a = grey.ptr<uint8_t>(y0) + x0, *b = grey.ptr<uint8_t>(y0 + 1) + x0;
    return (1 - v) * ((1 - u) * a[0] + u * a[1]) + v * ((1 - u) * b[0] + u * b[1]);
}

/// The line through the steps from black to white across a side, sampled at sixteen places. None if fewer than
/// `least` show a step, because the side leaves the picture or is occluded.
std::optional<cv::Vec4f> edgeOf(const cv::Mat &grey, const cv::Point2d &a, const cv::Point2d &b, double reach, size_t least) {
    const cv::Point2d d = b - a;
    const double length = cv::norm(d);
    const cv::Point2d out(d.y / length, -d.x / length); // clockwise with y down: outside is to the left
    std::vector<cv::Point2f> steps;
    for (int k = 0; k < 16; k++) {
        const cv::Point2d p = a + d * (0.12 + 0.76 * k / 15);
        double weight = 0, sum = 0, before = bilinear(grey, p.x - out.x * (reach + 0.5), p.y - out.y * (reach + 0.5));
        for (double s = -reach; s <= reach && before >= 0; s += 0.5) {
            const double next = bilinear(grey, p.x + out.x * (s + 0.5), p.y + out.y * (s + 0.5));
            const double rise = std::max(0.0, next - before - 1);
            weight += rise, sum += rise * (s + 0.25), before = next;
        }
        if (before >= 0 && weight > 20) steps.push_back(cv::Point2f(p + out * (sum / weight)));
    }
    if (steps.size() < least) return std::nullopt;
    return lineThrough(steps);
}

/// Intersection of two edges; none if they are nearly parallel.
std::optional<cv::Point2d> crossing(const cv::Vec4f &a, const cv::Vec4f &b) {
    const double turn = double(a[0]) * b[1] - double(a[1]) * b[0];
    if (std::abs(turn) < 0.2) return std::nullopt;
    const double t = ((b[2] - a[2]) * double(b[1]) - (b[3] - a[3]) * double(b[0])) / turn;
    return cv::Point2d(a[2] + t * a[0], a[3] + t * a[1]);
}

/// The corners at which both edges are visible, each at most twice `reach` from its predicted position.
std::array<std::optional<cv::Point2d>, 4> seenCorners(const cv::Mat &grey, const Corners &corners, double reach, size_t least) {
    std::array<std::optional<cv::Vec4f>, 4> edges;
    for (size_t side = 0; side < 4; side++) edges[side] = edgeOf(grey, corners[side], corners[(side + 1) % 4], reach, least);
    std::array<std::optional<cv::Point2d>, 4> seen;
    for (size_t i = 0; i < 4; i++) {
        const auto &before = edges[(i + 3) % 4], &after = edges[i];
        if (!before || !after) continue;
        const auto at = crossing(*before, *after);
        if (at && cv::norm(*at - corners[i]) <= 2 * reach) seen[i] = at;
    }
    return seen;
}

/// Brightness of each of the 6×6 cells, row by row; −1 outside the picture.
std::array<double, 36> cellsOf(const cv::Mat &grey, const Corners &corners) {
    const cv::Point2f unit[4] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    cv::Point2f seen[4];
    for (size_t i = 0; i < 4; i++) seen[i] = cv::Point2f(corners[i]);
    const cv::Matx33d H = cv::getPerspectiveTransform(unit, seen);
    std::array<double, 36> cells;
    for (int cell = 0; cell < 36; cell++) {
        double sum = 0;
        bool isInside = true;
        for (int k = 0; k < 9; k++) {
            const cv::Vec3d p = H * cv::Vec3d(cell % 6 + 0.3 + 0.2 * (k % 3), cell / 6 + 0.3 + 0.2 * (k / 3), 1);
            const double value = bilinear(grey, p[0] / p[2], p[1] / p[2]);
            isInside = isInside && value >= 0;
            sum += value / 9;
        }
        cells[size_t(cell)] = isInside ? sum : -1;
    }
    return cells;
}

/// Midpoint between the darkest and the brightest visible cell; −1 if they hardly differ.
double middleOf(const std::array<double, 36> &cells) {
    double low = 255, high = 0;
    for (const double cell : cells)
        if (cell >= 0) low = std::min(low, cell), high = std::max(high, cell);
    return high - low < 25 ? -1 : (low + high) / 2;
}

bool isRim(int cell) { return cell / 6 % 5 == 0 || cell % 6 % 5 == 0; }

/// The 16 inner cells, 1 for white, highest bit first. −1 if the rim is not black, a cell is not visible, or the
/// contrast is too low.
int wordOf(const cv::Mat &grey, const Corners &corners) {
    const auto cells = cellsOf(grey, corners);
    const double middle = middleOf(cells);
    if (middle < 0) return -1;
    int word = 0;
    for (int cell = 0; cell < 36; cell++) {
        const double value = cells[size_t(cell)];
        if (value < 0 || (isRim(cell) && value > middle)) return -1;
        if (!isRim(cell)) word = word << 1 | int(value > middle);
    }
    return word;
}

/// The share of visible cells that match the word; 0 if fewer than a third of all are visible.
double agreement(const cv::Mat &grey, const Corners &corners, int word) {
    const auto cells = cellsOf(grey, corners);
    const double middle = middleOf(cells);
    if (middle < 0) return 0;
    int seen = 0, right = 0, bit = 16;
    for (int cell = 0; cell < 36; cell++) {
        const bool isWhite = !isRim(cell) && (word >> --bit & 1);
        if (cells[size_t(cell)] < 0) continue;
        seen++, right += (cells[size_t(cell)] > middle) == isWhite;
    }
    return seen < 12 ? 0 : double(right) / seen;
}

/// The shift of at most `farthest` pixels that maximises the difference between white and black cells.
cv::Point2d bestShift(const cv::Mat &grey, const Corners &corners, int word, double farthest) {
    const cv::Point2f unit[4] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    cv::Point2f seen[4];
    for (size_t i = 0; i < 4; i++) seen[i] = cv::Point2f(corners[i]);
    const cv::Matx33d H = cv::getPerspectiveTransform(unit, seen);
    std::array<cv::Point2d, 36> middles;
    for (int cell = 0; cell < 36; cell++) {
        const cv::Vec3d p = H * cv::Vec3d(cell % 6 + 0.5, cell / 6 + 0.5, 1);
        middles[size_t(cell)] = {p[0] / p[2], p[1] / p[2]};
    }
    cv::Point2d best(0, 0);
    double most = 0;
    for (double dy = -farthest; dy <= farthest; dy += 2)
        for (double dx = -farthest; dx <= farthest; dx += 2) {
            double sum[2] = {0, 0};
            int count[2] = {0, 0}, bit = 16;
            for (int cell = 0; cell < 36; cell++) {
                const int white = !isRim(cell) && (word >> --bit & 1);
                const double value = bilinear(grey, middles[size_t(cell)].x + dx, middles[size_t(cell)].y + dy);
                if (value >= 0) sum[white] += value, count[white]++;
            }
            if (count[0] < 8 || count[1] < 4) continue;
            const double apart = sum[1] / count[1] - sum[0] / count[0];
            if (apart > most) most = apart, best = {dx, dy};
        }
    return best;
}

/// A quarter turn: the top-right cell becomes the top-left one.
int rotated(int word) {
    int result = 0;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            const int from = column * 4 + (3 - row);
            result = result << 1 | ((word >> (15 - from)) & 1);
        }
    return result;
}
} // namespace
