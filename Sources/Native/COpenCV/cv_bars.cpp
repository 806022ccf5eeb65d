#include "include/cv_bars.h"
#include "cv_straight.hpp"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
struct Bar {
    cv::Point2d at;              // working pixels
    double angle = 0, length = 0, thickness = 0, contrast = 0;
    int sign = 1;                // 1 if it is lighter than its background
};

/// A round spot of ink, such as a pip.
struct Spot {
    cv::Point2d at;
    double size;
    int sign;
};

/// Fits a bar to an outline of ink; false if it is not straight or its background is not uniform.
bool barOf(const cv::Mat &grey, const std::vector<cv::Point> &outline, int sign, Bar &bar) {
    const cv::RotatedRect box = cv::minAreaRect(outline);
    // An outline runs through the centres of its pixels.
    const double longer = std::max(box.size.width, box.size.height) + 1, shorter = std::min(box.size.width, box.size.height) + 1;
    const double area = cv::contourArea(outline) + double(outline.size()) / 2 + 1;
    if (longer < 3.5 * shorter || area < 0.6 * longer * shorter) return false;
    const cv::Vec4f line = lineThrough(std::vector<cv::Point2f>(outline.begin(), outline.end()));
    bar.at = box.center, bar.length = longer, bar.thickness = shorter, bar.angle = std::atan2(line[1], line[0]);
    // The background on both sides must have one brightness.
    std::vector<uint8_t> beside, ink;
    const cv::Point2d u(std::cos(bar.angle), std::sin(bar.angle)), v(-u.y, u.x);
    const auto read = [&](const cv::Point2d &p, std::vector<uint8_t> &to) {
        const int x = cvRound(p.x), y = cvRound(p.y);
        if (x < 0 || y < 0 || x >= grey.cols || y >= grey.rows) return false;
        to.push_back(grey.at<uint8_t>(y, x));
        return true;
    };
    for (int i = -8; i <= 8; i++) {
        const cv::Point2d p = bar.at + u * (i / 20.0 * bar.length);
        for (const double off : {-1.0, 1.0})
            if (!read(p + v * (off * (bar.thickness / 2 + 2.5)), beside)) return false;
        if (!read(p, ink)) return false;
    }
    std::sort(beside.begin(), beside.end()), std::sort(ink.begin(), ink.end());
    bar.contrast = sign * (double(ink[ink.size() / 2]) - beside[beside.size() / 2]);
    return bar.contrast > 25 && beside[beside.size() * 9 / 10] - beside[beside.size() / 10] < 0.5 * bar.contrast;
}

bool spotOf(const std::vector<cv::Point> &outline, Spot &spot) {
    const cv::Rect box = cv::boundingRect(outline);
    const double longer = std::max(box.width, box.height), shorter = std::min(box.width, box.height);
    const double area = cv::contourArea(outline) + double(outline.size()) / 2 + 1;
    if (shorter < 3 || longer > 1.5 * shorter || area < 0.6 * longer * shorter || area > 0.92 * longer * shorter + 2) return false;
    spot.at = cv::Point2d(box.x + (box.width - 1) / 2.0, box.y + (box.height - 1) / 2.0), spot.size = (longer + shorter) / 2;
    return true;
}

/// Straight narrow ink, dark on light or light on dark, and round spots of ink.
std::vector<Bar> barsOf(const cv::Mat &grey, double least, double most, const cv::Mat &taken, std::vector<Spot> &spots) {
    std::vector<Bar> bars;
    cv::Mat mean, off, mask;
    // A narrow window separates thin bars from their surroundings; a wide one finds broad bars whole.
    for (const int window : {13, 41}) {
        cv::boxFilter(grey, mean, CV_8U, cv::Size(window, window));
        for (const int sign : {1, -1}) {
            if (sign > 0) cv::subtract(grey, mean, off); else cv::subtract(mean, grey, off);
            cv::threshold(off, mask, 12, 255, cv::THRESH_BINARY);
            std::vector<std::vector<cv::Point>> outlines;
            std::vector<cv::Vec4i> nested;
            cv::findContours(mask, outlines, nested, cv::RETR_CCOMP, cv::CHAIN_APPROX_NONE);
            for (size_t i = 0; i < outlines.size(); i++) {
                const auto &outline = outlines[i];
                if (nested[i][3] >= 0) continue;     // a hole in ink
                if (double(outline.size()) > 3.5 * most) continue;
                Spot spot = {{}, 0, sign};
                if (spotOf(outline, spot)) {
                    const bool isNew = std::none_of(spots.begin(), spots.end(), [&](const Spot &other) { return other.sign == sign && cv::norm(other.at - spot.at) < 0.4 * std::max(other.size, spot.size); });
                    if (isNew && spots.size() < 600) spots.push_back(spot);
                    continue;
                }
                if (double(outline.size()) < 1.4 * least) continue;
                Bar bar;
                bar.sign = sign;
                if (!barOf(grey, outline, sign, bar) || bar.length < least || bar.length > most || taken.at<uint8_t>(bar.at)) continue;
                bool isKnown = false;
                for (Bar &other : bars)
                    if (cv::norm(other.at - bar.at) < 0.4 * std::max(other.length, bar.length)) {
                        if (bar.contrast > 1.2 * other.contrast) other = bar;
                        isKnown = true;
                        break;
                    }
                if (!isKnown) bars.push_back(bar);
            }
        }
    }
    return bars;
}

/// Mean values of strips of a patch.
struct Strips {
    cv::Mat sums;
    int width, height;

    explicit Strips(const cv::Mat &patch) : width(patch.cols), height(patch.rows) { cv::integral(patch, sums, CV_32S); }

    cv::Vec3d mean(int x0, int y0, int x1, int y1) const {
        const auto at = [&](int y, int x) { return sums.at<cv::Vec3i>(y, x); };
        const cv::Vec3i sum = at(y1, x1) - at(y0, x1) - at(y1, x0) + at(y0, x0);
        return cv::Vec3d(sum[0], sum[1], sum[2]) * (1.0 / std::max(1, (x1 - x0) * (y1 - y0)));
    }

    /// The colour step across a line at `at`, between `from` and `to`: of the strips on both sides, or of a seam
    /// against both.
    double step(bool upright, int at, int from, int to, bool seams) const {
        const int n = upright ? width : height;
        if (at < 4 || at > n - 5) return 0;
        const auto strip = [&](int a, int b) { return upright ? mean(a, from, b, to) : mean(from, a, to, b); };
        const cv::Vec3d in = strip(at - 3, at - 1), out = strip(at + 1, at + 3);
        const double across = cv::norm(in - out);
        if (!seams) return across;
        const cv::Vec3d wideIn = strip(at - 4, at - 2), wideOut = strip(at + 2, at + 4);
        return std::max(across, cv::norm(strip(at - 1, at + 1) - (wideIn + wideOut) * 0.5));
    }

    /// The typical step along a side. Pips beside the side affect only some parts.
    double side(bool upright, int at, int from, int to) const {
        double parts[8];
        for (int i = 0; i < 8; i++) parts[i] = step(upright, at, from + (to - from) * i / 8, from + (to - from) * (i + 1) / 8, true);
        std::sort(parts, parts + 8);
        return parts[2];
    }
};

struct Found { double shift = 0, along = 0, half = 0, halfLong = 0, angle = 0, strength = 0, value = 0; };

/// The tile of one width around a bar, in a patch rotated so that the bar is horizontal; all in patch pixels.
Found tileIn(const Strips &strips, double aspect, double half) {
    const int cx = strips.width / 2, cy = strips.height / 2;
    const double halfLong = aspect * half;
    const int inner = int(0.8 * half), innerLong = int(0.85 * halfLong);
    if (cy - innerLong < 0 || cy + innerLong >= strips.height || cx - inner < 0 || cx + inner >= strips.width) return {};
    // A smaller step suffices nearer to the expected position.
    const int reach = std::max(1, int(0.07 * half));
    const auto strongest = [&](bool upright, double expect, double &at) {
        double top = 0, step = 0;
        for (int d = -reach; d <= reach; d++) {
            const int place = cvRound(expect) + d;
            const double here = upright ? strips.side(true, place, cy - innerLong, cy + innerLong) : strips.side(false, place, cx - inner, cx + inner);
            const double value = here * (1 - 0.3 * std::abs(d) / reach);
            if (value > top) top = value, step = here, at = place;
        }
        return step;
    };
    double left = cx - half, right = cx + half, up = cy - halfLong, down = cy + halfLong;
    const double steps[4] = {strongest(true, left, left), strongest(true, right, right), strongest(false, up, up), strongest(false, down, down)};
    const double weakest = *std::min_element(steps, steps + 4);
    // A strong step on one side, for example of a shadow, is no evidence for the others.
    double sum = 0;
    for (const double step : steps) sum += std::min(step, 3 * weakest);
    // Hardly visible sides move nothing; the bar then gives the centre.
    const double trust = std::min(1.0, weakest / 10);
    // The most visible sides determine the rotation, but not whether there is a tile.
    double clear = 0;
    for (const double step : steps) clear += std::min(step, 40.0);
    return {trust * ((left + right) / 2 - cx), trust * ((up + down) / 2 - cy), half + trust * ((right - left) / 2 - half),
            halfLong + trust * ((down - up) / 2 - halfLong), 0, 0.7 * weakest + 0.075 * sum, 0.4 * weakest + 0.15 * clear};
}

cv::Mat patchAbout(const cv::Mat &work, const Bar &bar, double angle, double step, int w, int h) {
    const double c = std::cos(angle) * step, s = std::sin(angle) * step;
    const cv::Matx23d matrix(c, -s, bar.at.x - c * (w / 2) + s * (h / 2), s, c, bar.at.y - s * (w / 2) - c * (h / 2));
    cv::Mat patch;
    cv::warpAffine(work, patch, matrix, cv::Size(w, h), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    return patch;
}

/// How well the pips beside a bar match a tile of this width, 0…2: the pips of each half are centred in it, whatever
/// their number. `across` receives the direction across the bar in which they lie, if any.
double pipScore(const Bar &bar, const std::vector<Spot> &spots, double aspect, double side, cv::Point2d *across = nullptr) {
    const cv::Point2d u(std::cos(bar.angle), std::sin(bar.angle)), v(-u.y, u.x);
    const double halfLong = aspect * side / 2;
    double suits = 0;
    for (const int way : {-1, 1}) {
        cv::Point2d sum(0, 0);
        double left = 0, right = 0, near = 1e9, far = 0;
        int count = 0;
        for (const Spot &spot : spots) {
            if (spot.sign != bar.sign || spot.size < 0.09 * side || spot.size > 0.34 * side) continue;
            const cv::Point2d p(u.dot(spot.at - bar.at), way * v.dot(spot.at - bar.at));
            if (p.y < 0.08 * side || p.y > halfLong + 0.08 * side || std::abs(p.x) > 0.58 * side) continue;
            // A spot on the rim belongs to a neighbour, which excludes this width.
            if (p.y > 0.95 * halfLong || std::abs(p.x) > 0.46 * side) { count = 99; break; }
            sum += p, count++;
            left = std::min(left, p.x), right = std::max(right, p.x), near = std::min(near, p.y), far = std::max(far, p.y);
        }
        if (!count || count > 12) continue;
        const double n = double(count), off = std::hypot(sum.x / n, sum.y / n - halfLong / 2) / side;
        const double uneven = std::hypot(left + right, near + far - halfLong) / side;
        const double suit = std::exp(-(off * off + 0.25 * uneven * uneven) / (0.05 * 0.05));
        suits += suit;
        if (across && suit > 0.4) *across += (u * sum.x + v * (way * sum.y)) * (way / n);
    }
    return suits;
}

/// Relative step between candidate widths.
const double finer = 0.02;

/// The most common width of tiles around bars, in working pixels; 0 if there are none.
double commonSide(const cv::Mat &work, const std::vector<Bar> &bars, const std::vector<Spot> &spots, double aspect) {
    if (bars.empty()) return 0;
    double shortest = 1e9, longest = 0;
    for (const Bar &bar : bars) shortest = std::min(shortest, bar.length), longest = std::max(longest, bar.length);
    const double first = 0.96 * shortest;
    const int count = int(std::log(2.1 * longest / first) / finer) + 1;
    std::vector<double> votes(size_t(count), 0);
    for (const Bar &bar : bars) {
        // From the bar's own length to twice that, in coarse pixels along the bar.
        const double step = std::max(0.7, bar.length / 24), least = 0.96 * bar.length, most = 2.1 * bar.length;
        const int w = 2 * int(0.56 * most / step + 8) + 1, h = 2 * int(0.56 * aspect * most / step + 8) + 1;
        const Strips strips(patchAbout(work, bar, bar.angle, step, w, h));
        std::vector<double> own(size_t(count), 0);
        for (int i = 0; i < count; i++) {
            const double side = first * std::exp(i * finer);
            if (side < least || side > most) continue;
            const Found found = tileIn(strips, aspect, side / 2 / step);
            own[size_t(i)] = std::min(12.0, found.strength) / 12 + pipScore(bar, spots, aspect, side);
        }
        // The camera shows nearer tiles larger.
        for (int i = 0; i < count; i++)
            votes[size_t(i)] += *std::max_element(own.begin() + std::max(0, i - 2), own.begin() + std::min(count, i + 3));
    }
    // The centre of the widths with the maximum number of votes.
    const double top = *std::max_element(votes.begin(), votes.end());
    double sum = 0, weight = 0;
    const int at = int(std::max_element(votes.begin(), votes.end()) - votes.begin());
    for (int i = std::max(0, at - 4); i < std::min(count, at + 5); i++)
        if (votes[size_t(i)] > 0.9 * top) sum += i * votes[size_t(i)], weight += votes[size_t(i)];
    return top > 0 ? first * std::exp(sum / weight * finer) : 0;
}

/// The tile of roughly known width around a bar, in working pixels.
tcv_barred_tile tileAbout(const cv::Mat &work, const Bar &bar, const std::vector<Spot> &spots, double aspect, double side) {
    const double step = std::max(0.7, side / 56);
    const int w = 2 * int(0.63 * side / step + 8) + 1, h = 2 * int(0.63 * aspect * side / step + 8) + 1;
    // The centres of both halves' pips are farther apart than the bar is long.
    cv::Point2d across(0, 0);
    double middle = bar.angle;
    pipScore(bar, spots, aspect, side, &across);
    if (cv::norm(across) > 0) {
        const double turn = std::remainder(std::atan2(across.y, across.x) - CV_PI / 2 - bar.angle, CV_PI);
        if (std::abs(turn) < 0.09) middle = bar.angle + turn;
    }
    const int reach = cv::norm(across) > 0 ? 1 : 3;
    Found best;
    for (int k = -reach; k <= reach; k++) {
        const double angle = middle + k * CV_PI / 180;
        const Strips strips(patchAbout(work, bar, angle, step, w, h));
        for (int i = -5; i <= 5; i++) {
            const double tried = side * std::exp(i * finer), off = i * finer / 0.08;
            Found one = tileIn(strips, aspect, tried / 2 / step);
            one.angle = angle;
            one.value = (one.value + 6 * pipScore(bar, spots, aspect, tried)) * std::exp(-off * off) * (1 - 0.04 * std::abs(k));
            if (one.value > best.value) best = one;
        }
    }
    const double c = std::cos(best.angle), s = std::sin(best.angle);
    tcv_barred_tile tile = {};
    tile.x = bar.at.x + (best.shift * c - best.along * s) * step, tile.y = bar.at.y + (best.shift * s + best.along * c) * step;
    tile.angle = best.angle + CV_PI / 2, tile.longer = 2 * best.halfLong * step, tile.shorter = 2 * best.half * step;
    tile.bar = bar.length, tile.contrast = bar.contrast, tile.strength = best.strength, tile.pips = best.value > 0 ? pipScore(bar, spots, aspect, tile.shorter) : 0;
    return tile;
}
} // namespace

int tcv_barred_tiles(const uint8_t *pixels, int width, int height, int channels, double scale, int plane, double aspect, double side,
                     const double *known, int known_count, tcv_barred_tile *tiles, int capacity, int *count) {
    return guarded([&] {
        if (!pixels || !tiles || !count || capacity < 1 || width < 64 || height < 64 || (channels != 1 && channels != 3) ||
            !(scale > 0) || plane < -1 || plane > 2 || !(aspect >= 1.2 && aspect < 5) || !(side >= 0) || known_count < 0 || (known_count && !known))
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        cv::Mat work, grey;
        if (channels == 3) work = given; else cv::cvtColor(given, work, cv::COLOR_GRAY2RGB);
        if (scale != 1) cv::resize(work, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, scale > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        if (plane < 0) cv::cvtColor(work, grey, cv::COLOR_RGB2GRAY); else cv::extractChannel(work, grey, plane);
        cv::GaussianBlur(grey, grey, cv::Size(3, 3), 0);
        cv::Mat taken = cv::Mat::zeros(grey.size(), CV_8U);
        for (int i = 0; i < known_count; i++) {
            std::vector<cv::Point> corners;
            for (int k = 0; k < 4; k++) corners.push_back(cv::Point(cvRound(known[8 * i + 2 * k] / scale), cvRound(known[8 * i + 2 * k + 1] / scale)));
            cv::fillConvexPoly(taken, corners, 255);
        }
        const double least = side > 0 ? 0.35 * side / scale : 12, most = side > 0 ? 1.05 * side / scale : std::max(work.cols, work.rows) / 7.0;
        std::vector<Spot> spots;
        std::vector<Bar> bars = barsOf(grey, least, most, taken, spots);
        // The bars of highest contrast are examined.
        std::sort(bars.begin(), bars.end(), [](const Bar &a, const Bar &b) { return a.contrast > b.contrast; });
        if (int(bars.size()) > capacity) bars.resize(size_t(capacity));
        const double common = side > 0 ? side / scale : commonSide(work, bars, spots, aspect);
        if (common <= 0) return int(TCV_OK);
        for (const Bar &bar : bars) {
            if (bar.length < 0.35 * common || bar.length > 1.05 * common) continue;
            tcv_barred_tile tile = tileAbout(work, bar, spots, aspect, common);
            if (tile.shorter <= 0) continue;
            tile.x = (tile.x + 0.5) * scale - 0.5, tile.y = (tile.y + 0.5) * scale - 0.5;
            tile.longer *= scale, tile.shorter *= scale, tile.bar *= scale;
            tiles[(*count)++] = tile;
        }
        std::sort(tiles, tiles + *count, [](const tcv_barred_tile &a, const tcv_barred_tile &b) { return a.strength > b.strength; });
        return int(TCV_OK);
    });
}
