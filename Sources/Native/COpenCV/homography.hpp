// Homographies between a plane and a picture.
#pragma once
#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

namespace {
inline cv::Point2d mapped(const cv::Matx33d &H, const cv::Point2d &point) {
    const cv::Vec3d p = H * cv::Vec3d(point.x, point.y, 1);
    return {p[0] / p[2], p[1] / p[2]};
}

/// The least-squares homography between at least four pairs (direct linear transformation on normalised points), and
/// its root mean square residual. False if the pairs do not determine it.
inline bool fitHomography(const std::vector<cv::Point2d> &from, const std::vector<cv::Point2d> &to, cv::Matx33d &H, double &residual) {
    const auto normal = [](const std::vector<cv::Point2d> &points) {
        cv::Point2d middle(0, 0);
        for (const auto &p : points) middle += p * (1.0 / double(points.size()));
        double spread = 0;
        for (const auto &p : points) spread += cv::norm(p - middle) / double(points.size());
        const double s = std::sqrt(2.0) / std::max(1e-9, spread);
        return cv::Matx33d(s, 0, -s * middle.x, 0, s, -s * middle.y, 0, 0, 1);
    };
    const cv::Matx33d A = normal(from), B = normal(to);
    cv::Mat rows(int(2 * from.size()), 9, CV_64F);
    for (size_t i = 0; i < from.size(); i++) {
        const cv::Vec3d p = A * cv::Vec3d(from[i].x, from[i].y, 1), q = B * cv::Vec3d(to[i].x, to[i].y, 1);
        const double one[9] = {p[0], p[1], 1, 0, 0, 0, -q[0] * p[0], -q[0] * p[1], -q[0]};
        const double two[9] = {0, 0, 0, p[0], p[1], 1, -q[1] * p[0], -q[1] * p[1], -q[1]};
        std::copy(one, one + 9, rows.ptr<double>(int(2 * i)));
        std::copy(two, two + 9, rows.ptr<double>(int(2 * i + 1)));
    }
    cv::Mat solution;
    cv::SVD::solveZ(rows, solution);
    H = B.inv() * cv::Matx33d(solution.ptr<double>()) * A;
    if (std::abs(H(2, 2)) < 1e-12) return false;
    H = H * (1 / H(2, 2));
    residual = 0;
    for (size_t i = 0; i < from.size(); i++) {
        const cv::Point2d off = mapped(H, from[i]) - to[i];
        residual += off.dot(off) / double(from.size());
    }
    residual = std::sqrt(residual);
    return true;
}
} // namespace
