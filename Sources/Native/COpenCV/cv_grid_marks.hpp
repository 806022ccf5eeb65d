// Classifies a mark's ink: a ring around bare background, two crossing strokes, or neither.
#pragma once
#include "cv_grid_bays.hpp"

namespace grid {
/// An ellipse along the principal axes of the ink.
struct Oval {
    cv::Point2d middle, along;
    double a = 0, b = 0;
    /// 1 on the ellipse, 0 in its centre.
    double radius(const cv::Point2d &p) const {
        const cv::Point2d d = p - middle;
        return std::hypot(d.dot(along) / a, (along.x * d.y - along.y * d.x) / b);
    }
    double turn(const cv::Point2d &p) const {
        const cv::Point2d d = p - middle;
        return std::atan2((along.x * d.y - along.y * d.x) / b, d.dot(along) / a);
    }
    cv::Point2d point(double turn) const {
        const cv::Point2d side(-along.y, along.x);
        return middle + along * (a * std::cos(turn)) + side * (b * std::sin(turn));
    }
};

inline bool ovalThrough(const std::vector<cv::Point2f> &points, Oval &oval) {
    if (points.size() < 8) return false;
    const cv::RotatedRect box = cv::fitEllipseDirect(points);
    oval.middle = box.center;
    const double turn = box.angle * CV_PI / 180;
    oval.along = {std::cos(turn), std::sin(turn)};
    oval.a = box.size.width / 2, oval.b = box.size.height / 2;
    return std::isfinite(oval.a) && std::isfinite(oval.b) && oval.a > 2 && oval.b > 2 && std::isfinite(oval.middle.x) && std::isfinite(oval.middle.y);
}

/// How well the centre lines fit one ring. `unobserved` marks unobservable pixels; those outside of it are unobservable
/// too. `corner` is the origin of the centre lines' coordinates in it.
inline double noughtScore(const std::vector<Place> &places, const cv::Mat &unobserved, const cv::Point &corner, double size) {
    std::vector<cv::Point2f> points;
    for (const Place &p : places) points.push_back(cv::Point2f(p.at));
    Oval oval;
    if (!ovalThrough(points, oval)) return 0;
    for (int round = 0; round < 2; round++) {
        std::vector<cv::Point2f> near;
        for (const auto &p : points)
            if (std::abs(oval.radius(p) - 1) < 0.35) near.push_back(p);
        if (near.size() < points.size() / 2 || !ovalThrough(near, oval)) return 0;
    }
    const double shape = std::min(oval.a, oval.b) / std::max(oval.a, oval.b);
    if (std::max(oval.a, oval.b) > 0.95 * size || std::min(oval.a, oval.b) < 0.06 * size) return 0;
    constexpr int turns = 36;
    std::array<bool, turns> seen{};
    int on = 0, inside = 0;
    for (const auto &p : points) {
        const double r = oval.radius(p);
        if (std::abs(r - 1) < 0.28) {
            on++;
            const int k = int((oval.turn(p) + CV_PI) / (2 * CV_PI) * turns) % turns;
            seen[size_t(k)] = true;
        }
        inside += r < 0.5;
    }
    int visible = 0, covered = 0;
    for (int k = 0; k < turns; k++) {
        const cv::Point2d p = oval.point((k + 0.5) * 2 * CV_PI / turns - CV_PI);
        const cv::Point q(cvRound(p.x) + corner.x, cvRound(p.y) + corner.y);
        const bool outside = q.x < 0 || q.y < 0 || q.x >= unobserved.cols || q.y >= unobserved.rows || unobserved.at<uint8_t>(q);
        if (outside && !seen[size_t(k)]) continue;
        visible++, covered += seen[size_t(k)];
    }
    if (visible < turns / 2) return 0;
    const double n = double(points.size());
    // The smaller the visible part of a ring, the more complete it must be: an angle beside a line is not a ring.
    const double least = 0.62 + 0.45 * std::max(0.0, 0.88 - double(visible) / turns);
    return rising(on / n, 0.55, 0.8) * rising(double(covered) / visible, least, least + 0.23) * (1 - rising(inside / n, 0.06, 0.2)) * rising(shape, 0.3, 0.5);
}

/// How well the centre lines fit two strokes that cross in their middles.
inline double crossScore(const std::vector<Place> &places, const cv::Rect &box) {
    const double across = std::hypot(box.width, box.height), size = std::max(box.width, box.height);
    const std::vector<Stroke> strokes = joined(strokesOf(places, size, 0.2 * across, 8, 0.06), size);
    double best = 0;
    for (size_t i = 0; i < strokes.size(); i++)
        for (size_t j = i + 1; j < strokes.size(); j++) {
            const Stroke &a = strokes[i], &b = strokes[j];
            cv::Point2d at;
            const double turn = turnBetween(a.angle(), b.angle());
            if (!crossing(a, b, at)) continue;
            double middle = 1;
            for (const Stroke *s : {&a, &b}) {
                const double t = (s->coordinate(at) - s->from) / std::max(1.0, s->length());
                middle = std::min(middle, rising(std::min(t, 1 - t), 0.05, 0.18));
            }
            int explained = 0;
            const double reach = std::max(2.0, 0.07 * across);
            for (const Place &p : places)
                for (const Stroke *s : {&a, &b})
                    if (std::abs(s->across(p.at)) <= reach && s->coordinate(p.at) > s->from - reach && s->coordinate(p.at) < s->to + reach) {
                        explained++;
                        break;
                    }
            const double shorter = std::min(a.length(), b.length()) / across, longer = std::max(a.length(), b.length());
            best = std::max(best, rising(explained / double(places.size()), 0.6, 0.82) * middle * rising(shorter, 0.3, 0.5) * rising(turn, 0.45, 0.8) *
                                      rising(std::min(a.length(), b.length()) / longer, 0.35, 0.55));
        }
    return best;
}

/// Curved strokes cross too: four arms leave one place in the centre. This is weaker evidence than straight strokes.
inline double curvedCrossScore(const cv::Mat &ink, const std::vector<Place> &places, const cv::Rect &box) {
    constexpr int turns = 72;
    const double across = std::hypot(box.width, box.height);
    const cv::Point2d middle(box.x + box.width / 2.0, box.y + box.height / 2.0);
    double best = 0;
    for (const Place &place : places) {
        if (place.isReliable || cv::norm(place.at - middle) > 0.15 * across) continue;
        int agreeing = 0;
        for (const double radius : {0.2, 0.26, 0.32}) {
            std::array<bool, turns> inked{};
            for (int k = 0; k < turns; k++) {
                const cv::Point p(cvRound(place.at.x + radius * across * std::cos(2 * CV_PI * k / turns)), cvRound(place.at.y + radius * across * std::sin(2 * CV_PI * k / turns)));
                inked[size_t(k)] = p.x >= 0 && p.y >= 0 && p.x < ink.cols && p.y < ink.rows && ink.at<uint8_t>(p);
            }
            std::vector<double> arms;
            for (int k = 0; k < turns; k++) {
                if (!inked[size_t(k)] || inked[size_t((k + turns - 1) % turns)]) continue;
                int length = 0;
                while (length < turns && inked[size_t((k + length) % turns)]) length++;
                arms.push_back(k + (length - 1) / 2.0);
            }
            if (arms.size() != 4) continue;
            double least = turns;
            for (size_t i = 0; i < 4; i++) least = std::min(least, std::fmod(arms[(i + 1) % 4] - arms[i] + turns, turns));
            agreeing += least > turns / 10.0;
        }
        best = std::max(best, agreeing == 3 ? 0.8 : agreeing == 2 ? 0.55 : 0.0);
    }
    return best;
}

/// Classifies the ink (255). `view` is the same place at a finer scale in grey. `unobserved` marks unobservable pixels;
/// the ink begins at its `corner`. `square` is a square's side in pixels. `inked` rates the darkness of the ink for
/// an outline, 0…1.
inline Likeness likenessOf(const cv::Mat &ink, const cv::Mat &view, const cv::Mat &unobserved, const cv::Point &corner, double square, double inked) {
    Likeness like;
    cv::Mat padded;
    const int pad = 2;
    cv::copyMakeBorder(ink, padded, pad, pad, pad, pad, cv::BORDER_CONSTANT, 0);
    const std::vector<cv::Point> points = thinned(padded);
    if (points.size() < 8) return like;
    std::vector<Place> places = placesOf(padded, points, cv::Mat());
    for (Place &p : places) p.at -= cv::Point2d(pad, pad);
    std::vector<cv::Point> all;
    for (const Place &p : places) all.push_back(cv::Point(p.at));
    const cv::Rect box = cv::boundingRect(all);
    like.nought = noughtScore(places, unobserved, corner, square);
    // A blot has centre lines too, but it fills its convex hull.
    std::vector<cv::Point> pixels, hull;
    cv::findNonZero(ink, pixels);
    cv::convexHull(pixels, hull);
    const double fill = double(pixels.size()) / std::max(1.0, cv::contourArea(hull) + 0.5 * cv::arcLength(hull, true));
    like.cross = std::max(crossScore(places, box), curvedCrossScore(ink, places, box)) * (1 - rising(fill, 0.66, 0.8));
    if (inked > 0) {
        const Likeness outline = outlineLikeness(ink, view);
        like.nought = std::max(like.nought, inked * outline.nought), like.cross = std::max(like.cross, inked * outline.cross);
    }
    return like;
}
} // namespace grid
