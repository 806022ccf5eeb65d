// Locates a grid of two lines in each direction: the four strokes, and a frame around them if there is one.
#pragma once
#include "cv_grid_strokes.hpp"

namespace grid {
/// Two lines that run down and two that run across, in pixels of a working picture.
struct Found {
    Stroke lines[4];                // left, right, upper, lower
    cv::Matx33d toPicture;          // squares → pixels
    std::vector<Stroke> frame;      // lines around it
    double quality = -1;            // 0…1
};

inline cv::Point2d mapped(const cv::Matx33d &H, const cv::Point2d &p) {
    const cv::Vec3d q = H * cv::Vec3d(p.x, p.y, 1);
    return {q[0] / q[2], q[1] / q[2]};
}

/// Four strokes as a grid; the quality is below 0 if they are none.
inline Found gridOf(const Stroke *four[4], const std::vector<Stroke> &all, const cv::Size &picture, double size) {
    Found found;
    cv::Point2d at[4];
    const int pairs[4][2] = {{0, 2}, {1, 2}, {1, 3}, {0, 3}};
    double slant = CV_PI / 2;
    for (int m = 0; m < 4; m++) {
        if (!crossing(*four[pairs[m][0]], *four[pairs[m][1]], at[m])) return found;
        slant = std::min(slant, turnBetween(four[pairs[m][0]]->angle(), four[pairs[m][1]]->angle()));
    }
    const cv::Point2d ends[4][2] = {{at[0], at[3]}, {at[1], at[2]}, {at[0], at[1]}, {at[3], at[2]}};
    const auto atRim = [&](const cv::Point2d &p) {
        const double rim = 0.02 * std::max(picture.width, picture.height) + 2;
        return p.x < rim || p.y < rim || p.x > picture.width - 1 - rim || p.y > picture.height - 1 - rim;
    };
    double least = 1e9, longest = 0, support = 0, length = 0, evenness = 0, shortest[2] = {1e9, 1e9}, sides[4], thin = 1e9, thick = 0, uneven = 0;
    for (int m = 0; m < 4; m++) {
        const Stroke &line = *four[m];
        const double s = line.coordinate(ends[m][0]), t = line.coordinate(ends[m][1]), gap = std::abs(t - s);
        if (gap < 12) return found;
        double before = (std::min(s, t) - line.from) / gap, after = (line.to - std::max(s, t)) / gap;
        longest = std::max({longest, before, after});
        uneven = std::max(uneven, std::abs(before - after));
        // Lines that leave the picture are longer than their visible part.
        if (atRim(line.point(line.from)) && before > 0.05) before = std::max(before, 0.5);
        if (atRim(line.point(line.to)) && after > 0.05) after = std::max(after, 0.5);
        least = std::min({least, before, after});
        sides[m] = gap;
        support += line.support / 4, length += line.length() / 4, shortest[m / 2] = std::min(shortest[m / 2], line.length());
        evenness += line.evenness / 4;
        thin = std::min(thin, line.half), thick = std::max(thick, line.half);
    }
    if (least < 0.12 || longest > 3.2) return found;
    const double ratio[2] = {std::min(sides[0], sides[1]) / std::max(sides[0], sides[1]), std::min(sides[2], sides[3]) / std::max(sides[2], sides[3])};
    const double down = (sides[0] + sides[1]) / 2, across = (sides[2] + sides[3]) / 2, square = std::min(down, across) / std::max(down, across);
    if (std::min(ratio[0], ratio[1]) < 0.6 || square < 0.2) return found;
    // Bars wider than half of a square are not drawn lines.
    if (4 * thick > std::min(down, across)) return found;
    const cv::Point2f inner[4] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}}, seen[4] = {at[0], at[1], at[2], at[3]};
    if (cv::contourArea(std::vector<cv::Point2f>(seen, seen + 4), true) < 0) return found;
    const cv::Matx33d H = cv::getPerspectiveTransform(inner, seen), back = H.inv();
    // Other long parallel lines: a frame is allowed; more indicate a table, a window or a floor.
    int within = 0;
    for (const Stroke &line : all) {
        bool own = false;
        for (int m = 0; m < 4; m++) own = own || &line == four[m];
        if (own) continue;
        const cv::Point2d a = mapped(back, line.point(line.from)), b = mapped(back, line.point(line.to));
        const double dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
        if (std::max(dx, dy) < 1.15 || std::min(dx, dy) > 0.3 * std::max(dx, dy)) continue;
        const bool runsDown = dy > dx;
        const double place = runsDown ? (a.x + b.x) / 2 : (a.y + b.y) / 2, low = runsDown ? std::min(a.y, b.y) : std::min(a.x, b.x),
                     high = runsDown ? std::max(a.y, b.y) : std::max(a.x, b.x);
        if (high < 0.7 || low > 2.3) continue;
        if (std::min(std::abs(place), std::abs(place - 3)) < 0.35) {
            if (high - low > 1.8) found.frame.push_back(line);
        } else if (place < 0 || place > 3) {
            if (place > -2.6 && place < 5.6) return Found{};
        } else if (std::min(std::abs(place - 1), std::abs(place - 2)) > 0.2 && (++within > 1 || line.length() > 0.95 * shortest[runsDown ? 0 : 1])) {
            // A line may strike out three marks, but then it is shorter than the grid's lines.
            return Found{};
        }
    }
    const auto fade = [](double value, double none, double full) { return std::clamp((value - none) / (full - none), 0.0, 1.0); };
    for (int m = 0; m < 4; m++) found.lines[m] = *four[m];
    found.toPicture = H;
    found.quality = support * (0.3 + 0.7 * fade(evenness, 0.5, 0.75)) * (0.6 + 0.4 * fade(least, 0.12, 0.5)) * (1 - 0.5 * fade(longest, 1.6, 3.2)) * (1 - 0.3 * fade(uneven, 0.8, 2)) *
                    (0.5 + 0.5 * fade(square, 0.2, 0.35)) * (0.4 + 0.6 * fade(slant, 0.65, 1.0)) * (0.5 + 0.5 * fade(std::min(ratio[0], ratio[1]), 0.6, 0.8)) *
                    (0.5 + 0.5 * fade(thin / std::max(0.5, thick), 0.25, 0.5)) * (0.6 + 0.4 * fade(length / size, 0.4, 0.75));
    return found;
}

/// Minimum quality of a grid.
constexpr double minQuality = 0.6;
/// Quality at which the search ends.
constexpr double sufficientQuality = 0.93;

/// The best grid of these strokes.
inline Found bestGrid(const std::vector<Stroke> &strokes, const cv::Size &picture, double size) {
    Found best;
    std::vector<std::pair<size_t, size_t>> pairs;
    const double longest = strokes.empty() ? 0 : std::max_element(strokes.begin(), strokes.end(), [](const Stroke &a, const Stroke &b) { return a.length() < b.length(); })->length();
    for (size_t i = 0; i < strokes.size(); i++)
        for (size_t j = i + 1; j < strokes.size(); j++)
            if (turnBetween(strokes[i].angle(), strokes[j].angle()) < 0.45 && std::min(strokes[i].length(), strokes[j].length()) > 0.25 * longest &&
                std::min(strokes[i].length(), strokes[j].length()) > 0.4 * std::max(strokes[i].length(), strokes[j].length()))
                pairs.push_back({i, j});
    for (size_t a = 0; a < pairs.size(); a++)
        for (size_t b = a + 1; b < pairs.size(); b++) {
            const Stroke *p[2] = {&strokes[pairs[a].first], &strokes[pairs[a].second]}, *q[2] = {&strokes[pairs[b].first], &strokes[pairs[b].second]};
            if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]) continue;
            if (turnBetween(p[0]->angle(), q[0]->angle()) < 0.65 || turnBetween(p[1]->angle(), q[1]->angle()) < 0.65) continue;
            // Lines nearer to the vertical run down; left before right, upper before lower.
            const auto steep = [](const Stroke *const *two) { return turnBetween(two[0]->angle(), CV_PI / 2) + turnBetween(two[1]->angle(), CV_PI / 2); };
            if (steep(q) < steep(p)) std::swap(p[0], q[0]), std::swap(p[1], q[1]);
            cv::Point2d one, two;
            if (!crossing(*p[0], *q[0], one) || !crossing(*p[1], *q[0], two)) continue;
            if ((two - one).dot(q[0]->along * (q[0]->along.x < 0 ? -1 : 1)) < 0) std::swap(p[0], p[1]);
            if (!crossing(*p[0], *q[0], one) || !crossing(*p[0], *q[1], two)) continue;
            if ((two - one).dot(p[0]->along * (p[0]->along.y < 0 ? -1 : 1)) < 0) std::swap(q[0], q[1]);
            const Stroke *four[4] = {p[0], p[1], q[0], q[1]};
            const Found one_ = gridOf(four, strokes, picture, size);
            if (one_.quality > best.quality) best = one_;
        }
    return best;
}

/// The centre lines of one part of the ink.
inline std::vector<Place> middlesOf(const cv::Mat &labels, int k, const cv::Rect &box) {
    const int pad = 2;
    cv::Mat own = cv::Mat::zeros(box.height + 2 * pad, box.width + 2 * pad, CV_8U), depth;
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++)
            if (labels.at<int>(box.y + y, box.x + x) == k) own.at<uint8_t>(y + pad, x + pad) = 255;
    cv::distanceTransform(own, depth, cv::DIST_L2, 3);
    const std::vector<cv::Point> points = thinned(own);
    std::vector<Place> places = placesOf(own, points, depth);
    for (Place &p : places) p.at += cv::Point2d(box.x - pad, box.y - pad), p.half = std::max(0.5, p.half - 1);
    return places;
}

/// Searches for a grid among these centre lines.
inline void take(const std::vector<Place> &places, const cv::Size &picture, Found &best) {
    if (places.size() < 40) return;
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const Place &p : places)
        left = std::min(left, p.at.x), right = std::max(right, p.at.x), top = std::min(top, p.at.y), bottom = std::max(bottom, p.at.y);
    const double size = std::max(right - left, bottom - top);
    // Straight lines first; if they form no grid, curved ones are allowed.
    for (const double sway : {0.03, 0.05}) {
        if (best.quality > sufficientQuality) break;
        const Found one = bestGrid(joined(strokesOf(places, size, 0.12 * size, 24, sway), size), picture, size);
        if (one.quality > best.quality) best = one;
    }
}

/// The best grid in one working picture.
inline Found gridIn(const cv::Mat &grey) {
    constexpr int window = 35;       // strokes are narrower at one of the scales
    Found best;
    const double longSide = std::max(grey.cols, grey.rows);
    const cv::Mat dark = darkness(grey, window);
    const int strongest = quantile(dark, 0.995);
    if (strongest < 20) return best;
    const double grain = 12 + 2.5 * quantile(dark, 0.5);
    int before = 0;
    // Print beside thin lines may be much darker than they are.
    for (const double part : {0.5, 0.22, 0.1}) {
        if (best.quality > sufficientQuality) break;
        const int level = int(std::max(grain, part * strongest));
        if (before && level > before - 8) break;
        before = level;
        cv::Mat mask, labels, stats, centres;
        cv::threshold(dark, mask, level, 255, cv::THRESH_BINARY);
        // Closes small gaps between strokes.
        cv::dilate(mask, mask, cv::Mat());
        const int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8, CV_32S);
        std::vector<int> large;
        for (int k = 1; k < count; k++)
            {
            const int w = stats.at<int>(k, cv::CC_STAT_WIDTH), h = stats.at<int>(k, cv::CC_STAT_HEIGHT);
            // A part that fills most of its box is an object, not a drawing.
            if (std::min(w, h) > std::max(24.0, 0.06 * longSide) && stats.at<int>(k, cv::CC_STAT_AREA) < 0.62 * w * h) large.push_back(k);
        }
        std::sort(large.begin(), large.end(), [&](int a, int b) { return stats.at<int>(a, cv::CC_STAT_AREA) > stats.at<int>(b, cv::CC_STAT_AREA); });
        if (large.size() > 5) large.resize(5);
        // Each part by itself, then all together, because an object on the grid may occlude a crossing.
        std::vector<std::vector<Place>> drawings;
        for (const int k : large) {
            drawings.push_back(middlesOf(labels, k, {stats.at<int>(k, cv::CC_STAT_LEFT), stats.at<int>(k, cv::CC_STAT_TOP), stats.at<int>(k, cv::CC_STAT_WIDTH),
                                                     stats.at<int>(k, cv::CC_STAT_HEIGHT)}));
            take(drawings.back(), grey.size(), best);
        }
        if (best.quality > sufficientQuality) continue;
        for (int k = 1; k < count; k++) {
            const int w = stats.at<int>(k, cv::CC_STAT_WIDTH), h = stats.at<int>(k, cv::CC_STAT_HEIGHT);
            if (std::max(w, h) < std::max(12.0, 0.05 * longSide) || std::find(large.begin(), large.end(), k) != large.end() || drawings.size() > 40) continue;
            drawings.push_back(middlesOf(labels, k, {stats.at<int>(k, cv::CC_STAT_LEFT), stats.at<int>(k, cv::CC_STAT_TOP), w, h}));
        }
        if (drawings.size() < 2) continue;
        std::vector<Place> all;
        for (const auto &one : drawings) all.insert(all.end(), one.begin(), one.end());
        if (all.size() < 6000) take(all, grey.size(), best);
    }
    return best;
}
} // namespace grid
