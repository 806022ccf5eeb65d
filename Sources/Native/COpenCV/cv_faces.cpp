#include "include/cv_faces.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
struct Mark {
    cv::Point2d at;      // centre of its box, working pixels
    double size, contrast;
    cv::Rect box;        // its box and three pixels more
    cv::Mat ink;         // its ink mask in that box
};

/// Components that differ in brightness from a uniform background. `bare` becomes the picture without them, for the
/// search for a tile's faint edges.
std::vector<Mark> marksOf(const cv::Mat &grey, const cv::Mat &taken, double least, double most, cv::Mat &bare) {
    std::vector<Mark> marks;
    for (const double share : {1.2, 2.4}) {
        if (share > 2 && most < 4 * least) break;       // with a known size, one window suffices
        cv::Mat mean, off;
        const int window = std::max(9, int(share * std::sqrt(least * most))) | 1;
        cv::boxFilter(grey, mean, CV_8U, cv::Size(window, window));
        for (const int sign : {1, -1}) {
            cv::Mat mask, labels, stats, centres;
            if (sign > 0) cv::subtract(grey, mean, off); else cv::subtract(mean, grey, off);
            cv::threshold(off, mask, 14, 255, cv::THRESH_BINARY);
            const int n = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8, CV_32S);
            for (int k = 1; k < n; k++) {
                const int *s = stats.ptr<int>(k);
                const int longer = std::max(s[2], s[3]), shorter = std::min(s[2], s[3]);
                if (longer < least || longer > most || shorter < 2 || s[4] < 0.08 * longer * longer / 1.5 || s[4] > 0.8 * longer * longer) continue;
                const cv::Point2d at(s[0] + (s[2] - 1) / 2.0, s[1] + (s[3] - 1) / 2.0);
                if (taken.at<uint8_t>(cvRound(at.y), cvRound(at.x))) continue;
                // The ring just outside of its box's circle must have one brightness.
                std::vector<uint8_t> ring, ink;
                const double radius = 0.5 * std::hypot(s[2], s[3]) + 2;
                bool inside = true;
                for (int i = 0; i < 40 && inside; i++) {
                    const int x = cvRound(at.x + radius * std::cos(i * CV_PI / 20)), y = cvRound(at.y + radius * std::sin(i * CV_PI / 20));
                    inside = x >= 0 && y >= 0 && x < grey.cols && y < grey.rows;
                    if (inside) ring.push_back(grey.at<uint8_t>(y, x));
                }
                if (!inside) continue;
                for (int y = s[1]; y < s[1] + s[3]; y++)
                    for (int x = s[0]; x < s[0] + s[2]; x++)
                        if (labels.at<int>(y, x) == k) ink.push_back(grey.at<uint8_t>(y, x));
                std::sort(ring.begin(), ring.end());
                // The brightness of the stroke's core, without its blurred rim.
                std::sort(ink.begin(), ink.end());
                const double own = ink[size_t(double(ink.size() - 1) * (sign > 0 ? 0.75 : 0.25))];
                const double ground = ring[ring.size() / 2], contrast = std::abs(own - ground);
                const double spread = ring[size_t(double(ring.size()) * 0.85)] - ring[size_t(double(ring.size()) * 0.15)];
                if (contrast < 30 || spread > 0.35 * contrast) continue;
                // Among marks at one place the strongest is kept: a letter, not the shadow around its tile.
                bool weaker = false;
                for (size_t i = 0; i < marks.size();) {
                    if (cv::norm(marks[i].at - at) >= 0.5 * std::max(marks[i].size, double(longer))) { i++; continue; }
                    if (contrast < 1.25 * marks[i].contrast) { weaker = true; break; }
                    marks.erase(marks.begin() + long(i));
                }
                if (weaker) continue;
                const int rim = 3;
                const cv::Rect box = cv::Rect(s[0] - rim, s[1] - rim, s[2] + 2 * rim, s[3] + 2 * rim) & cv::Rect(0, 0, grey.cols, grey.rows);
                marks.push_back({at, double(longer), contrast, box, labels(box) == k});
            }
        }
    }
    for (const Mark &mark : marks) {
        cv::Mat inked, beside;
        cv::dilate(mark.ink, inked, cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(7, 7)));
        cv::dilate(inked, beside, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(5, 5)));
        bare(mark.box).setTo(cv::mean(bare(mark.box), beside & ~inked), inked);
    }
    std::sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) { return a.size > b.size; });
    return marks;
}

/// Colour steps along one axis of a rectified patch, averaged over the `band` about the centre.
void steps(const cv::Mat &patch, bool rows, int band, std::vector<float> &out, double &noise) {
    const int n = rows ? patch.rows : patch.cols, middle = n / 2;
    std::vector<cv::Vec3f> mean(size_t(n), cv::Vec3f(0, 0, 0));
    for (int i = 0; i < n; i++) {
        cv::Vec3f sum(0, 0, 0);
        for (int j = middle - band; j <= middle + band; j++) {
            const cv::Vec3b p = rows ? patch.at<cv::Vec3b>(i, j) : patch.at<cv::Vec3b>(j, i);
            sum += cv::Vec3f(p[0], p[1], p[2]);
        }
        mean[size_t(i)] = sum / float(2 * band + 1);
    }
    out.assign(size_t(n), 0);
    std::vector<float> all;
    for (int i = 2; i + 2 < n; i++) {
        const cv::Vec3f d = mean[size_t(i + 1)] + mean[size_t(i + 2)] - mean[size_t(i - 1)] - mean[size_t(i - 2)];
        out[size_t(i)] = float(cv::norm(d) / 2);
        all.push_back(out[size_t(i)]);
    }
    std::nth_element(all.begin(), all.begin() + long(all.size() / 2), all.end());
    noise = all[all.size() / 2];
}

struct Square { double x = 0, y = 0, side = 0, angle = 0, strength = 0; };

/// The best square about the patch's centre: two steps at equal distance on each axis. All in patch pixels.
Square squareIn(const cv::Mat &patch, double mark, double least, double most, double sideOff, double expected) {
    std::vector<float> across, down;
    double noiseAcross = 0, noiseDown = 0;
    const int band = std::max(2, int(0.5 * mark));
    steps(patch, true, band, down, noiseDown);
    steps(patch, false, band, across, noiseAcross);
    const double noise = std::max(1.0, 0.5 * (noiseAcross + noiseDown));
    const int n = patch.rows, middle = n / 2;
    Square best;
    // For each edge length the best pair on each axis; the square must contain the mark.
    const int reach = int(0.33 * mark);
    std::vector<Square> rows, columns;
    for (int side = int(least); side <= int(most); side++) {
        for (const bool vertical : {true, false}) {
            const std::vector<float> &s = vertical ? down : across;
            double top = 0, at = 0;
            for (int shift = -reach; shift <= reach; shift++) {
                const int a = middle + shift - side / 2, b = a + side;
                if (a < 2 || b > n - 3 || a > middle - 0.4 * mark || b < middle + 0.4 * mark) continue;
                const double value = std::min(s[size_t(a)], s[size_t(b)]);
                if (value > top) top = value, at = (a + b) / 2.0 - middle;
            }
            Square one;
            one.side = side, one.strength = top, (vertical ? one.y : one.x) = at;
            (vertical ? rows : columns).push_back(one);
        }
    }
    for (size_t i = 0; i < rows.size(); i++)
        for (size_t j = 0; j < columns.size(); j++) {
            const double a = rows[i].side, b = columns[j].side;
            if (std::abs(std::log(a / b)) > sideOff) continue;
            const double weakest = std::min(rows[i].strength, columns[j].strength), sum = rows[i].strength + columns[j].strength;
            const double off = expected > 0 ? std::log((a + b) / 2 / expected) / 0.12 : 0;
            const double strength = (0.7 * weakest + 0.15 * sum) / noise * std::exp(-off * off);
            if (strength > best.strength) best = {columns[j].x, rows[i].y, (a + b) / 2, 0, strength};
        }
    return best;
}

/// A rotated patch of n × n pixels about a place, `step` working pixels each.
cv::Mat patchAt(const cv::Mat &work, const cv::Point2d &at, double angle, double step, int n) {
    const double c = std::cos(angle) * step, s = std::sin(angle) * step, m = (n - 1) / 2.0;
    const cv::Matx23d matrix(c, -s, at.x - c * m + s * m, s, c, at.y - s * m - c * m);
    cv::Mat patch;
    cv::warpAffine(work, patch, matrix, cv::Size(n, n), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    return patch;
}

/// The square about a mark, in working pixels.
Square squareAbout(const cv::Mat &work, const cv::Mat &soft, const Mark &mark, double side) {
    // Coarse: the mark at some 16 pixels, every 5°; then fine: at some 32 pixels, every 1°.
    const double wide = side > 0 ? 1.8 * side : 4.4 * mark.size;
    Square best;
    double around = 0;
    for (const bool fine : {false, true}) {
        const double step = std::max(0.5, mark.size / (fine ? 32 : 15));
        const int n = std::max(24, int(wide / step)) | 1;
        const double own = mark.size / step;
        const double least = side > 0 ? side * 0.85 / step : 1.12 * own, most = side > 0 ? side * 1.15 / step : std::min(2.9 * own, n - 6.0);
        Square top;
        for (int k = fine ? -5 : 0; k <= (fine ? 5 : 17); k++) {
            const double angle = fine ? around + k * CV_PI / 180 : k * CV_PI / 36;
            Square one = squareIn(patchAt(fine ? work : soft, mark.at, angle, step, n), own, least, most, fine ? 0.09 : 0.14, side / step);
            if (one.strength <= top.strength) continue;
            one.angle = angle;
            top = one;
        }
        if (top.strength <= 0) return {};
        around = top.angle;
        const double c = std::cos(top.angle), s = std::sin(top.angle);
        best = top;
        best.x = mark.at.x + (top.x * c - top.y * s) * step, best.y = mark.at.y + (top.x * s + top.y * c) * step, best.side = top.side * step;
    }
    return best;
}
} // namespace

int tcv_face_squares(const uint8_t *pixels, int width, int height, int channels, const double *known, int kninkedcount, double side,
                     tcv_face_square *squares, int capacity, int *count) {
    return guarded([&] {
        if (!pixels || !squares || !count || capacity < 1 || width < 64 || height < 64 || (channels != 1 && channels != 3) ||
            kninkedcount < 0 || (kninkedcount && !known) || side < 0)
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        const double scale = std::max(1.0, std::max(width, height) / 1000.0);
        cv::Mat work, soft, grey;
        if (channels == 3) work = given; else cv::cvtColor(given, work, cv::COLOR_GRAY2RGB);
        if (scale > 1) cv::resize(work, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, cv::INTER_AREA);
        cv::GaussianBlur(work, soft, cv::Size(3, 3), 0);
        cv::cvtColor(soft, grey, cv::COLOR_RGB2GRAY);
        cv::Mat bare = work.clone();
        cv::Mat taken = cv::Mat::zeros(grey.size(), CV_8U);
        for (int i = 0; i < kninkedcount; i++) {
            std::vector<cv::Point> corners;
            for (int k = 0; k < 4; k++) corners.push_back(cv::Point(cvRound(known[8 * i + 2 * k] / scale), cvRound(known[8 * i + 2 * k + 1] / scale)));
            cv::fillConvexPoly(taken, corners, 255);
        }
        const double least = side > 0 ? std::max(8.0, 0.3 * side / scale) : 11, most = side > 0 ? 0.95 * side / scale : 110;
        const std::vector<Mark> marks = marksOf(grey, taken, least, most, bare);
        cv::GaussianBlur(bare, soft, cv::Size(3, 3), 0);
        for (const Mark &mark : marks) {
            if (*count >= capacity) break;
            const Square square = squareAbout(bare, soft, mark, side / scale);
            tcv_face_square &to = squares[(*count)++];
            to = {};
            to.x = (mark.at.x + 0.5) * scale - 0.5, to.y = (mark.at.y + 0.5) * scale - 0.5, to.size = mark.size * scale;
            to.contrast = mark.contrast, to.strength = square.strength;
            if (square.strength <= 0) continue;
            to.cx = (square.x + 0.5) * scale - 0.5, to.cy = (square.y + 0.5) * scale - 0.5, to.side = square.side * scale;
            to.angle = square.angle;
        }
        return int(TCV_OK);
    });
}
