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
};

/// One outline of ink as a bar; false where it is not straight, or not on ground of one brightness.
bool barOf(const cv::Mat &grey, const std::vector<cv::Point> &outline, int sign, Bar &bar) {
    const cv::RotatedRect box = cv::minAreaRect(outline);
    // An outline runs through the middles of its pixels.
    const double longer = std::max(box.size.width, box.size.height) + 1, shorter = std::min(box.size.width, box.size.height) + 1;
    const double area = cv::contourArea(outline) + double(outline.size()) / 2 + 1;
    if (longer < 3.5 * shorter || area < 0.6 * longer * shorter) return false;
    const cv::Vec4f line = lineThrough(std::vector<cv::Point2f>(outline.begin(), outline.end()));
    bar.at = box.center, bar.length = longer, bar.thickness = shorter, bar.angle = std::atan2(line[1], line[0]);
    // Along both sides of it there is ground of one brightness.
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

/// Straight narrow ink, dark on light or light on dark.
std::vector<Bar> barsOf(const cv::Mat &grey, double least, double most, const cv::Mat &taken) {
    std::vector<Bar> bars;
    cv::Mat mean, off, mask;
    // A narrow window parts thin bars from what is beside them, a wide one finds broad ones whole.
    for (const int window : {13, 41}) {
        cv::boxFilter(grey, mean, CV_8U, cv::Size(window, window));
        for (const int sign : {1, -1}) {
            if (sign > 0) cv::subtract(grey, mean, off); else cv::subtract(mean, grey, off);
            cv::threshold(off, mask, 12, 255, cv::THRESH_BINARY);
            std::vector<std::vector<cv::Point>> outlines;
            cv::findContours(mask, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
            for (const auto &outline : outlines) {
                if (double(outline.size()) < 1.4 * least || double(outline.size()) > 3.5 * most) continue;
                Bar bar;
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

/// Means of strips of a patch.
struct Strips {
    cv::Mat sums;
    int width, height;

    explicit Strips(const cv::Mat &patch) : width(patch.cols), height(patch.rows) { cv::integral(patch, sums, CV_32S); }

    cv::Vec3d mean(int x0, int y0, int x1, int y1) const {
        const auto at = [&](int y, int x) { return sums.at<cv::Vec3i>(y, x); };
        const cv::Vec3i sum = at(y1, x1) - at(y0, x1) - at(y1, x0) + at(y0, x0);
        return cv::Vec3d(sum[0], sum[1], sum[2]) * (1.0 / std::max(1, (x1 - x0) * (y1 - y0)));
    }

    /// The colour step across a line at `at`, from `from` to `to` along it: of two strips beside it, or of a seam in it against both.
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

    /// What most parts of a side show: pips beside it are there in some parts only.
    double side(bool upright, int at, int from, int to) const {
        double parts[8];
        for (int i = 0; i < 8; i++) parts[i] = step(upright, at, from + (to - from) * i / 8, from + (to - from) * (i + 1) / 8, true);
        std::sort(parts, parts + 8);
        return parts[2];
    }
};

struct Found { double shift = 0, along = 0, half = 0, halfLong = 0, angle = 0, strength = 0; };

/// The tile about a bar in a patch that was turned so that the bar lies across; all in patch pixels.
Found tileIn(const Strips &strips, double aspect, double least, double most, double expected) {
    const int cx = strips.width / 2, cy = strips.height / 2;
    Found best;
    for (double half = least; half <= most; half += std::max(0.5, 0.02 * half)) {
        const double halfLong = aspect * half;
        const int inner = int(0.8 * half), innerLong = int(0.85 * halfLong);
        if (cy - innerLong < 0 || cy + innerLong >= strips.height || cx - inner < 0 || cx + inner >= strips.width) break;
        const auto strongest = [&](bool upright, double expect, double &at) {
            double top = 0;
            const int reach = std::max(1, int(0.07 * half));
            for (int d = -reach; d <= reach; d++) {
                const int place = cvRound(expect) + d;
                const double value = upright ? strips.side(true, place, cy - innerLong, cy + innerLong) : strips.side(false, place, cx - inner, cx + inner);
                if (value > top) top = value, at = place;
            }
            return top;
        };
        double left = 0, right = 0, up = 0, down = 0;
        const double steps[4] = {strongest(true, cx - half, left), strongest(true, cx + half, right), strongest(false, cy - halfLong, up),
                                 strongest(false, cy + halfLong, down)};
        const double weakest = *std::min_element(steps, steps + 4);
        // A strong step on one side, as of a shadow, says nothing of the others.
        double sum = 0;
        for (const double step : steps) sum += std::min(step, 3 * weakest);
        if (weakest <= 0) continue;
        const double off = expected > 0 ? std::log(half / expected) / 0.12 : 0;
        const double strength = (0.7 * weakest + 0.075 * sum) * std::exp(-off * off);
        if (strength > best.strength)
            best = {(left + right) / 2 - cx, (up + down) / 2 - cy, (right - left) / 2, (down - up) / 2, 0, strength};
    }
    return best;
}

/// The tile about a bar, in working pixels; strength 0 where there is none.
tcv_barred_tile tileAbout(const cv::Mat &work, const Bar &bar, double aspect, double side) {
    // From the bar's own length to twice that, at first in coarse pixels and as the bar lies.
    const double step = std::max(0.7, side > 0 ? side / 56 : bar.length / 24), own = bar.length / step;
    const double least = side > 0 ? 0.9 * side / 2 / step : 0.48 * own, most = side > 0 ? 1.1 * side / 2 / step : 1.05 * own;
    const int w = 2 * int(1.12 * most + 8) + 1, h = 2 * int(1.12 * aspect * most + 8) + 1;
    Found best;
    for (int k = side > 0 ? -3 : 0; k <= (side > 0 ? 3 : 0); k++) {
        const double angle = bar.angle + k * CV_PI / 180;
        const double c = std::cos(angle) * step, s = std::sin(angle) * step;
        const cv::Matx23d matrix(c, -s, bar.at.x - c * (w / 2) + s * (h / 2), s, c, bar.at.y - s * (w / 2) - c * (h / 2));
        cv::Mat patch;
        cv::warpAffine(work, patch, matrix, cv::Size(w, h), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        Found one = tileIn(Strips(patch), aspect, least, most, side > 0 ? side / 2 / step : 0);
        one.angle = angle;
        if (one.strength > best.strength) best = one;
    }
    const double c = std::cos(best.angle), s = std::sin(best.angle);
    tcv_barred_tile tile = {};
    tile.x = bar.at.x + (best.shift * c - best.along * s) * step, tile.y = bar.at.y + (best.shift * s + best.along * c) * step;
    tile.angle = best.angle + CV_PI / 2, tile.longer = 2 * best.halfLong * step, tile.shorter = 2 * best.half * step;
    tile.bar = bar.length, tile.strength = best.strength;
    return tile;
}

/// The width that most tiles about bars have, in working pixels; 0 where they agree on none.
double commonSide(const cv::Mat &work, const std::vector<Bar> &bars, double aspect) {
    std::vector<tcv_barred_tile> tiles;
    for (const Bar &bar : bars) {
        const tcv_barred_tile tile = tileAbout(work, bar, aspect, 0);
        if (tile.strength > 4) tiles.push_back(tile);
    }
    double best = 0, side = 0;
    for (const auto &one : tiles) {
        double weight = 0, sum = 0;
        for (const auto &other : tiles)
            if (std::abs(std::log(other.shorter / one.shorter)) < 0.1) {
                const double w = std::min(20.0, other.strength) * std::sqrt(other.shorter);
                weight += w, sum += w * other.shorter;
            }
        if (weight > best) best = weight, side = sum / weight;
    }
    return side;
}
} // namespace

int tcv_barred_tiles(const uint8_t *pixels, int width, int height, int channels, double aspect, double side, const double *known,
                     int known_count, tcv_barred_tile *tiles, int capacity, int *count) {
    return guarded([&] {
        if (!pixels || !tiles || !count || capacity < 1 || width < 64 || height < 64 || (channels != 1 && channels != 3) ||
            !(aspect >= 1.2 && aspect < 5) || !(side >= 0) || known_count < 0 || (known_count && !known))
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        // A bar of a thirtieth of the tile's length is more than a pixel thick.
        const double scale = std::max(1.0, std::max(width, height) / 1280.0);
        cv::Mat work, grey;
        if (channels == 3) work = given; else cv::cvtColor(given, work, cv::COLOR_GRAY2RGB);
        if (scale > 1) cv::resize(work, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, cv::INTER_AREA);
        cv::cvtColor(work, grey, cv::COLOR_RGB2GRAY);
        cv::GaussianBlur(grey, grey, cv::Size(3, 3), 0);
        cv::Mat taken = cv::Mat::zeros(grey.size(), CV_8U);
        for (int i = 0; i < known_count; i++) {
            std::vector<cv::Point> corners;
            for (int k = 0; k < 4; k++) corners.push_back(cv::Point(cvRound(known[8 * i + 2 * k] / scale), cvRound(known[8 * i + 2 * k + 1] / scale)));
            cv::fillConvexPoly(taken, corners, 255);
        }
        const double least = side > 0 ? 0.35 * side / scale : 12, most = side > 0 ? 1.05 * side / scale : std::max(work.cols, work.rows) / 7.0;
        std::vector<Bar> bars = barsOf(grey, least, most, taken);
        // Those of the highest contrast are looked at.
        std::sort(bars.begin(), bars.end(), [](const Bar &a, const Bar &b) { return a.contrast > b.contrast; });
        if (int(bars.size()) > capacity) bars.resize(size_t(capacity));
        const double common = side > 0 ? side / scale : commonSide(work, bars, aspect);
        if (common <= 0) return int(TCV_OK);
        for (const Bar &bar : bars) {
            if (bar.length < 0.35 * common || bar.length > 1.05 * common) continue;
            tcv_barred_tile tile = tileAbout(work, bar, aspect, common);
            if (tile.strength <= 0) continue;
            tile.x = (tile.x + 0.5) * scale - 0.5, tile.y = (tile.y + 0.5) * scale - 0.5;
            tile.longer *= scale, tile.shorter *= scale, tile.bar *= scale;
            tiles[(*count)++] = tile;
        }
        std::sort(tiles, tiles + *count, [](const tcv_barred_tile &a, const tcv_barred_tile &b) { return a.strength > b.strength; });
        return int(TCV_OK);
    });
}
