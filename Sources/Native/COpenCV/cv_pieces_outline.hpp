// Fits three or four straight sides to a region's outline, for cv_pieces.cpp.
#pragma once
#include "cv_straight.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
bool cross(const cv::Vec4f &a, const cv::Vec4f &b, cv::Point2d &at) {
    const double turn = a[0] * b[1] - a[1] * b[0];
    if (std::abs(turn) < 0.15) return false;
    const double t = ((b[2] - a[2]) * b[1] - (b[3] - a[3]) * b[0]) / turn;
    at = {a[2] + t * a[0], a[3] + t * a[1]};
    return true;
}

double toSegment(const cv::Point2d &p, const cv::Point2d &a, const cv::Point2d &b, double *along = nullptr) {
    const cv::Point2d d = b - a;
    const double t = (p - a).dot(d) / std::max(1e-9, d.dot(d)), inside = std::clamp(t, 0.0, 1.0);
    if (along) *along = t;
    return cv::norm(p - a - d * inside);
}

int nearestSide(const cv::Point2d &p, const std::vector<cv::Point2d> &corners, double &distance, double &along) {
    int best = 0;
    distance = 1e18;
    for (size_t i = 0; i < corners.size(); i++) {
        double t, d = toSegment(p, corners[i], corners[(i + 1) % corners.size()], &t);
        if (d < distance) distance = d, along = t, best = int(i);
    }
    return best;
}

/// Three or four corners of a hull, with a truncated tip restored; empty if it has more sides.
std::vector<cv::Point2d> coarseCorners(const std::vector<cv::Point> &hull) {
    const double around = cv::arcLength(hull, true);
    std::vector<cv::Point> few;
    for (double part = 0.02; part < 0.075; part += 0.01) {
        cv::approxPolyDP(hull, few, part * around, true);
        if (few.size() <= 4) break;
    }
    std::vector<cv::Point2d> corners(few.begin(), few.end());
    while (corners.size() >= 4 && corners.size() <= 6) {
        size_t shortest = 0;
        double length = 1e18;
        for (size_t i = 0; i < corners.size(); i++) {
            const double l = cv::norm(corners[(i + 1) % corners.size()] - corners[i]);
            if (l < length) length = l, shortest = i;
        }
        if (length > 0.09 * around) break;
        const size_t n = corners.size(), b = shortest, c = (b + 1) % n, a = (b + n - 1) % n, d = (c + 1) % n;
        const cv::Point2d u = corners[b] - corners[a], w = corners[c] - corners[d];
        cv::Point2d tip;
        if (!cross(cv::Vec4f(u.x, u.y, corners[a].x, corners[a].y), cv::Vec4f(w.x, w.y, corners[d].x, corners[d].y), tip)) {
            tip = (corners[b] + corners[c]) * 0.5;
        }
        if (cv::norm(tip - (corners[b] + corners[c]) * 0.5) > 2 * length) break;
        corners[b] = tip;
        corners.erase(corners.begin() + long(c));
    }
    if (corners.size() < 3 || corners.size() > 4) corners.clear();
    return corners;
}

/// Fits each side to nearby outline points. False if a side has too few, or if two sides are parallel.
bool straighten(const std::vector<cv::Point> &outline, std::vector<cv::Point2d> &corners) {
    const int n = int(corners.size());
    std::vector<std::vector<cv::Point2f>> beside(n);
    for (const cv::Point &p : outline) {
        double distance, along;
        const int side = nearestSide(p, corners, distance, along);
        if (along > 0.08 && along < 0.92) beside[side].push_back(cv::Point2f(p));
    }
    std::vector<cv::Vec4f> lines(n);
    for (int i = 0; i < n; i++) {
        if (beside[i].size() < 5) return false;
        lines[i] = lineThrough(beside[i]);
    }
    for (int i = 0; i < n; i++) {
        cv::Point2d at;
        if (!cross(lines[(i + n - 1) % n], lines[i], at)) return false;
        if (cv::norm(at - corners[i]) > 0.25 * cv::arcLength(outline, true)) return false;
        corners[i] = at;
    }
    return true;
}

bool clockwiseConvex(std::vector<cv::Point2d> &corners) {
    const size_t n = corners.size();
    int left = 0, right = 0;
    for (size_t i = 0; i < n; i++) {
        const cv::Point2d a = corners[(i + 1) % n] - corners[i], b = corners[(i + 2) % n] - corners[(i + 1) % n];
        (a.x * b.y - a.y * b.x > 0 ? right : left)++;
    }
    if (left && right) return false;
    if (left) std::reverse(corners.begin(), corners.end());
    return true;
}
} // namespace
