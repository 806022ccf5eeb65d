#include "include/cv_grid.h"
#include "guarded.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// A drawn line: a point, a direction of length 1, and how far the ink goes along it.
struct Line {
    cv::Point2d at, along;
    double from = 0, to = 0;
    double support = 0, bend = 0, half = 0;  // half: of the stroke's width
    double angle() const { const double a = std::atan2(along.y, along.x); return a < 0 ? a + CV_PI : a; }
    double across(const cv::Point2d &p) const { return along.x * (p.y - at.y) - along.y * (p.x - at.x); }
    double coordinate(const cv::Point2d &p) const { return (p - at).dot(along); }
};

double turnBetween(double a, double b) {
    const double d = std::fmod(std::abs(a - b), CV_PI);
    return std::min(d, CV_PI - d);
}

bool crossing(const Line &a, const Line &b, cv::Point2d &at) {
    const double turn = a.along.x * b.along.y - a.along.y * b.along.x;
    if (std::abs(turn) < 0.3) return false;
    const cv::Point2d d = b.at - a.at;
    at = a.at + a.along * ((d.x * b.along.y - d.y * b.along.x) / turn);
    return true;
}

/// Ink as 255: darker than its surroundings, or lighter on a dark ground.
cv::Mat inkOf(const cv::Mat &grey, double part, bool darkGround) {
    const int window = int(std::max(grey.cols, grey.rows) * part) | 1;
    cv::Mat mean, off, mask;
    cv::boxFilter(grey, mean, CV_8U, cv::Size(window, window));
    if (darkGround) cv::subtract(grey, mean, off); else cv::subtract(mean, grey, off);
    // Drawn lines differ by much more than paper does; half of the strongest strokes' contrast parts them.
    std::vector<int> counts(256, 0);
    for (int y = 0; y < off.rows; y++)
        for (int x = 0; x < off.cols; x++) counts[off.at<uint8_t>(y, x)]++;
    int strongest = 255, seen = 0;
    while (strongest > 0 && (seen += counts[size_t(strongest)]) < off.rows * off.cols / 200) strongest--;
    cv::threshold(off, mask, std::clamp(0.4 * strongest, 9.0, 40.0), 255, cv::THRESH_BINARY);
    // Dots and grain are no strokes.
    cv::Mat labels, stats, centres;
    const int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8);
    const int least = std::max(6, int(0.012 * std::max(grey.cols, grey.rows)));
    for (int y = 0; y < mask.rows; y++)
        for (int x = 0; x < mask.cols; x++) {
            const int k = labels.at<int>(y, x);
            if (k > 0 && k < count && std::max(stats.at<int>(k, cv::CC_STAT_WIDTH), stats.at<int>(k, cv::CC_STAT_HEIGHT)) < least)
                mask.at<uint8_t>(y, x) = 0;
        }
    return mask;
}

/// Moves a line onto the ink beside it, and measures how far that goes without a large gap.
bool settle(const cv::Mat &ink, Line &line, double reach, double largestGap) {
    for (int round = 0; round < 3; round++) {
        std::vector<cv::Point2f> points;
        std::vector<int> widths;
        for (double t = line.from - 2 * largestGap; t <= line.to + 2 * largestGap; t += 1) {
            double sum = 0;
            int n = 0;
            for (double s = -reach; s <= reach; s += 1) {
                const cv::Point p(cvRound(line.at.x + line.along.x * t - line.along.y * s),
                                  cvRound(line.at.y + line.along.y * t + line.along.x * s));
                if (p.x < 0 || p.y < 0 || p.x >= ink.cols || p.y >= ink.rows || !ink.at<uint8_t>(p)) continue;
                sum += s, n++;
            }
            if (!n || n > 1.4 * reach) continue;     // ink all across is another line, not this one
            const double s = sum / n;
            points.push_back(cv::Point2f(float(line.at.x + line.along.x * t - line.along.y * s),
                                         float(line.at.y + line.along.y * t + line.along.x * s)));
            widths.push_back(n);
        }
        if (points.size() < 20) return false;
        cv::Vec4f fitted;
        cv::fitLine(points, fitted, cv::DIST_HUBER, 0, 0.01, 0.01);
        Line next;
        next.along = {fitted[0], fitted[1]};
        if (next.along.dot(line.along) < 0) next.along = -next.along;
        next.at = {fitted[2], fitted[3]};
        // The longest run of ink.
        std::vector<double> t;
        for (const auto &p : points) t.push_back(next.coordinate(p));
        std::sort(t.begin(), t.end());
        double begun = t[0], best = -1;
        size_t first = 0;
        for (size_t i = 0; i < t.size(); i++) {
            if (i && t[i] - t[i - 1] > largestGap) begun = t[i], first = i;
            if (t[i] - begun > best) {
                best = t[i] - begun, next.from = begun, next.to = t[i];
                next.support = double(i - first + 1) / std::max(1.0, best);
            }
        }
        double bend = 0;
        int n = 0;
        for (const auto &p : points) {
            const double c = next.coordinate(p);
            if (c >= next.from && c <= next.to) bend += std::abs(next.across(p)), n++;
        }
        next.bend = n ? bend / n : 0;
        std::nth_element(widths.begin(), widths.begin() + long(widths.size() / 2), widths.end());
        next.half = widths[widths.size() / 2] / 2.0;
        next.support = std::min(1.0, next.support);
        line = next;
    }
    return true;
}

std::vector<Line> linesOf(const cv::Mat &ink) {
    const double size = std::max(ink.cols, ink.rows);
    std::vector<cv::Vec4i> segments;
    cv::HoughLinesP(ink, segments, 1, CV_PI / 240, int(0.05 * size), 0.08 * size, 0.03 * size);
    std::sort(segments.begin(), segments.end(), [](const cv::Vec4i &a, const cv::Vec4i &b) {
        return std::hypot(a[2] - a[0], a[3] - a[1]) > std::hypot(b[2] - b[0], b[3] - b[1]);
    });
    if (segments.size() > 400) segments.resize(400);
    std::vector<Line> lines;
    for (const cv::Vec4i &s : segments) {
        Line line;
        const cv::Point2d a(s[0], s[1]), b(s[2], s[3]);
        line.at = (a + b) * 0.5;
        line.along = (b - a) * (1 / cv::norm(b - a));
        line.to = cv::norm(b - a) / 2, line.from = -line.to;
        bool known = false;
        for (const Line &other : lines)
            known = known || (turnBetween(line.angle(), other.angle()) < 0.2 &&
                              std::abs(other.across(a)) < 0.018 * size && std::abs(other.across(b)) < 0.018 * size &&
                              other.coordinate(line.at) > other.from && other.coordinate(line.at) < other.to);
        if (known || !settle(ink, line, 0.012 * size, 0.035 * size)) continue;
        if (line.to - line.from < 0.1 * size || line.support < 0.6) continue;
        for (const Line &other : lines)
            known = known || (turnBetween(line.angle(), other.angle()) < 0.1 && std::abs(other.across(line.at)) < 0.02 * size &&
                              other.coordinate(line.at) > other.from && other.coordinate(line.at) < other.to);
        if (!known) lines.push_back(line);
        if (lines.size() >= 40) break;
    }
    return lines;
}

struct Grid {
    Line lines[4];              // two that run down, two that run across
    cv::Point2f corners[4];     // the inner crossings, clockwise from the top left
    double score = -1;
};

/// How far a line goes beyond its two crossings, in the distance of the crossings: the less, before and after.
double overhang(const Line &line, const cv::Point2d &a, const cv::Point2d &b, double &longest) {
    const double s = line.coordinate(a), t = line.coordinate(b), gap = std::max(1e-6, std::abs(t - s));
    const double before = (std::min(s, t) - line.from) / gap, after = (line.to - std::max(s, t)) / gap;
    longest = std::max(before, after);
    return std::min(before, after);
}

Grid gridOf(const std::vector<Line> &lines) {
    Grid best;
    const size_t n = lines.size();
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            if (turnBetween(lines[i].angle(), lines[j].angle()) > 0.35) continue;
            for (size_t k = 0; k < n; k++)
                for (size_t l = k + 1; l < n; l++) {
                    if (k == i || k == j || l == i || l == j || k < i) continue;
                    if (turnBetween(lines[k].angle(), lines[l].angle()) > 0.35) continue;
                    if (turnBetween(lines[i].angle(), lines[k].angle()) < 0.75) continue;
                    cv::Point2d ik, jk, jl, il;
                    if (!crossing(lines[i], lines[k], ik) || !crossing(lines[j], lines[k], jk) ||
                        !crossing(lines[j], lines[l], jl) || !crossing(lines[i], lines[l], il)) continue;
                    double least = 1e9, longest = 0, bends = 0, support = 0, length = 0;
                    const cv::Point2d *ends[4][2] = {{&ik, &il}, {&jk, &jl}, {&ik, &jk}, {&il, &jl}};
                    const size_t which[4] = {i, j, k, l};
                    double sides[4];
                    for (int m = 0; m < 4; m++) {
                        double most;
                        const double o = overhang(lines[which[m]], *ends[m][0], *ends[m][1], most);
                        least = std::min(least, o), longest = std::max(longest, most);
                        sides[m] = cv::norm(*ends[m][0] - *ends[m][1]);
                        bends += lines[which[m]].bend, support += lines[which[m]].support;
                        length += lines[which[m]].to - lines[which[m]].from;
                    }
                    const double small = *std::min_element(sides, sides + 4), large = *std::max_element(sides, sides + 4);
                    if (least < 0.3 || longest > 4 || small < 0.35 * large || small < 12) continue;
                    const double square = small / large;
                    const double score = length * (support / 4) * (0.4 + 0.6 * square) * std::min(1.0, 0.4 + least) /
                                         (1 + 0.35 * std::max(0.0, longest - 2));
                    if (score <= best.score) continue;
                    best.score = score;
                    const double ai = lines[i].angle();
                    // Lines nearer to the vertical run down.
                    const bool iDown = turnBetween(ai, CV_PI / 2) <= turnBetween(lines[k].angle(), CV_PI / 2);
                    const size_t order[4] = {iDown ? i : k, iDown ? j : l, iDown ? k : i, iDown ? l : j};
                    for (int m = 0; m < 4; m++) best.lines[m] = lines[order[m]];
                    // Left before right, upper before lower.
                    cv::Point2d p, q;
                    crossing(best.lines[0], best.lines[2], p), crossing(best.lines[1], best.lines[2], q);
                    if (p.x > q.x) std::swap(best.lines[0], best.lines[1]);
                    crossing(best.lines[0], best.lines[2], p), crossing(best.lines[0], best.lines[3], q);
                    if (p.y > q.y) std::swap(best.lines[2], best.lines[3]);
                    const int pairs[4][2] = {{0, 2}, {1, 2}, {1, 3}, {0, 3}};
                    for (int m = 0; m < 4; m++) {
                        crossing(best.lines[pairs[m][0]], best.lines[pairs[m][1]], p);
                        best.corners[m] = cv::Point2f(p);
                    }
                }
        }
    return best;
}

cv::Point2d mapped(const cv::Matx33d &H, const cv::Point2d &p) {
    const cv::Vec3d q = H * cv::Vec3d(p.x, p.y, 1);
    return {q[0] / q[2], q[1] / q[2]};
}

/// What the ink of one square looks like, measured in squares.
void measure(const std::vector<cv::Point> &ink, const cv::Matx33d &toSquares, tcv_grid_cell &cell) {
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    std::vector<cv::Point2d> places;
    for (const cv::Point &p : ink) {
        const cv::Point2d q = mapped(toSquares, p);
        places.push_back(q);
        left = std::min(left, q.x), right = std::max(right, q.x), top = std::min(top, q.y), bottom = std::max(bottom, q.y);
    }
    cell.x = (left + right) / 2, cell.y = (top + bottom) / 2, cell.width = right - left, cell.height = bottom - top;
    cell.strokes = int(ink.size());
    const double w = std::max(1e-6, cell.width / 2), h = std::max(1e-6, cell.height / 2);
    std::vector<bool> seen(36, false);
    double sum = 0, squares = 0;
    int middle = 0;
    for (const cv::Point2d &q : places) {
        const double u = (q.x - cell.x) / w, v = (q.y - cell.y) / h, r = std::hypot(u, v);
        sum += r, squares += r * r, middle += r < 0.33;
        if (r > 0.25) seen[size_t((std::atan2(v, u) + CV_PI) / (2 * CV_PI) * 35.99)] = true;
    }
    const double n = double(places.size()), mean = sum / n;
    cell.middle = middle / n;
    cell.evenness = std::sqrt(std::max(0.0, squares / n - mean * mean)) / std::max(1e-6, mean);
    cell.around = double(std::count(seen.begin(), seen.end(), true)) / 36;
    // Drawn small again, a little thicker, so that a small gap does not open a ring.
    const int side = 48, rim = 4;
    cv::Mat small = cv::Mat::zeros(side + 2 * rim, side + 2 * rim, CV_8U);
    const double scale = side / (2 * std::max(w, h));
    for (const cv::Point2d &q : places) {
        const cv::Point p(int(rim + side / 2 + (q.x - cell.x) * scale), int(rim + side / 2 + (q.y - cell.y) * scale));
        if (p.x >= 0 && p.y >= 0 && p.x < small.cols && p.y < small.rows) small.at<uint8_t>(p) = 255;
    }
    cv::dilate(small, small, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
    cv::Mat outside = small.clone();
    cv::floodFill(outside, cv::Point(0, 0), 128);
    int enclosed = 0;
    for (int y = 0; y < outside.rows; y++)
        for (int x = 0; x < outside.cols; x++) enclosed += outside.at<uint8_t>(y, x) == 0;
    cell.enclosed = enclosed / std::max(1.0, 4 * w * h * scale * scale);
}
} // namespace

int tcv_grid_read(const uint8_t *pixels, int width, int height, int channels, tcv_drawn_grid *grid, int *found) {
    return guarded([&] {
        if (!pixels || !grid || !found || width < 32 || height < 32 || (channels != 1 && channels != 3)) return int(TCV_E_ARGUMENT);
        *found = 0, *grid = {};
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        cv::Mat grey, work;
        if (channels == 3) cv::cvtColor(given, grey, cv::COLOR_RGB2GRAY); else grey = given;
        // Strokes may be a hair or a twentieth of the picture wide: at a smaller size broad ones are fine lines too.
        double scale = 1, bestScore = 0;
        cv::Mat ink;
        std::vector<Line> all;
        Grid best;
        for (const double size : {900.0, 450.0, 240.0, 1600.0}) {
            // The large one is for small boards alone.
            if (size > 1000 && (best.score > 0 || std::max(width, height) < 1000)) break;
            const double less = std::max(0.5, std::max(width, height) / size);
            cv::resize(grey, work, cv::Size(cvRound(width / less), cvRound(height / less)), 0, 0,
                       less > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
            cv::GaussianBlur(work, work, cv::Size(3, 3), 0);
            for (const bool darkGround : {false, true}) {
                // Chalk is looked for where most of the picture is dark.
                if (darkGround && cv::mean(work)[0] > 110) continue;
                const cv::Mat drawn = inkOf(work, size > 500 ? 0.05 : 0.12, darkGround);
                const std::vector<Line> lines = linesOf(drawn);
                const Grid one = gridOf(lines);
                // A smaller picture must show the lines much better to be believed rather.
                if (one.score <= 0 || one.score * less < 1.25 * bestScore) continue;
                best = one, bestScore = one.score * less, scale = less, ink = drawn, all = lines;
            }
        }
        if (best.score < 0) return int(TCV_OK);
        const cv::Point2f inner[4] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
        const cv::Matx33d H = cv::getPerspectiveTransform(inner, best.corners), back = H.inv();
        const double square = std::sqrt(std::abs(cv::contourArea(std::vector<cv::Point2f>(best.corners, best.corners + 4))));
        // The lines themselves away: what is left are marks, and slivers of lines that bend.
        cv::Mat marks = ink.clone();
        const auto erase = [&](const Line &line) {
            // A bent line stays near itself; ink farther off is a mark's.
            const double reach = line.half + 1.5 + std::max(1.5, 2 * line.bend);
            const auto isInk = [&](double t) {
                const cv::Point p(cvRound(line.at.x + line.along.x * t), cvRound(line.at.y + line.along.y * t));
                return p.x >= 0 && p.y >= 0 && p.x < ink.cols && p.y < ink.rows && ink.at<uint8_t>(p);
            };
            // To where the stroke really ends.
            double from = line.from, to = line.to;
            while (from > line.from - square && isInk(from - 1)) from -= 1;
            while (to < line.to + square && isInk(to + 1)) to += 1;
            for (double t = from - 0.05 * square; t <= to + 0.05 * square; t += 0.5)
                for (double s = -reach; s <= reach; s += 0.5) {
                    const cv::Point p(cvRound(line.at.x + line.along.x * t - line.along.y * s),
                                      cvRound(line.at.y + line.along.y * t + line.along.x * s));
                    if (p.x >= 0 && p.y >= 0 && p.x < marks.cols && p.y < marks.rows) marks.at<uint8_t>(p) = 0;
                }
        };
        for (const Line &line : best.lines) {
            grid->support += line.support / 4, grid->bend += line.bend / square / 4;
            erase(line);
        }
        // A frame around the grid is none of its marks.
        for (const Line &line : all) {
            const cv::Point2d a = mapped(back, line.at + line.along * line.from), b = mapped(back, line.at + line.along * line.to);
            const bool down = std::abs(a.x - b.x) < 0.35 && std::abs(a.y - b.y) > 0.8;
            const bool across = std::abs(a.y - b.y) < 0.35 && std::abs(a.x - b.x) > 0.8;
            const double place = down ? (a.x + b.x) / 2 : (a.y + b.y) / 2;
            if ((down || across) && std::min(std::abs(place), std::abs(place - 3)) < 0.3) erase(line);
        }
        cv::Mat labels, stats, centres;
        const int count = cv::connectedComponentsWithStats(marks, labels, stats, centres, 8);
        std::vector<std::vector<cv::Point>> parts(static_cast<size_t>(count)), cells(9);
        for (int y = 0; y < labels.rows; y++)
            for (int x = 0; x < labels.cols; x++)
                if (labels.at<int>(y, x)) parts[size_t(labels.at<int>(y, x))].push_back({x, y});
        for (int k = 1; k < count; k++) {
            const auto &part = parts[size_t(k)];
            cv::Point2d middle(0, 0);
            double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
            for (const cv::Point &p : part) {
                const cv::Point2d q = mapped(back, p);
                middle += q * (1.0 / double(part.size()));
                left = std::min(left, q.x), right = std::max(right, q.x), top = std::min(top, q.y), bottom = std::max(bottom, q.y);
            }
            if (middle.x < -0.6 || middle.y < -0.6 || middle.x > 3.6 || middle.y > 3.6) continue;
            // Slivers beside a line, and what is as long as the grid, are no marks.
            if (std::max(right - left, bottom - top) < 0.12 || right - left > 1.7 || bottom - top > 1.7) continue;
            const double toLine = std::min({std::abs(middle.x - 1), std::abs(middle.x - 2), std::abs(middle.y - 1), std::abs(middle.y - 2)});
            if (toLine < 0.12 && std::min(right - left, bottom - top) < 0.12) continue;
            const int column = std::clamp(int(std::floor(middle.x)), 0, 2), row = std::clamp(int(std::floor(middle.y)), 0, 2);
            auto &cell = cells[size_t(3 * row + column)];
            cell.insert(cell.end(), part.begin(), part.end());
        }
        for (size_t k = 0; k < 9; k++)
            if (!cells[k].empty()) measure(cells[k], back, grid->cells[k]);
        // Squares → working pixels → the given raster.
        const cv::Matx33d shift(scale, 0, 0.5 * scale - 0.5, 0, scale, 0.5 * scale - 0.5, 0, 0, 1);
        cv::Matx33d M = shift * H;
        M = M * (1 / M(2, 2));
        std::copy(M.val, M.val + 9, grid->matrix);
        *found = 1;
        return int(TCV_OK);
    });
}
