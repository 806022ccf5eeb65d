// Classifies marks by their outlines. The four arms of a cross have four concavities (bays) between them, however
// short they are. A nought has a hole.
#pragma once
#include "cv_grid_strokes.hpp"

namespace grid {
/// Measures of an outline with four arms.
struct Bays {
    double depth = 0;        // of the fourth deepest bay, relative to the outline's size
    double other = 0;        // of the fifth, relative to the fourth's
    double straight = 0;     // collinearity of the two arms of a stroke, minimum of both: 1 straight, 0 perpendicular
    double apart = 0;        // minimum angle between adjacent arms, radians
    double hole = 0;         // enclosed background, relative to the outline's area
    double round = 0;        // ink and hole, relative to the convex hull
    double centred = 0;      // position of the hole: 1 at the centre, 0 at the outline
    cv::Mat whole;           // the area inside the outline
};

struct Likeness {
    double nought = 0, cross = 0;
};

/// The four deepest bays of the largest part of `shape` (255 is ink).
inline Bays baysOf(const cv::Mat &shape) {
    Bays bays;
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(shape, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    if (contours.empty()) return bays;
    const auto &outline = *std::max_element(contours.begin(), contours.end(), [](const auto &a, const auto &b) { return cv::contourArea(a) < cv::contourArea(b); });
    if (outline.size() < 16) return bays;
    bays.whole = cv::Mat::zeros(shape.size(), CV_8U);
    cv::drawContours(bays.whole, contours, int(&outline - contours.data()), 255, cv::FILLED);
    const cv::Mat ground = bays.whole & ~shape;
    const cv::Moments hollow = cv::moments(ground, true), all = cv::moments(bays.whole, true);
    bays.hole = hollow.m00 / std::max(1.0, all.m00);
    std::vector<cv::Point> around;
    cv::convexHull(outline, around);
    bays.round = cv::contourArea(outline) / std::max(1.0, cv::contourArea(around));
    if (hollow.m00 > 0 && all.m00 > 0) {
        const cv::Point2d off(hollow.m10 / hollow.m00 - all.m10 / all.m00, hollow.m01 / hollow.m00 - all.m01 / all.m00);
        bays.centred = 1 - cv::norm(off) / std::sqrt(all.m00 / CV_PI);
    }
    std::vector<int> hull;
    cv::convexHull(outline, hull);
    // A self-touching outline has no order along it.
    if (hull.size() < 4 || !(std::is_sorted(hull.begin(), hull.end()) || std::is_sorted(hull.rbegin(), hull.rend()))) std::sort(hull.begin(), hull.end());
    std::vector<cv::Vec4i> dents;
    cv::convexityDefects(outline, hull, dents);
    if (dents.size() < 4) return bays;
    std::sort(dents.begin(), dents.end(), [](const cv::Vec4i &a, const cv::Vec4i &b) { return a[3] > b[3]; });
    const cv::Rect box = cv::boundingRect(outline);
    const double size = std::max(box.width, box.height);
    const double fourth = dents[3][3] / 256.0;
    bays.depth = fourth / size;
    bays.other = dents.size() > 4 ? dents[4][3] / 256.0 / std::max(0.01, fourth) : 0;
    // The deepest points are the corners of the strokes' intersection. Its diagonals meet at the crossing.
    std::array<int, 4> deepest;
    for (size_t k = 0; k < 4; k++) deepest[k] = dents[k][2];
    std::sort(deepest.begin(), deepest.end());
    std::array<cv::Point2d, 4> corner;
    for (size_t k = 0; k < 4; k++) corner[k] = outline[size_t(deepest[k])];
    const cv::Point2d a = corner[2] - corner[0], b = corner[3] - corner[1], d = corner[1] - corner[0];
    const double turn = a.x * b.y - a.y * b.x;
    if (std::abs(turn) < 1) return bays;
    const double along = (d.x * b.y - d.y * b.x) / turn, other = (d.x * a.y - d.y * a.x) / turn;
    if (along < 0 || along > 1 || other < 0 || other > 1) return bays;
    const cv::Point2d middle = corner[0] + a * along;
    // An arm ends half way along its outline from bay to bay.
    std::array<cv::Point2d, 4> arm;
    for (size_t k = 0; k < 4; k++) {
        const size_t from = size_t(deepest[k]), to = size_t(deepest[(k + 1) % 4]) + (k == 3 ? outline.size() : 0);
        cv::Point2d sum(0, 0);
        for (size_t i = from; i <= to; i++) {
            const cv::Point2d p = cv::Point2d(outline[i % outline.size()]) - middle;
            sum += p * cv::norm(p);
        }
        if (cv::norm(sum) < 1e-6) return bays;
        arm[k] = sum * (1 / cv::norm(sum));
    }
    bays.straight = std::min(-arm[0].dot(arm[2]), -arm[1].dot(arm[3]));
    bays.apart = CV_PI;
    for (size_t k = 0; k < 4; k++) bays.apart = std::min(bays.apart, std::acos(std::clamp(arm[k].dot(arm[(k + 1) % 4]), -1.0, 1.0)));
    return bays;
}

/// Classifies the outline of the ink (255): two broad strokes that cross, or a disc with a hole. `view` is the same
/// place in grey at several times the scale, because bays of small marks are shallower than a pixel.
inline Likeness outlineLikeness(const cv::Mat &ink, const cv::Mat &view) {
    cv::Mat own, near, wide;
    cv::dilate(ink, near, cv::Mat());
    cv::resize(near, own, view.size(), 0, 0, cv::INTER_NEAREST);
    // Half way between the ink and the background beside it.
    const cv::Mat ground = 255 - own;
    if (cv::countNonZero(ground) < 16) return {};
    cv::Mat dark = view.clone();
    dark.setTo(255, ground);
    double darkest = 0;
    cv::minMaxLoc(dark, &darkest);
    const double light = cv::mean(view, ground)[0];
    cv::threshold(dark, wide, (darkest + light) / 2, 255, cv::THRESH_BINARY_INV);
    cv::rectangle(wide, cv::Rect(0, 0, wide.cols, wide.rows), 0);
    const Bays bays = baysOf(wide);
    Likeness like;
    like.cross = rising(bays.depth, 0.012, 0.026) * (1 - rising(bays.other, 0.5, 0.85)) * rising(bays.straight, 0.75, 0.92) *
                 rising(bays.apart, 0.55, 0.85) * (1 - rising(bays.hole, 0.01, 0.04));
    like.nought = rising(bays.hole, 0.008, 0.025) * rising(bays.round, 0.9, 0.95) * rising(bays.centred, 0.5, 0.7);
    if (like.cross <= 0 && like.nought <= 0) return like;
    // Ink beside the outline is a shadow or another mark, and would change the box.
    cv::Mat covered;
    cv::resize(bays.whole, covered, ink.size(), 0, 0, cv::INTER_AREA);
    cv::dilate(covered > 64, covered, cv::Mat(), cv::Point(-1, -1), 2);
    const double alone = 1 - rising(cv::countNonZero(ink & ~covered) / std::max(1.0, double(cv::countNonZero(ink))), 0.02, 0.08);
    like.cross *= alone, like.nought *= alone;
    return like;
}
} // namespace grid
