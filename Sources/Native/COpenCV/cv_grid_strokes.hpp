// Ink, its centre lines, and their straight strokes: the primitives of drawn grids and marks.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace grid {
inline double rising(double value, double low, double high) { return std::clamp((value - low) / (high - low), 0.0, 1.0); }

/// A drawn line: a point, a unit direction, and the extent of the ink along it.
struct Stroke {
    cv::Point2d at, along;
    double from = 0, to = 0;
    double support = 0;      // inked share of its length
    double half = 0;         // half of the stroke's width
    double evenness = 0;     // share of its length with about this width
    double angle() const { const double a = std::atan2(along.y, along.x); return a < 0 ? a + CV_PI : a; }
    double across(const cv::Point2d &p) const { return along.x * (p.y - at.y) - along.y * (p.x - at.x); }
    double coordinate(const cv::Point2d &p) const { return (p - at).dot(along); }
    cv::Point2d point(double t) const { return at + along * t; }
    double length() const { return to - from; }
};

inline double turnBetween(double a, double b) {
    const double d = std::fmod(std::abs(a - b), CV_PI);
    return std::min(d, CV_PI - d);
}

/// Intersection of two strokes' lines; false for nearly parallel lines.
inline bool crossing(const Stroke &a, const Stroke &b, cv::Point2d &at) {
    const double turn = a.along.x * b.along.y - a.along.y * b.along.x;
    if (std::abs(turn) < 0.25) return false;
    const cv::Point2d d = b.at - a.at;
    at = a.at + a.along * ((d.x * b.along.y - d.y * b.along.x) / turn);
    return true;
}

inline int quantile(const cv::Mat &values, double part) {
    std::array<int, 256> counts{};
    for (int y = 0; y < values.rows; y++) {
        const uint8_t *row = values.ptr(y);
        for (int x = 0; x < values.cols; x++) counts[row[x]]++;
    }
    const double wanted = part * values.rows * values.cols;
    int value = 0;
    double seen = counts[0];
    while (value < 255 && seen < wanted) seen += counts[size_t(++value)];
    return value;
}

/// How much darker each pixel is than the background, relative to it, 0…255. The background is estimated by filling
/// dark structures narrower than `window`. Edges of larger objects and soft shadows give zero.
inline cv::Mat darkness(const cv::Mat &grey, int window) {
    cv::Mat smooth, ground, rest;
    cv::GaussianBlur(grey, smooth, cv::Size(3, 3), 0);
    cv::morphologyEx(smooth, ground, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(window | 1, window | 1)));
    cv::subtract(ground, smooth, rest);
    // Noise on a dark object in a bright picture is not ink.
    cv::max(ground, std::max(24.0, 0.35 * quantile(ground, 0.9)), ground);
    cv::Mat share;
    cv::divide(rest, ground, share, 255, CV_8U);
    return share;
}

/// The neighbours of a pixel as eight bits, clockwise from above.
inline int around(const cv::Mat &mask, int x, int y) {
    const uint8_t *a = mask.ptr(y - 1) + x, *b = mask.ptr(y) + x, *c = mask.ptr(y + 1) + x;
    return (a[0] ? 1 : 0) | (a[1] ? 2 : 0) | (b[1] ? 4 : 0) | (c[1] ? 8 : 0) | (c[0] ? 16 : 0) | (c[-1] ? 32 : 0) | (b[-1] ? 64 : 0) |
           (a[-1] ? 128 : 0);
}

/// Pixels that may be removed in both sub-iterations of thinning (Guo and Hall 1989). It keeps diagonal lines two
/// pixels wide, which other algorithms erase.
inline const std::array<std::array<bool, 256>, 2> &thinningRules() {
    static const auto rules = [] {
        std::array<std::array<bool, 256>, 2> all{};
        for (int bits = 0; bits < 256; bits++) {
            const auto on = [bits](int k) { return (bits >> (k % 8) & 1) != 0; };
            int starts = 0, oddPairs = 0, evenPairs = 0;
            for (int k = 0; k < 8; k += 2) {
                starts += !on(k) && (on(k + 1) || on(k + 2));
                oddPairs += on(k + 7) || on(k), evenPairs += on(k) || on(k + 1);
            }
            const int pairs = std::min(oddPairs, evenPairs);
            const bool mayGo = starts == 1 && pairs >= 2 && pairs <= 3;
            all[0][size_t(bits)] = mayGo && !((on(4) || on(5) || !on(7)) && on(6));
            all[1][size_t(bits)] = mayGo && !((on(0) || on(1) || !on(3)) && on(2));
        }
        return all;
    }();
    return rules;
}

/// Thins the ink in `mask` to centre lines of one pixel. The outermost row and column on each side must be empty.
inline std::vector<cv::Point> thinned(cv::Mat &mask) {
    // Only pixels at the ink's rim can be removed, so interior pixels wait until the rim reaches them. `waiting` is 1
    // for a pixel that has not been at the rim.
    std::vector<cv::Point> rim, gone;
    cv::Mat waiting = cv::Mat::zeros(mask.size(), CV_8U);
    for (int y = 1; y + 1 < mask.rows; y++) {
        const uint8_t *row = mask.ptr(y);
        uint8_t *waits = waiting.ptr(y);
        for (int x = 1; x + 1 < mask.cols; x++) {
            if (!row[x]) continue;
            if (around(mask, x, y) == 255) waits[x] = 1; else rim.push_back({x, y});
        }
    }
    const auto &rules = thinningRules();
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto &rule : rules) {
            gone.clear();
            size_t kept = 0;
            for (const cv::Point &p : rim)
                if (rule[size_t(around(mask, p.x, p.y))]) gone.push_back(p); else rim[kept++] = p;
            rim.resize(kept);
            if (gone.empty()) continue;
            changed = true;
            for (const cv::Point &p : gone) mask.at<uint8_t>(p) = 0;
            for (const cv::Point &p : gone)
                for (int y = p.y - 1; y <= p.y + 1; y++)
                    for (int x = p.x - 1; x <= p.x + 1; x++)
                        if (waiting.at<uint8_t>(y, x)) waiting.at<uint8_t>(y, x) = 0, rim.push_back({x, y});
        }
    }
    std::vector<cv::Point> ink;
    for (int y = 1; y + 1 < mask.rows; y++) {
        const uint8_t *row = mask.ptr(y);
        for (int x = 1; x + 1 < mask.cols; x++)
            if (row[x]) ink.push_back({x, y});
    }
    return ink;
}

/// A point of a centre line and its direction.
struct Place {
    cv::Point2d at;
    double angle = 0;        // 0…π; undefined at a junction
    bool isReliable = false;
    double half = 0;         // half of the stroke's width
};

inline std::vector<Place> placesOf(const cv::Mat &middles, const std::vector<cv::Point> &points, const cv::Mat &depth) {
    std::vector<Place> places;
    places.reserve(points.size());
    const int reach = 4;
    for (const cv::Point &p : points) {
        double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
        for (int y = std::max(0, p.y - reach); y <= std::min(middles.rows - 1, p.y + reach); y++) {
            const uint8_t *row = middles.ptr(y);
            for (int x = std::max(0, p.x - reach); x <= std::min(middles.cols - 1, p.x + reach); x++) {
                if (!row[x]) continue;
                const double u = x - p.x, v = y - p.y;
                n++, sx += u, sy += v, xx += u * u, yy += v * v, xy += u * v;
            }
        }
        xx -= sx * sx / n, yy -= sy * sy / n, xy -= sx * sy / n;
        Place place;
        place.at = p;
        place.angle = 0.5 * std::atan2(2 * xy, xx - yy);
        if (place.angle < 0) place.angle += CV_PI;
        const double spread = std::hypot(xx - yy, 2 * xy);
        place.isReliable = n >= 4 && spread > 0.75 * (xx + yy);
        place.half = depth.empty() ? 1 : depth.at<float>(p);
        places.push_back(place);
    }
    return places;
}

/// Fits a stroke to nearby centre lines and measures its extent without a large gap. False if there are too few.
inline bool settle(const std::vector<Place> &places, Stroke &line, double reach, double largestGap, double fewest) {
    for (int round = 0; round < 4; round++) {
        std::vector<cv::Point2f> points;
        std::vector<std::pair<double, float>> runs;      // position along the stroke, half of the width
        for (const Place &p : places) {
            if (std::abs(line.across(p.at)) > reach) continue;
            if (p.isReliable && turnBetween(p.angle, line.angle()) > 0.45) continue;
            const double t = line.coordinate(p.at);
            if (round > 0 && (t < line.from - 2 * largestGap || t > line.to + 2 * largestGap)) continue;
            points.push_back(cv::Point2f(p.at));
            runs.push_back({t, float(p.half)});
        }
        if (points.size() < fewest) return false;
        std::sort(runs.begin(), runs.end());
        size_t first = 0, bestFirst = 0, bestLast = 0;
        for (size_t i = 0; i < runs.size(); i++) {
            if (i && runs[i].first - runs[i - 1].first > largestGap) first = i;
            if (runs[i].first - runs[first].first > runs[bestLast].first - runs[bestFirst].first) bestFirst = first, bestLast = i;
        }
        line.from = runs[bestFirst].first, line.to = runs[bestLast].first;
        std::vector<cv::Point2f> own;
        for (const auto &p : points) {
            const double t = line.coordinate(p);
            if (t >= line.from - 1e-6 && t <= line.to + 1e-6) own.push_back(p);
        }
        if (own.size() < fewest) return false;
        // A diagonal line has fewer pixels than its length.
        const double step = std::max(std::abs(line.along.x), std::abs(line.along.y));
        std::vector<int> columns;
        for (const auto &p : own) columns.push_back(cvRound(std::abs(line.along.x) > std::abs(line.along.y) ? p.x : p.y));
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        line.support = std::min(1.0, double(columns.size()) / std::max(1.0, line.length() * step));
        std::vector<float> halves;
        for (size_t i = bestFirst; i <= bestLast; i++) halves.push_back(runs[i].second);
        std::nth_element(halves.begin(), halves.begin() + long(halves.size() / 2), halves.end());
        line.half = halves[halves.size() / 2];
        // A tolerance of one pixel keeps thin lines even.
        line.evenness = double(std::count_if(halves.begin(), halves.end(), [&](float h) {
                            return h + 1 > 0.6 * (line.half + 1) && h + 1 < 1.6 * (line.half + 1);
                        })) / double(halves.size());
        if (round == 3) break;
        // Least squares with Huber weights: points far from the previous line have less weight.
        double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
        for (const auto &p : own) {
            const double weight = std::min(1.0, 0.35 * reach / std::max(1e-6, std::abs(line.across(p))));
            const double u = p.x - line.at.x, v = p.y - line.at.y;
            n += weight, sx += weight * u, sy += weight * v, xx += weight * u * u, yy += weight * v * v, xy += weight * u * v;
        }
        const double turn = 0.5 * std::atan2(2 * (xy - sx * sy / n), xx - sx * sx / n - yy + sy * sy / n);
        Stroke next = line;
        next.along = {std::cos(turn), std::sin(turn)};
        if (next.along.dot(line.along) < 0) next.along = -next.along;
        next.at = line.at + cv::Point2d(sx / n, sy / n);
        next.from = next.coordinate(line.point(line.from)), next.to = next.coordinate(line.point(line.to));
        line = next;
    }
    return true;
}

/// The straight strokes among the centre lines, longest first. `size` is the size of the drawing; `sway` is the
/// allowed curvature relative to it.
inline std::vector<Stroke> strokesOf(const std::vector<Place> &places, double size, double shortest, size_t most, double sway) {
    std::vector<Stroke> strokes;
    if (places.size() < 8) return strokes;
    constexpr int turns = 60;
    const double bin = std::max(1.5, 0.012 * size), reach = std::max(1.6, sway * size), gap = std::max(4.0, 0.1 * size);
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const Place &p : places)
        left = std::min(left, p.at.x), right = std::max(right, p.at.x), top = std::min(top, p.at.y), bottom = std::max(bottom, p.at.y);
    const cv::Point2d origin((left + right) / 2, (top + bottom) / 2);
    const int half = int(std::hypot(right - left, bottom - top) / 2 / bin) + 2, bins = 2 * half + 1;
    std::array<cv::Point2d, turns> normals;
    for (int k = 0; k < turns; k++) normals[size_t(k)] = {-std::sin(CV_PI * k / turns), std::cos(CV_PI * k / turns)};
    std::vector<int> votes(size_t(turns * bins), 0);
    const auto vote = [&](const Place &p, int weight) {
        const int first = p.isReliable ? cvRound(p.angle / CV_PI * turns) - 4 : 0, count = p.isReliable ? 9 : turns;
        for (int i = 0; i < count; i++) {
            const int k = (first + i + turns) % turns;
            const int r = cvRound((p.at - origin).dot(normals[size_t(k)]) / bin) + half;
            if (r >= 0 && r < bins) votes[size_t(k * bins + r)] += weight;
        }
    };
    for (const Place &p : places) vote(p, 1);
    std::vector<bool> used(places.size(), false);
    for (size_t tries = 0; tries < 2 * most && strokes.size() < most; tries++) {
        int best = 0, bestK = 0, bestR = 0;
        for (int k = 0; k < turns; k++)
            for (int r = 0; r + 1 < bins; r++) {
                const int sum = votes[size_t(k * bins + r)] + votes[size_t(k * bins + r + 1)];
                if (sum > best) best = sum, bestK = k, bestR = r;
            }
        if (best < 0.5 * shortest) break;
        Stroke line;
        line.along = {std::cos(CV_PI * bestK / turns), std::sin(CV_PI * bestK / turns)};
        line.at = origin + normals[size_t(bestK)] * ((bestR + 0.5 - half) * bin);
        const bool good = settle(places, line, reach, gap, 0.4 * shortest);
        bool known = false;
        if (good)
            for (const Stroke &other : strokes)
                known = known || (turnBetween(line.angle(), other.angle()) < 0.12 && std::abs(other.across(line.point((line.from + line.to) / 2))) < reach &&
                                  other.coordinate(line.at) > other.from && other.coordinate(line.at) < other.to);
        if (good && !known && line.length() >= shortest && line.support >= 0.55) strokes.push_back(line);
        // Points vote only once.
        bool any = false;
        const Stroke raw = good ? line : Stroke{};
        for (size_t i = 0; i < places.size(); i++) {
            if (used[i]) continue;
            const bool near = good && std::abs(raw.across(places[i].at)) <= reach && raw.coordinate(places[i].at) >= raw.from - 1 &&
                              raw.coordinate(places[i].at) <= raw.to + 1;
            const int r = cvRound((places[i].at - origin).dot(normals[size_t(bestK)]) / bin) + half;
            const bool same = r == bestR || r == bestR + 1;
            if (!near && !(same && !good) && !(same && known)) continue;
            if (!near && places[i].isReliable && turnBetween(places[i].angle, CV_PI * bestK / turns) > 0.3) continue;
            vote(places[i], -1), used[i] = true, any = true;
        }
        if (!any) {
            votes[size_t(bestK * bins + bestR)] = 0, votes[size_t(bestK * bins + bestR + 1)] = 0;
        }
    }
    std::sort(strokes.begin(), strokes.end(), [](const Stroke &a, const Stroke &b) { return a.length() > b.length(); });
    return strokes;
}

/// Joins collinear strokes that an object, such as a card, divides.
inline std::vector<Stroke> joined(std::vector<Stroke> strokes, double size) {
    for (size_t i = 0; i < strokes.size(); i++)
        for (size_t j = i + 1; j < strokes.size();) {
            Stroke &a = strokes[i];
            const Stroke &b = strokes[j];
            const cv::Point2d p = b.point(b.from), q = b.point(b.to);
            const double low = std::min(a.coordinate(p), a.coordinate(q)), high = std::max(a.coordinate(p), a.coordinate(q));
            const double gap = std::max(low - a.to, a.from - high), reach = 0.025 * size + 1;
            const bool goesOn = turnBetween(a.angle(), b.angle()) < 0.2 && std::max(std::abs(a.across(p)), std::abs(a.across(q))) < 2.5 * reach &&
                                std::abs(a.across((p + q) * 0.5)) < 1.7 * reach && gap > -0.05 * size && gap < 0.32 * size;
            if (!goesOn) { j++; continue; }
            const double inked = a.support * a.length() + b.support * b.length();
            // Through the farthest two of the four ends.
            const bool isForward = a.coordinate(p) < a.coordinate(q);
            const cv::Point2d first = low < a.from ? (isForward ? p : q) : a.point(a.from), last = high > a.to ? (isForward ? q : p) : a.point(a.to);
            a.at = (first + last) * 0.5;
            a.along = (last - first) * (1 / cv::norm(last - first));
            a.to = cv::norm(last - first) / 2, a.from = -a.to;
            a.support = std::min(1.0, inked / a.length());
            strokes.erase(strokes.begin() + long(j));
            j = i + 1;
        }
    return strokes;
}
} // namespace grid
