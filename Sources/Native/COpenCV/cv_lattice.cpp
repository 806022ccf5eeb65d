#include "include/cv_lattice.h"
#include "guarded.hpp"
#include "homography.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
using Points = std::vector<cv::Point2d>;

/// Pitch and direction of squares whose centres are the points: differences of near points are whole multiples.
struct Pitch { double size = 0, angle = 0, agreement = -1; };

Pitch pitchOf(const Points &at, double size, double angle) {
    Points near;
    for (size_t i = 0; i < at.size(); i++)
        for (size_t j = i + 1; j < at.size(); j++)
            if (cv::norm(at[i] - at[j]) < 3.6 * size) near.push_back(at[i] - at[j]);
    Pitch best;
    best.size = size, best.angle = angle;
    if (near.empty()) return best;
    for (int turn = -16; turn <= 16; turn++)
        for (double p = 0.72 * size; p < 1.4 * size; p *= 1.01) {
            const double a = angle + turn * CV_PI / 360, c = std::cos(a), s = std::sin(a);
            double sum = 0;
            for (const cv::Point2d &d : near)
                sum += std::cos(2 * CV_PI * (d.x * c + d.y * s) / p) + std::cos(2 * CV_PI * (d.y * c - d.x * s) / p);
            const double off = std::log(p / size) / 0.35, score = sum / (2 * double(near.size())) - 0.1 * off * off - 0.0004 * turn * turn;
            if (score > best.agreement) best = {p, a, score};
        }
    return best;
}

/// Pixels → lattice: a homography about `origin`, in units of `unit` pixels.
struct Lattice {
    cv::Point2d origin;
    double unit = 1;
    cv::Vec<double, 8> g;

    cv::Point2d operator()(const cv::Point2d &p) const {
        const double x = (p.x - origin.x) / unit, y = (p.y - origin.y) / unit, d = g[6] * x + g[7] * y + 1;
        return {(g[0] * x + g[1] * y + g[2]) / d, (g[3] * x + g[4] * y + g[5]) / d};
    }
    double depth(const cv::Point2d &p) const { return g[6] * (p.x - origin.x) / unit + g[7] * (p.y - origin.y) / unit + 1; }
    /// Lattice → pixels.
    cv::Matx33d inverse() const {
        const cv::Matx33d m(g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], 1);
        return cv::Matx33d(unit, 0, origin.x, 0, unit, origin.y, 0, 0, 1) * m.inv();
    }
};

/// One edge of a square: from (u, v) to the right, or down.
struct Edge { int u, v; bool across; };

enum { TAPS = 29, MIDDLE = TAPS / 2, WING = 3 };
const double TAP = 0.025;                      // of a square

/// Line response along an edge, at TAPS positions across it; false if the edge leaves the picture.
bool lineResponse(const cv::Mat &picture, const cv::Matx33d &toPicture, const Edge &edge, float (&response)[TAPS]) {
    cv::Vec3f mean[TAPS + 2 * WING];
    for (int k = 0; k < TAPS + 2 * WING; k++) {
        const double off = (k - MIDDLE - WING) * TAP;
        mean[k] = cv::Vec3f(0, 0, 0);
        for (int t = 0; t < 9; t++) {
            const double along = 0.14 + 0.09 * t;
            const cv::Point2d p = edge.across ? mapped(toPicture, {double(edge.u + along), double(edge.v + off)}) : mapped(toPicture, {double(edge.u + off), double(edge.v + along)});
            const int x = cvRound(p.x), y = cvRound(p.y);
            if (!(x >= 0 && y >= 0 && x < picture.cols && y < picture.rows)) return false;
            const cv::Vec3b c = picture.at<cv::Vec3b>(y, x);
            mean[k] += cv::Vec3f(c[0], c[1], c[2]);
        }
    }
    for (int k = 0; k < TAPS; k++) {
        const cv::Vec3f d = mean[k + WING] * 2 - mean[k] - mean[k + 2 * WING];
        response[k] = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])}) / (2 * 9);
    }
    return true;
}

/// The peak nearest to the expected line: its position across the edge in squares, and its prominence; 0 if there is
/// none.
double peak(const float (&response)[TAPS], double window, double &off) {
    std::vector<float> sorted(response, response + TAPS);
    std::nth_element(sorted.begin(), sorted.begin() + TAPS / 2, sorted.end());
    const double usual = sorted[TAPS / 2];
    double best = 0;
    for (int k = 1; k + 1 < TAPS; k++) {
        const double o = (k - MIDDLE) * TAP, value = response[k] * std::exp(-0.5 * o * o / (window * window));
        if (response[k] < response[k - 1] || response[k] < response[k + 1] || response[k] < 5 + 1.8 * usual || value <= best) continue;
        best = value;
        const double bend = response[k - 1] - 2 * response[k] + response[k + 1];
        off = o + (bend < -1e-6 ? TAP * std::clamp(0.5 * (response[k - 1] - response[k + 1]) / bend, -1.0, 1.0) : 0);
    }
    return best;
}

struct Sight { cv::Point2d at; int line; bool across; double weight; };

/// Reweighted least squares over lines and tile centres, without perspective unless the data requires it.
void fit(Lattice &lattice, const std::vector<Sight> &lines, const Points &middles, const std::vector<cv::Point> &cells, bool perspective,
         double tileWeight, double scale) {
    for (int round = 0; round < 4; round++) {
        cv::Matx<double, 8, 8> a = cv::Matx<double, 8, 8>::zeros();
        cv::Vec<double, 8> b(0, 0, 0, 0, 0, 0, 0, 0);
        const auto add = [&](const cv::Point2d &p, double target, bool isRow, double weight) {
            const cv::Point2d now = lattice(p);
            const double miss = ((isRow ? now.y : now.x) - target) / scale, tukey = std::abs(miss) < 1 ? (1 - miss * miss) * (1 - miss * miss) : 0;
            const double depth = lattice.depth(p), w = weight * tukey / (depth * depth);
            if (w <= 0) return;
            const double x = (p.x - lattice.origin.x) / lattice.unit, y = (p.y - lattice.origin.y) / lattice.unit;
            cv::Vec<double, 8> row(0, 0, 0, 0, 0, 0, -target * x, -target * y);
            const int first = isRow ? 3 : 0;
            row[first] = x, row[first + 1] = y, row[first + 2] = 1;
            for (int i = 0; i < 8; i++) {
                b[i] += w * row[i] * target;
                for (int j = 0; j < 8; j++) a(i, j) += w * row[i] * row[j];
            }
        };
        for (const Sight &s : lines) add(s.at, s.line, s.across, s.weight);
        for (size_t i = 0; i < middles.size(); i++) {
            add(middles[i], cells[i].x + 0.5, false, tileWeight), add(middles[i], cells[i].y + 0.5, true, tileWeight);
        }
        const double stiff = perspective ? 0.5 : 1e9;
        a(6, 6) += stiff, a(7, 7) += stiff;
        for (int i = 0; i < 6; i++) a(i, i) += 1e-9;
        cv::Vec<double, 8> g;
        if (!cv::solve(a, b, g, cv::DECOMP_CHOLESKY)) return;
        lattice.g = g;
    }
}
} // namespace

int tcv_lattice_find(const uint8_t *pixels, int width, int height, int channels, const double *tiles, int count, double size,
                     double angle, tcv_lattice *out) {
    return guarded([&] {
        if (!pixels || !tiles || !out || count < 2 || width < 32 || height < 32 || (channels != 1 && channels != 3) || !(size > 4))
            return int(TCV_E_ARGUMENT);
        *out = {};
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        // At some 60 pixels per square its printed lines are visible.
        const double scale = std::max(1.0, std::min(size / 60, std::max(width, height) / 1200.0));
        cv::Mat work;
        cv::resize(given, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, cv::INTER_AREA);
        if (channels == 1) cv::cvtColor(work, work, cv::COLOR_GRAY2RGB);
        Points at;
        for (int i = 0; i < count; i++) at.push_back({(tiles[2 * i] + 0.5) / scale - 0.5, (tiles[2 * i + 1] + 0.5) / scale - 0.5});
        angle = std::remainder(angle, CV_PI / 2);
        const Pitch pitch = pitchOf(at, size / scale, angle);
        // Starts at the tile with most others near it.
        size_t start = 0;
        int most = -1;
        for (size_t i = 0; i < at.size(); i++) {
            int near = 0;
            for (const cv::Point2d &q : at) near += cv::norm(q - at[i]) < 3 * pitch.size;
            if (near > most) most = near, start = i;
        }
        Lattice lattice;
        lattice.origin = at[start], lattice.unit = pitch.size;
        const double c = std::cos(pitch.angle), s = std::sin(pitch.angle);
        lattice.g = {c, s, 0.5, -s, c, 0.5, 0, 0};
        std::vector<Sight> lines;
        for (const double reach : {2.5, 2.5, 4.0, 4.0, 6.0, 8.0, 11.0, 14.0, 18.0, 24.0, 24.0}) {
            const cv::Matx33d toPicture = lattice.inverse();
            lines.clear();
            Points middles;
            std::vector<cv::Point> cells;
            for (const cv::Point2d &p : at) {
                const cv::Point2d q = lattice(p);
                if (std::abs(q.x - 0.5) > reach || std::abs(q.y - 0.5) > reach) continue;
                middles.push_back(p), cells.push_back(cv::Point(int(std::floor(q.x)), int(std::floor(q.y))));
            }
            const int n = int(std::ceil(reach));
            const double window = reach < 5 ? 0.16 : 0.1;
            int free = 0, seen = 0;
            for (int v = -n; v <= n + 1; v++)
                for (int u = -n; u <= n + 1; u++)
                    for (const bool across : {true, false}) {
                        float response[TAPS];
                        double off = 0;
                        const Edge edge{u, v, across};
                        if (!lineResponse(work, toPicture, edge, response)) continue;
                        const double strength = peak(response, window, off);
                        const cv::Point beside = across ? cv::Point(u, v - 1) : cv::Point(u - 1, v);
                        const bool isFree = std::none_of(cells.begin(), cells.end(), [&](const cv::Point &c) { return c == cv::Point(u, v) || c == beside; });
                        free += isFree;
                        if (strength <= 0) continue;
                        seen += isFree && std::abs(off) < 0.15;
                        const cv::Point2d p = across ? mapped(toPicture, {double(u + 0.5), double(v + off)}) : mapped(toPicture, {double(u + off), double(v + 0.5)});
                        lines.push_back({p, across ? v : u, across, std::min(1.0, strength / 20)});
                    }
            // If nothing is printed around the first tiles, nothing is printed farther away either.
            if (reach == 4 && seen < 0.35 * free) break;
            fit(lattice, lines, middles, cells, reach > 3, 0.3, reach < 5 ? 0.35 : 0.2);
        }
        // Printed edges are those that are visible at their expected position.
        const cv::Matx33d toPicture = lattice.inverse();
        std::vector<cv::Point> cells;
        int left = 1 << 20, right = -(1 << 20), top = 1 << 20, bottom = -(1 << 20);
        for (const cv::Point2d &p : at) {
            const cv::Point2d q = lattice(p);
            const cv::Point cell(int(std::floor(q.x)), int(std::floor(q.y)));
            if (std::abs(cell.x) > 40 || std::abs(cell.y) > 40) return int(TCV_E_ARGUMENT);
            cells.push_back(cell);
            left = std::min(left, cell.x), right = std::max(right, cell.x + 1), top = std::min(top, cell.y), bottom = std::max(bottom, cell.y + 1);
        }
        const auto taken = [&](int u, int v) { return std::any_of(cells.begin(), cells.end(), [&](const cv::Point &p) { return p.x == u && p.y == v; }); };
        // Edges beside a tile may be the tile's own and do not count.
        int free = 0, seen = 0;
        double squares = 0;
        const auto addEdge = [&](int u, int v, bool across) {
            if (taken(u, v) || taken(across ? u : u - 1, across ? v - 1 : v)) return;
            float response[TAPS];
            double off = 0;
            free++;
            if (!lineResponse(work, toPicture, {u, v, across}, response) || peak(response, 0.1, off) <= 0 || std::abs(off) > 0.12) return;
            seen++, squares += off * off;
        };
        const auto stripShare = [&](int u0, int u1, int v0, int v1, bool isColumn) {
            free = seen = 0;
            // The inner edges of its cells, and those on its boundary, the outer line included.
            if (isColumn) for (int v = v0; v <= v1; v++) { addEdge(u0, v, true); }
            else for (int u = u0; u <= u1; u++) { addEdge(u, v0, false); }
            return free ? double(seen) / free : 0.0;
        };
        const auto line = [&](int u0, int u1, int v0, int v1, bool isColumn) {
            free = seen = 0;
            if (isColumn) for (int v = v0; v < v1; v++) addEdge(u0, v, false);
            else for (int u = u0; u < u1; u++) addEdge(u, v0, true);
            return free ? double(seen) / free : 0.0;
        };
        const int tileLeft = left, tileTop = top;
        const double enough = 0.45;
        for (bool grew = true; grew;) {
            grew = false;
            if (left > -45 && stripShare(left - 1, left, top, bottom, true) > enough && line(left - 1, left, top, bottom, true) > enough) left--, grew = true;
            if (right < 45 && stripShare(right, right + 1, top, bottom, true) > enough && line(right + 1, right + 1, top, bottom, true) > enough) right++, grew = true;
            if (top > -45 && stripShare(left, right, top - 1, top, false) > enough && line(left, right, top - 1, top, false) > enough) top--, grew = true;
            if (bottom < 45 && stripShare(left, right, bottom, bottom + 1, false) > enough && line(left, right, bottom + 1, bottom + 1, false) > enough) bottom++, grew = true;
        }
        free = seen = 0, squares = 0;
        for (int v = top; v <= bottom; v++)
            for (int u = left; u <= right; u++) {
                if (u < right) addEdge(u, v, true);
                if (v < bottom) addEdge(u, v, false);
            }
        out->evidence = free ? double(seen) / free : 0;
        out->misfit = seen ? std::sqrt(squares / seen) : 0;
        const bool printed = free >= 12 && out->evidence > 0.6;
        if (printed) out->columns = right - left, out->rows = bottom - top;
        const cv::Matx33d shift(1, 0, printed ? left : tileLeft, 0, 1, printed ? top : tileTop, 0, 0, 1);
        const cv::Matx33d full = cv::Matx33d(scale, 0, 0.5 * scale - 0.5, 0, scale, 0.5 * scale - 0.5, 0, 0, 1) * toPicture * shift;
        for (int i = 0; i < 9; i++) out->to_picture[i] = full.val[i] / full.val[8];
        return int(TCV_OK);
    });
}
