#include "include/cv_strokes.h"
#include "cv_image.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace {
cv::Mat points(const int32_t *xy, int count) { return cv::Mat(count, 1, CV_32SC2, const_cast<int32_t *>(xy)); }

/// The neighbours of a pixel as eight bits, clockwise from above.
int around(const cv::Mat &mask, int x, int y) {
    const uint8_t *a = mask.ptr(y - 1) + x, *b = mask.ptr(y) + x, *c = mask.ptr(y + 1) + x;
    return (a[0] ? 1 : 0) | (a[1] ? 2 : 0) | (b[1] ? 4 : 0) | (c[1] ? 8 : 0) | (c[0] ? 16 : 0) | (c[-1] ? 32 : 0) |
           (b[-1] ? 64 : 0) | (a[-1] ? 128 : 0);
}

/// Pixels that may be removed in both sub-iterations of thinning (Guo and Hall 1989). It keeps diagonal lines two
/// pixels wide, which other algorithms erase.
const std::array<std::array<bool, 256>, 2> &thinningRules() {
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

void thin(cv::Mat &mask) {
    // Only pixels at the ink's rim can be removed, so interior pixels wait until the rim reaches them. `waiting` is 1
    // for a pixel that has not been at the rim.
    std::vector<cv::Point> rim, gone;
    cv::Mat waiting = cv::Mat::zeros(mask.size(), CV_8U);
    for (int y = 1; y + 1 < mask.rows; y++) {
        const uint8_t *row = mask.ptr(y);
        uint8_t *waits = waiting.ptr(y);
        for (int x = 1; x + 1 < mask.cols; x++) {
            if (!row[x]) continue;
            if (around(mask, x, y) == 255) waits[x] = 1;
            else rim.push_back({x, y});
        }
    }
    const auto &rules = thinningRules();
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto &rule : rules) {
            gone.clear();
            size_t kept = 0;
            for (const cv::Point &p : rim)
                if (rule[size_t(around(mask, p.x, p.y))]) gone.push_back(p);
                else rim[kept++] = p;
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
}

double turnBetween(double a, double b) {
    const double d = std::fmod(std::abs(a - b), CV_PI);
    return std::min(d, CV_PI - d);
}
} // namespace

int tcv_ellipse_fit(const int32_t *xy, int count, int how, tcv_ellipse *ellipse) {
    return guarded([&] {
        if (!xy || !ellipse || count < 5) return int(TCV_E_ARGUMENT);
        const cv::Mat from = points(xy, count);
        const cv::RotatedRect box = how == TCV_DIRECT ? cv::fitEllipseDirect(from) : cv::fitEllipse(from);
        *ellipse = {box.center.x, box.center.y, box.size.width, box.size.height, box.angle};
        return int(TCV_OK);
    });
}

int tcv_mask_thin(tcv_image *mask) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1)) return int(TCV_E_ARGUMENT);
        cv::Mat ink = matrix(mask);
        thin(ink);
        return int(TCV_OK);
    });
}

int tcv_mask_depth(const tcv_image *mask, tcv_image *depth) {
    return converted(mask, depth, [&](const cv::Mat &source, cv::Mat &target) {
        cv::distanceTransform(source, target, cv::DIST_L2, 3);
    });
}

int tcv_mask_points(const tcv_image *mask, int32_t *xy, int capacity, int *count) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || (capacity > 0 && !xy) || !count) return int(TCV_E_ARGUMENT);
        std::vector<cv::Point> found;
        cv::findNonZero(matrix(mask), found);
        std::copy_n(reinterpret_cast<const int32_t *>(found.data()), 2 * std::clamp(int(found.size()), 0, capacity),
                    xy);
        *count = int(found.size());
        return int(TCV_OK);
    });
}

int tcv_mask_sums(const tcv_image *mask, double *count, double *x, double *y) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || !count || !x || !y) return int(TCV_E_ARGUMENT);
        const cv::Moments sums = cv::moments(matrix(mask), true);
        *count = sums.m00, *x = sums.m10, *y = sums.m01;
        return int(TCV_OK);
    });
}

int tcv_mask_places(const tcv_image *mask, const tcv_image *depth, int reach, int least_count, double least_share,
                    tcv_place *places, int capacity, int *count) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || (depth && (!isPicture(depth, TCV_F32, 1) || !sameSize(mask, depth))) ||
            reach < 1 || !places || !count)
            return int(TCV_E_ARGUMENT);
        const cv::Mat lines = matrix(mask), half = depth ? matrix(depth) : cv::Mat();
        std::vector<cv::Point> found;
        cv::findNonZero(lines, found);
        *count = std::min(int(found.size()), capacity);
        for (int i = 0; i < *count; i++) {
            const cv::Point p = found[size_t(i)];
            double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
            for (int y = std::max(0, p.y - reach); y <= std::min(lines.rows - 1, p.y + reach); y++) {
                const uint8_t *row = lines.ptr(y);
                for (int x = std::max(0, p.x - reach); x <= std::min(lines.cols - 1, p.x + reach); x++) {
                    if (!row[x]) continue;
                    const double u = x - p.x, v = y - p.y;
                    n++, sx += u, sy += v, xx += u * u, yy += v * v, xy += u * v;
                }
            }
            xx -= sx * sx / n, yy -= sy * sy / n, xy -= sx * sy / n;
            double angle = std::atan2(2 * xy, xx - yy) / 2;
            if (angle < 0) angle += CV_PI;
            const bool isReliable = n >= least_count && std::hypot(xx - yy, 2 * xy) > least_share * (xx + yy);
            places[i] = {double(p.x), double(p.y), angle, depth ? half.at<float>(p) : 1, isReliable};
        }
        return int(TCV_OK);
    });
}

int tcv_places_near(const tcv_place *places, int count, const tcv_corridor *corridor, int32_t *which, int *near) {
    return guarded([&] {
        if (!places || !corridor || !which || !near) return int(TCV_E_ARGUMENT);
        const tcv_corridor &c = *corridor;
        double angle = std::atan2(c.along_y, c.along_x);
        if (angle < 0) angle += CV_PI;
        *near = 0;
        for (int i = 0; i < count; i++) {
            const tcv_place &p = places[i];
            const double x = p.x - c.x, y = p.y - c.y, along = x * c.along_x + y * c.along_y;
            if (std::abs(c.along_x * y - c.along_y * x) > c.reach || along < c.from || along > c.to) continue;
            if (p.is_reliable && turnBetween(p.angle, angle) > c.turn) continue;
            which[(*near)++] = i;
        }
        return int(TCV_OK);
    });
}

int tcv_votes_add(const tcv_votes *votes, const double *normals, const tcv_place *places, const int32_t *which,
                  int count, int weight, int32_t *counts) {
    if (!votes || !normals || !places || !counts || votes->turns < 1 || votes->bins < 1 || !(votes->bin > 0))
        return TCV_E_ARGUMENT;
    const int turns = votes->turns, bins = votes->bins;
    for (int i = 0; i < count; i++) {
        const tcv_place &p = places[which ? which[i] : i];
        const int first = p.is_reliable ? cvRound(p.angle / CV_PI * turns) - votes->window + turns : 0;
        const int end = p.is_reliable ? first + 2 * votes->window + 1 : turns;
        for (int j = first; j < end; j++) {
            const double *normal = normals + 2 * (j % turns);
            const int r =
                cvRound(((p.x - votes->x) * normal[0] + (p.y - votes->y) * normal[1]) / votes->bin) + bins / 2;
            if (r >= 0 && r < bins) counts[j % turns * bins + r] += weight;
        }
    }
    return TCV_OK;
}

int tcv_votes_peak(const tcv_votes *votes, const int32_t *counts, int *turn, int *bin, int *sum) {
    if (!votes || !counts || !turn || !bin || !sum) return TCV_E_ARGUMENT;
    *turn = *bin = *sum = 0;
    for (int k = 0; k < votes->turns; k++) {
        const int32_t *row = counts + k * votes->bins;
        for (int r = 0; r + 1 < votes->bins; r++)
            if (row[r] + row[r + 1] > *sum) *sum = row[r] + row[r + 1], *turn = k, *bin = r;
    }
    return TCV_OK;
}

int tcv_outline_bays(const int32_t *xy, int count, tcv_bay *bays, int *bay_count) {
    return guarded([&] {
        if (!xy || !bays || !bay_count || count < 4) return int(TCV_E_ARGUMENT);
        const cv::Mat outline = points(xy, count);
        std::vector<int> hull;
        cv::convexHull(outline, hull);
        // A self-touching outline has no order along it.
        if (hull.size() < 4 ||
            !(std::is_sorted(hull.begin(), hull.end()) || std::is_sorted(hull.rbegin(), hull.rend())))
            std::sort(hull.begin(), hull.end());
        std::vector<cv::Vec4i> found;
        cv::convexityDefects(outline, hull, found);
        std::sort(found.begin(), found.end(), [](const cv::Vec4i &a, const cv::Vec4i &b) { return a[3] > b[3]; });
        *bay_count = int(found.size());
        // Fixed point of eight bits.
        for (size_t i = 0; i < found.size(); i++) bays[i] = {found[i][2], found[i][3] / 256.0};
        return int(TCV_OK);
    });
}
