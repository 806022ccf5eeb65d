// Robust line fit.
#pragma once
#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

namespace {
/// Direction (length 1) and a point on the line, in cv::fitLine's format. Huber weights, starting from least squares.
/// The pull of a point is constant beyond `turn` pixels. With few outliers the result equals cv::fitLine's, without its
/// twenty random starts.
cv::Vec4f lineThrough(const std::vector<cv::Point2f> &points, double turn = 1.345) {
    cv::Point2d middle(0, 0), along(1, 0);
    for (int round = 0; round < 8; round++) {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
        for (const cv::Point2f &p : points) {
            const double u = p.x - middle.x, v = p.y - middle.y;
            const double off = round ? std::abs(along.x * v - along.y * u) : 0, w = off > turn ? turn / off : 1;
            n += w, x += w * u, y += w * v, xx += w * u * u, xy += w * u * v, yy += w * v * v;
        }
        if (n <= 0) break;
        x /= n, y /= n;
        const double angle = 0.5 * std::atan2(2 * (xy / n - x * y), (xx / n - x * x) - (yy / n - y * y));
        const cv::Point2d next(std::cos(angle), std::sin(angle));
        const double change = std::abs(next.cross(along)) + (round ? std::abs(along.x * y - along.y * x) : 1);
        middle += cv::Point2d(x, y), along = next;
        if (round && change < 1e-4) break;
    }
    return {float(along.x), float(along.y), float(middle.x), float(middle.y)};
}
} // namespace
