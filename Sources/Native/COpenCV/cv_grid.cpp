#include "include/cv_grid.h"
#include "cv_grid_find.hpp"
#include "cv_grid_marks.hpp"
#include "guarded.hpp"

namespace {
using namespace grid;

/// The grid rectified to a view from above, with a margin, and its ink.
struct Plan {
    static constexpr double margin = 0.6;    // squares
    double w = 0, h = 0;                     // sides of a square, pixels
    cv::Mat picture;                         // grey, dark ink on light background
    cv::Matx33d toPicture;                   // pixels of the plan → of the picture
    cv::Mat dark;                            // 0…255, see `darkness`
    cv::Mat unobserved;                          // 255 outside the picture, or where a line covers everything
    double x(double u) const { return (u + margin) * w - 0.5; }
    double y(double v) const { return (v + margin) * h - 0.5; }
    double u(double x) const { return (x + 0.5) / w - margin; }
    double v(double y) const { return (y + 0.5) / h - margin; }
    double side() const { return std::sqrt(w * h); }
    /// A part of the plan as the picture shows it, `finer` times as large.
    cv::Mat view(const cv::Rect &part, int finer) const {
        const double step = 1.0 / finer;
        const cv::Matx33d place(step, 0, part.x + 0.5 * step - 0.5, 0, step, part.y + 0.5 * step - 0.5, 0, 0, 1);
        cv::Mat seen;
        cv::warpPerspective(picture, seen, toPicture * place, part.size() * finer, cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        // Suppresses noise.
        cv::GaussianBlur(seen, seen, cv::Size(), 1.2);
        return seen;
    }
};

/// `H`: squares → pixels of `grey`.
Plan planOf(const cv::Mat &grey, cv::Matx33d H) {
    constexpr double fine = 72;
    Plan plan;
    const cv::Point2d a = mapped(H, {1, 1}), b = mapped(H, {2, 1}), c = mapped(H, {2, 2}), d = mapped(H, {1, 2});
    const double across = (cv::norm(b - a) + cv::norm(c - d)) / 2, down = (cv::norm(d - a) + cv::norm(c - b)) / 2;
    const double ratio = std::clamp(across / down, 0.4, 2.5);
    plan.w = fine * std::sqrt(ratio), plan.h = fine / std::sqrt(ratio);
    const cv::Matx33d toSquares(1 / plan.w, 0, 0.5 / plan.w - Plan::margin, 0, 1 / plan.h, 0.5 / plan.h - Plan::margin, 0, 0, 1);
    plan.picture = grey, plan.toPicture = H * toSquares;
    // Scaled down first, because a warp alone would skip pixels and thin lines with them.
    cv::Mat from = grey;
    const double less = std::min(across / plan.w, down / plan.h) / 1.25;
    if (less > 1) {
        std::vector<cv::Point2f> rim;
        for (int k = 0; k < 4; k++) rim.push_back(mapped(H, {k % 2 ? 3 + Plan::margin : -Plan::margin, k / 2 ? 3 + Plan::margin : -Plan::margin}));
        const cv::Rect box = cv::boundingRect(rim) & cv::Rect(0, 0, grey.cols, grey.rows);
        const cv::Mat part = grey(box);
        cv::resize(part, from, cv::Size(std::max(1, cvRound(box.width / less)), std::max(1, cvRound(box.height / less))), 0, 0, cv::INTER_AREA);
        const double sx = double(from.cols) / box.width, sy = double(from.rows) / box.height;
        H = cv::Matx33d(sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1) * cv::Matx33d(1, 0, -box.x, 0, 1, -box.y, 0, 0, 1) * H;
    }
    const cv::Size size(cvRound((3 + 2 * Plan::margin) * plan.w), cvRound((3 + 2 * Plan::margin) * plan.h));
    cv::Mat seen, whole(from.size(), CV_8U, cv::Scalar(255)), view;
    const cv::Matx33d M = H * toSquares;
    cv::warpPerspective(from, view, M, size, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    cv::warpPerspective(whole, seen, M, size, cv::INTER_NEAREST | cv::WARP_INVERSE_MAP, cv::BORDER_CONSTANT, 0);
    plan.dark = darkness(view, int(0.6 * plan.side()));
    cv::erode(seen, seen, cv::Mat());
    plan.unobserved = 255 - seen;
    plan.dark.setTo(0, plan.unobserved);
    return plan;
}

/// Removes a line's ink from the plan and follows its curvature. The line runs along y at `place`, or along x if
/// `isAcross`.
class LineEraser {
  public:
    LineEraser(Plan &plan, const cv::Mat &dark, double level) : plan(plan), dark(dark), level(level) {}

    /// From and to in squares. Measures the width in pixels.
    void erase(bool isAcross, double placeA, double placeB, double from, double to) {
        const double along = isAcross ? plan.w : plan.h, side = isAcross ? plan.h : plan.w;
        const int first = int(pixel(isAcross, from)), last = int(pixel(isAcross, to));
        const int most = (isAcross ? dark.cols : dark.rows) - 1;
        const auto nominal = [&](int t) {
            const double s = isAcross ? plan.u(t) : plan.v(t);
            return (isAcross ? plan.y(0) : plan.x(0)) + (placeA + (placeB - placeA) * (s - 1)) * side;
        };
        // The width of the line is the median of all runs.
        std::vector<int> widths;
        for (int t = std::max(0, first); t <= std::min(most, last); t++) {
            int low, high;
            if (run(isAcross, t, nominal(t), 0.12 * side, low, high)) widths.push_back(high - low + 1);
        }
        if (widths.size() < 4) return;
        std::nth_element(widths.begin(), widths.begin() + long(widths.size() * 2 / 5), widths.end());
        const double width = widths[widths.size() * 2 / 5];
        // Traced from the centre outwards, with the current offset.
        const int start = std::clamp((first + last) / 2, 0, most);
        for (const int way : {-1, 1}) {
            double off = 0;
            int bare = 0;
            for (int t = start; t >= 0 && t <= most; t += way) {
                const bool inside = t >= first && t <= last;
                int low, high;
                double middle = nominal(t) + off;
                const bool any = run(isAcross, t, middle, std::max(2.0, 0.06 * side), low, high);
                if (any && high - low + 1 < 1.7 * width + 2 && high - low + 1 > 0.4 * width - 1) {
                    const double miss = (low + high) / 2.0 - middle;
                    if (std::abs(miss) < 0.1 * side) off += 0.35 * miss;
                }
                off = std::clamp(off, -0.25 * side, 0.25 * side);
                bare = any ? 0 : bare + 1;
                // A line may continue beyond its end after a gap, where the pen ran dry.
                if (!inside && (bare > 0.1 * along || outside(t, first, last) > 0.5 * along)) break;
                if (inside || bare < 0.03 * along) wipe(isAcross, t, nominal(t) + off, width / 2 + 1.2 + 0.12 * width);
            }
        }
    }

  private:
    Plan &plan;
    const cv::Mat &dark;
    double level;

    double pixel(bool isAcross, double s) const { return isAcross ? plan.x(s) : plan.y(s); }
    static int outside(int t, int first, int last) { return t < first ? first - t : t > last ? t - last : 0; }
    int at(bool isAcross, int t, int s) const {
        const int x = isAcross ? t : s, y = isAcross ? s : t;
        return x < 0 || y < 0 || x >= dark.cols || y >= dark.rows ? 0 : dark.at<uint8_t>(y, x);
    }
    /// The run of ink nearest to `middle`, within reach of it.
    bool run(bool isAcross, int t, double middle, double reach, int &low, int &high) const {
        int best = -1;
        for (int d = 0; d <= int(reach) && best < 0; d++) {
            if (at(isAcross, t, cvRound(middle) + d) >= level) best = cvRound(middle) + d;
            else if (at(isAcross, t, cvRound(middle) - d) >= level) best = cvRound(middle) - d;
        }
        if (best < 0) return false;
        low = high = best;
        while (at(isAcross, t, low - 1) >= level) low--;
        while (at(isAcross, t, high + 1) >= level) high++;
        return true;
    }
    void wipe(bool isAcross, int t, double middle, double half) {
        for (int s = int(std::floor(middle - half)); s <= int(std::ceil(middle + half)); s++) {
            const int x = isAcross ? t : s, y = isAcross ? s : t;
            if (x < 0 || y < 0 || x >= dark.cols || y >= dark.rows) continue;
            plan.dark.at<uint8_t>(y, x) = 0, plan.unobserved.at<uint8_t>(y, x) = 255;
        }
    }
};

/// The outer bounds of squares that no line closes: the extent of the lines between them.
struct Bounds {
    double left, right, top, bottom;
};

Bounds boundsOf(const Found &found, const cv::Matx33d &back) {
    const auto reach = [&](int m, bool isAcross, bool isLow) {
        const cv::Point2d a = mapped(back, found.lines[m].point(found.lines[m].from)), b = mapped(back, found.lines[m].point(found.lines[m].to));
        const double p = isAcross ? a.x : a.y, q = isAcross ? b.x : b.y;
        return isLow ? std::min(p, q) : std::max(p, q);
    };
    Bounds bounds;
    bounds.left = std::min(reach(2, true, true), reach(3, true, true)), bounds.right = std::max(reach(2, true, false), reach(3, true, false));
    bounds.top = std::min(reach(0, false, true), reach(1, false, true)), bounds.bottom = std::max(reach(0, false, false), reach(1, false, false));
    // Marks may extend a little beyond the lines' ends, and lines may end before their squares do.
    const double more = 0.12, least = 0.06;
    bounds.left = std::clamp(bounds.left - more, -Plan::margin, -least), bounds.right = std::clamp(bounds.right + more, 3 + least, 3 + Plan::margin);
    bounds.top = std::clamp(bounds.top - more, -Plan::margin, -least), bounds.bottom = std::clamp(bounds.bottom + more, 3 + least, 3 + Plan::margin);
    return bounds;
}

/// A straight line along the grid: its intersections with 0 and 3 of the other axis, in squares, and its inked share.
struct PlanLine {
    double a = 0, b = 0, cover = 0;
};

PlanLine planLine(const Plan &plan, bool isAcross, double nominalA, double nominalB, double reach, double level) {
    PlanLine best;
    const double step = 1.5 / (isAcross ? plan.h : plan.w);
    for (double a = nominalA - reach; a <= nominalA + reach; a += step)
        for (double b = nominalB - reach; b <= nominalB + reach; b += step) {
            int inked = 0, seen = 0;
            for (double s = 0.06; s < 2.95; s += 0.04) {
                const double place = a + (b - a) * s / 3;
                const int x = cvRound(isAcross ? plan.x(s) : plan.x(place)), y = cvRound(isAcross ? plan.y(place) : plan.y(s));
                if (x < 1 || y < 1 || x + 1 >= plan.dark.cols || y + 1 >= plan.dark.rows || plan.unobserved.at<uint8_t>(y, x)) continue;
                seen++;
                const int most = isAcross ? std::max({plan.dark.at<uint8_t>(y - 1, x), plan.dark.at<uint8_t>(y, x), plan.dark.at<uint8_t>(y + 1, x)})
                                          : std::max({plan.dark.at<uint8_t>(y, x - 1), plan.dark.at<uint8_t>(y, x), plan.dark.at<uint8_t>(y, x + 1)});
                inked += most >= level;
            }
            if (seen < 45) continue;
            const double cover = double(inked) / seen;
            if (cover > best.cover) best = {a, b, cover};
        }
    return best;
}

struct Part {
    std::vector<cv::Point> points;
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;   // squares
};

/// The ink of each square that remains beside the lines, by connected part.
std::array<std::vector<cv::Point>, 9> inkOfSquares(const Plan &plan, const Bounds &bounds, double level) {
    std::array<std::vector<cv::Point>, 9> squares;
    cv::Mat mask, labels;
    cv::threshold(plan.dark, mask, level - 1, 255, cv::THRESH_BINARY);
    const int count = cv::connectedComponents(mask, labels, 8, CV_32S);
    std::vector<Part> parts(static_cast<size_t>(count));
    for (int y = 0; y < labels.rows; y++)
        for (int x = 0; x < labels.cols; x++) {
            const int k = labels.at<int>(y, x);
            if (!k) continue;
            Part &part = parts[size_t(k)];
            part.points.push_back({x, y});
            const double u = plan.u(x), v = plan.v(y);
            part.left = std::min(part.left, u), part.right = std::max(part.right, u), part.top = std::min(part.top, v), part.bottom = std::max(part.bottom, v);
        }
    const auto squareOf = [&](const cv::Point &p) {
        return size_t(3 * std::clamp(int(std::floor(plan.v(p.y))), 0, 2) + std::clamp(int(std::floor(plan.u(p.x))), 0, 2));
    };
    for (const Part &part : parts) {
        if (part.points.size() < 6) continue;
        const double w = part.right - part.left, h = part.bottom - part.top;
        if (std::max(w, h) < 0.08) continue;
        // Slivers beside a line.
        const double mx = (part.left + part.right) / 2, my = (part.top + part.bottom) / 2;
        const auto nearLine = [](double p) { return std::min(std::abs(p - 1), std::abs(p - 2)) < 0.2; };
        if ((w < 0.13 && nearLine(mx)) || (h < 0.13 && nearLine(my))) continue;
        size_t outside = 0;
        std::array<size_t, 9> shares{};
        for (const cv::Point &p : part.points) {
            const double u = plan.u(p.x), v = plan.v(p.y);
            if (u < bounds.left || u > bounds.right || v < bounds.top || v > bounds.bottom) outside++; else shares[squareOf(p)]++;
        }
        if (outside > part.points.size() * 45 / 100) continue;
        if (std::max(w, h) < 1.25) {
            auto &own = squares[size_t(std::max_element(shares.begin(), shares.end()) - shares.begin())];
            own.insert(own.end(), part.points.begin(), part.points.end());
        } else {
            for (const cv::Point &p : part.points) {
                const double u = plan.u(p.x), v = plan.v(p.y);
                if (u > bounds.left && u < bounds.right && v > bounds.top && v < bounds.bottom) squares[squareOf(p)].push_back(p);
            }
        }
    }
    return squares;
}

/// Classifies the ink of one square, with fewer and fewer of its paler parts: shadows and paper edges are removed
/// first.
void read(const Plan &plan, const std::vector<cv::Point> &ink, double lines, tcv_grid_cell &cell) {
    std::vector<uint8_t> values;
    for (const cv::Point &p : ink) values.push_back(plan.dark.at<uint8_t>(p));
    std::sort(values.begin(), values.end());
    const double peak = values[values.size() * 9 / 10];
    const int pad = 3;
    const cv::Rect box = cv::boundingRect(ink);
    const cv::Rect wide = cv::Rect(box.x - pad, box.y - pad, box.width + 2 * pad, box.height + 2 * pad) & cv::Rect(0, 0, plan.dark.cols, plan.dark.rows);
    cell.darkness = peak / std::max(1.0, lines);
    const cv::Mat view = plan.view(wide, 4);
    double best = -1;
    int before = -1;
    // Small fragments beside the mark are removed; finally everything except the largest part.
    for (const auto &[part, crumb] : {std::pair{0.0, 0.1}, {0.45, 0.1}, {0.65, 0.1}, {0.45, 1.0}}) {
        cv::Mat mask = cv::Mat::zeros(wide.size(), CV_8U), labels, stats, centres;
        for (const cv::Point &p : ink)
            if (plan.dark.at<uint8_t>(p) >= part * peak) mask.at<uint8_t>(p - wide.tl()) = 255;
        const int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8, CV_32S);
        int largest = 0, n = 0;
        for (int k = 1; k < count; k++) largest = std::max(largest, stats.at<int>(k, cv::CC_STAT_AREA));
        for (int y = 0; y < mask.rows; y++)
            for (int x = 0; x < mask.cols; x++) {
                const int k = labels.at<int>(y, x);
                if (k && stats.at<int>(k, cv::CC_STAT_AREA) < crumb * largest) mask.at<uint8_t>(y, x) = 0; else n += k > 0;
            }
        if (before >= 0 && n > 0.97 * before) continue;
        before = n;
        // Shadows' corners have concavities too, but they are paler than the lines.
        Likeness like = likenessOf(mask, view, plan.unobserved, wide.tl(), plan.side(), rising(cell.darkness, 0.45, 0.7));
        // The largest part of fragmented ink has less weight.
        const double share = rising(double(n) / double(ink.size()), 0.1, 0.35);
        like.nought *= share, like.cross *= share;
        cell.nought = std::max(cell.nought, like.nought), cell.cross = std::max(cell.cross, like.cross);
        if (std::max(like.nought, like.cross) <= best) continue;
        best = std::max(like.nought, like.cross);
        const cv::Rect own = cv::boundingRect(mask) + wide.tl();
        cell.ink = cv::countNonZero(mask);
        cell.x = plan.u(own.x + own.width / 2.0 - 0.5), cell.y = plan.v(own.y + own.height / 2.0 - 0.5);
        cell.width = own.width / plan.w, cell.height = own.height / plan.h;
    }
}
} // namespace

int tcv_grid_read(const uint8_t *pixels, int width, int height, int channels, tcv_drawn_grid *grid, int *found) {
    return guarded([&] {
        if (!pixels || !grid || !found || width < 32 || height < 32 || (channels != 1 && channels != 3)) return int(TCV_E_ARGUMENT);
        *found = 0, *grid = {};
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        cv::Mat grey, work;
        if (channels == 3) cv::cvtColor(given, grey, cv::COLOR_RGB2GRAY); else grey = given;
        Found best;
        double scaleX = 1, scaleY = 1;
        bool isBright = false;
        // Strokes may be a hair or a tenth of the picture wide. At each scale some of them are thin lines.
        cv::Mat fine;
        const double fineLess = std::max(1.0, std::max(width, height) / 1000.0);
        cv::resize(grey, fine, cv::Size(std::max(8, cvRound(width / fineLess)), std::max(8, cvRound(height / fineLess))), 0, 0, cv::INTER_AREA);
        for (const bool isChalk : {false, true}) {
            if (isChalk && (best.quality >= minQuality || cv::mean(fine)[0] > 120)) break;
            if (isChalk) fine = 255 - fine;
            for (const double size : {500.0, 1000.0, 250.0}) {
                const double less = std::max(width, height) / size;
                // A good result ends the search; a larger scale than its own adds no detail.
                if (best.quality > sufficientQuality || (size > 500 && less < 0.75)) continue;
                work = fine;
                if (size < 1000)
                    cv::resize(fine, work, cv::Size(std::max(8, cvRound(width / less)), std::max(8, cvRound(height / less))), 0, 0,
                               less > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
                const Found one = gridIn(work);
                if (one.quality <= best.quality) continue;
                best = one, isBright = isChalk;
                scaleX = double(width) / work.cols, scaleY = double(height) / work.rows;
            }
        }
        if (best.quality < minQuality) return int(TCV_OK);
        const cv::Matx33d toPicture(scaleX, 0, 0.5 * scaleX - 0.5, 0, scaleY, 0.5 * scaleY - 0.5, 0, 0, 1);
        cv::Matx33d M = toPicture * best.toPicture;
        M = M * (1 / M(2, 2));
        if (isBright) grey = 255 - grey;
        Plan plan = planOf(grey, M);
        const cv::Matx33d back = best.toPicture.inv();
        Bounds bounds = boundsOf(best, back);
        // The darkness of the lines.
        std::vector<uint8_t> values;
        for (int m = 0; m < 4; m++)
            for (double t = best.lines[m].from; t <= best.lines[m].to; t += 1) {
                const cv::Point2d q = mapped(back, best.lines[m].point(t));
                const int x = cvRound(plan.x(q.x)), y = cvRound(plan.y(q.y));
                if (x < 1 || y < 1 || x + 1 >= plan.dark.cols || y + 1 >= plan.dark.rows) continue;
                uint8_t most = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) most = std::max(most, plan.dark.at<uint8_t>(y + dy, x + dx));
                values.push_back(most);
            }
        if (values.empty()) return int(TCV_OK);
        std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
        const double lines = values[values.size() / 2];
        // Paler lines are the edge of a shadow or a moulding.
        if (lines < 16) return int(TCV_OK);
        const cv::Mat before = plan.dark.clone();
        LineEraser eraser(plan, before, std::max(18.0, 0.45 * lines));
        const auto erase = [&](const Stroke &line, bool isAcross) {
            const cv::Point2d a = mapped(back, line.point(line.from)), b = mapped(back, line.point(line.to));
            // Intersections with 1 and 2 of the other axis.
            const double pa = isAcross ? a.x : a.y, pb = isAcross ? b.x : b.y, qa = isAcross ? a.y : a.x, qb = isAcross ? b.y : b.x;
            if (std::abs(pb - pa) < 0.5) return;
            const double slope = (qb - qa) / (pb - pa);
            // A ruled line is where most of it has ink; a curved one is traced from its mean position.
            const PlanLine ruled = planLine(plan, isAcross, qa - slope * pa, qa + slope * (3 - pa), 0.1, std::max(18.0, 0.4 * lines));
            if (ruled.cover > 0.9)
                eraser.erase(isAcross, ruled.a + (ruled.b - ruled.a) / 3, ruled.a + (ruled.b - ruled.a) * 2 / 3, std::min(pa, pb), std::max(pa, pb));
            else
                eraser.erase(isAcross, qa + slope * (1 - pa), qa + slope * (2 - pa), std::min(pa, pb), std::max(pa, pb));
        };
        for (int m = 0; m < 4; m++) erase(best.lines[m], m >= 2);
        // A frame bounds the outer squares.
        double *ends[4] = {&bounds.left, &bounds.right, &bounds.top, &bounds.bottom};
        for (int m = 0; m < 4; m++) {
            const PlanLine line = planLine(plan, m >= 2, m % 2 ? 3 : 0, m % 2 ? 3 : 0, 0.32, std::max(18.0, 0.4 * lines));
            if (line.cover < 0.82) continue;
            eraser.erase(m >= 2, line.a + (line.b - line.a) / 3, line.a + (line.b - line.a) * 2 / 3, 0, 3);
            *ends[m] = m % 2 ? std::max(line.a, line.b) : std::min(line.a, line.b);
        }
        // Ink paler than a third of the lines, or no darker than the picture's noise, is not a mark.
        const double grain = 12 + 2.5 * quantile(before, 0.5);
        const auto squares = inkOfSquares(plan, bounds, std::max({20.0, 0.3 * lines, grain}));
        for (size_t k = 0; k < 9; k++)
            if (!squares[k].empty()) read(plan, squares[k], lines, grid->cells[k]);
        std::copy(M.val, M.val + 9, grid->matrix);
        grid->quality = best.quality;
        *found = 1;
        return int(TCV_OK);
    });
}
