#include "include/cv_pieces.h"
#include "cv_even_row.hpp"
#include "cv_pieces_outline.hpp"
#include "cv_pieces_image.hpp"
#include "cv_pieces_table.hpp"
#include "guarded.hpp"
#include <array>
#include <climits>
#include <map>
#include <memory>
#include <mutex>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// Computes `difference` and `even` from the table's surface, and `labels` from the palette.
void flatten(tcv_pieces &prepared, const Table &table, const std::vector<uint8_t> &numbers) {
    const int rows = prepared.work.rows, cols = prepared.work.cols;
    prepared.difference.create(rows, cols, CV_8U);
    prepared.even.create(rows, cols, CV_8UC3);
    if (!numbers.empty()) prepared.labels.create(rows, cols, CV_8U);
    const cv::Vec3d middle = table.at(0, 0);
    const double brightest = std::max({middle[0], middle[1], middle[2]});
    const double dullest = std::min({middle[0], middle[1], middle[2]});
    // A nearly grey table shows the colour of the light, so each channel is corrected by itself. A coloured table
    // shows only its brightness, and a dark one nothing.
    prepared.tint = (brightest - dullest) / std::max(1.0, brightest);
    const bool neutral = prepared.whiteTable || prepared.tint < 0.25, dark = brightest < (prepared.whiteTable ? 16 : 70);
    EvenRow even(cols);
    for (int y = 0; y < rows; y++) {
        const TableRow exact(table, 2.0 * y / rows - 1);
        even.light(exact, dark, neutral);
        cv::Vec3b *to = prepared.even.ptr<cv::Vec3b>(y);
        even.apply(prepared.work.ptr<uint8_t>(y), prepared.difference.ptr<uint8_t>(y), to->val);
        uint8_t *label = numbers.empty() ? nullptr : prepared.labels.ptr<uint8_t>(y);
        if (!label) continue;
        for (int x = 0; x < cols; x++) label[x] = numbers[((to[x][0] >> 3) * 32 + (to[x][1] >> 3)) * 32 + (to[x][2] >> 3)];
    }
}

double median(std::vector<double> &values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// Samples the interior of the polygon on a coarse grid of at most some 400 points.
void measureInterior(const tcv_pieces &prepared, const cv::Mat &mask, const std::vector<cv::Point2d> &corners,
                tcv_piece_shape &shape) {
    cv::Point2d middle(0, 0);
    for (const cv::Point2d &c : corners) middle += c * (1.0 / double(corners.size()));
    std::vector<cv::Point> inner;
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    std::vector<cv::Point2f> shrunk;
    for (const cv::Point2d &c : corners) {
        const cv::Point2d p = middle + (c - middle) * 0.8;
        shrunk.push_back(p);
        left = std::min(left, p.x), right = std::max(right, p.x);
        top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
    const double step = std::max(1.0, std::sqrt((right - left) * (bottom - top) / 400));
    std::vector<double> channel[3], off;
    std::vector<cv::Point> places;
    int inRegion = 0;
    for (double y = top; y <= bottom; y += step)
        for (double x = left; x <= right; x += step) {
            const cv::Point p(cvRound(x), cvRound(y));
            if (p.x < 0 || p.y < 0 || p.x >= mask.cols || p.y >= mask.rows) continue;
            if (cv::pointPolygonTest(shrunk, cv::Point2f(p), false) < 0) continue;
            places.push_back(p);
            inRegion += mask.at<uint8_t>(p) != 0;
            const cv::Vec3b e = prepared.even.at<cv::Vec3b>(p);
            for (int c = 0; c < 3; c++) channel[c].push_back(e[c]);
            off.push_back(prepared.difference.at<uint8_t>(p));
        }
    if (places.empty()) return;
    shape.fill = double(inRegion) / double(places.size());
    shape.contrast = median(off);
    cv::Vec3d common;
    for (int c = 0; c < 3; c++) common[c] = median(channel[c]), shape.rgb[c] = uint8_t(common[c]);
    std::vector<double> away;
    for (const cv::Point &p : places) away.push_back(difference(prepared.even.at<cv::Vec3b>(p), common));
    std::nth_element(away.begin(), away.begin() + long(away.size() * 9 / 10), away.end());
    shape.spread = away[away.size() * 9 / 10];
}

/// Converts a region's outline to a shape; false if it has no straight sides.
bool shapeOf(const tcv_pieces &prepared, const cv::Mat &mask, const std::vector<cv::Point> &outline, int label,
             tcv_piece_shape &shape) {
    const int smallest = 9;          // the direction of a shorter side cannot be measured
    if (int(outline.size()) < 4 * smallest) return false;
    const cv::Rect box = cv::boundingRect(outline);
    if (box.width < smallest || box.height < smallest) return false;
    if (box.x <= 1 || box.y <= 1 || box.br().x >= mask.cols - 1 || box.br().y >= mask.rows - 1) return false;
    const double area = cv::contourArea(outline);
    if (area < smallest * smallest * 0.5 || area > 0.2 * mask.rows * mask.cols) return false;
    std::vector<cv::Point> hull;
    cv::convexHull(outline, hull);
    if (area < 0.86 * cv::contourArea(hull)) return false;
    std::vector<cv::Point2d> corners = coarseCorners(hull);
    if (corners.empty() || !straighten(outline, corners) || !straighten(outline, corners)) return false;
    if (!clockwiseConvex(corners)) return false;
    double squares = 0;
    int near = 0;
    for (const cv::Point &p : outline) {
        double distance, along;
        nearestSide(p, corners, distance, along);
        squares += std::min(distance, 4.0) * std::min(distance, 4.0);
        near += distance < 2;
    }
    shape = {};
    shape.corners = int(corners.size());
    shape.label = label;
    shape.residual = std::sqrt(squares / double(outline.size())) * prepared.scale;
    shape.support = double(near) / double(outline.size());
    if (shape.support < 0.8) return false;
    measureInterior(prepared, mask, corners, shape);
    for (size_t i = 0; i < corners.size(); i++) {
        // Centre of a working pixel → the same place in the full picture.
        shape.xy[2 * i] = (corners[i].x + 0.5) * prepared.scale - 0.5;
        shape.xy[2 * i + 1] = (corners[i].y + 0.5) * prepared.scale - 0.5;
    }
    return true;
}

/// Bounding box of each label, enlarged by a pixel inside the picture; empty for absent labels.
std::vector<cv::Rect> labelBoxes(const cv::Mat &labels, int count) {
    std::vector<std::array<int, 4>> ends(size_t(count), {INT_MAX, INT_MAX, -1, -1});
    for (int y = 0; y < labels.rows; y++) {
        const uint8_t *row = labels.ptr<uint8_t>(y);
        for (int x = 0; x < labels.cols; x++) {
            if (!row[x] || row[x] > count) continue;
            auto &end = ends[size_t(row[x] - 1)];
            end = {std::min(end[0], x), std::min(end[1], y), std::max(end[2], x), std::max(end[3], y)};
        }
    }
    std::vector<cv::Rect> boxes;
    for (const auto &end : ends) {
        const cv::Rect box(end[0] - 1, end[1] - 1, end[2] - end[0] + 3, end[3] - end[1] + 3);
        boxes.push_back(end[2] < 0 ? cv::Rect() : box & cv::Rect(0, 0, labels.cols, labels.rows));
    }
    return boxes;
}

/// Caches the table of the last palette, because it takes longer to build than a frame takes to read.
std::vector<uint8_t> knownPaletteTable(const uint8_t *palette, int count) {
    static std::mutex lock;
    static std::map<std::vector<uint8_t>, std::vector<uint8_t>> known;
    const std::vector<uint8_t> key(palette, palette + 3 * count);
    const std::lock_guard<std::mutex> guard(lock);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
    return known[key] = paletteTable(palette, count);
}

void collect(const tcv_pieces &prepared, const cv::Mat &mask, int label, std::vector<tcv_piece_shape> &shapes,
             const cv::Rect &within = cv::Rect()) {
    std::vector<std::vector<cv::Point>> outlines;
    if (within.empty()) cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    else cv::findContours(mask(within), outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE, within.tl());
    for (const auto &outline : outlines) {
        tcv_piece_shape shape;
        if (shapeOf(prepared, mask, outline, label, shape)) shapes.push_back(shape);
    }
}

/// From the working copy: the table's surface, the difference from it, and the labels of the palette's colours.
void prepare(tcv_pieces &prepared, const cv::Mat &work, const uint8_t *palette, int palette_count) {
    cv::GaussianBlur(work, prepared.work, cv::Size(3, 3), 0);
    cv::Mat small;
    const double less = std::max(1.0, std::max(work.rows, work.cols) / 120.0);
    const cv::Size few(std::max(1, int(work.cols / less)), std::max(1, int(work.rows / less)));
    cv::resize(prepared.work, small, few, 0, 0, cv::INTER_AREA);
    const Table table = fitTable(small, prepared.noise);
    prepared.paletteCount = palette_count;
    if (palette_count) prepared.palette.assign(palette, palette + 3 * palette_count);
    flatten(prepared, table, palette_count ? knownPaletteTable(palette, palette_count) : std::vector<uint8_t>());
}
} // namespace

int tcv_pieces_open(const uint8_t *pixels, int width, int height, int channels, int long_side,
                    const uint8_t *palette, int palette_count, int white_table, tcv_pieces **prepared, double *tint) {
    return guarded([&] {
        if (!pixels || !prepared || !tint || width < 1 || height < 1 || (channels != 1 && channels != 3) || long_side < 32 ||
            palette_count < 0 || palette_count > 32 || (palette_count && !palette))
            return int(TCV_E_ARGUMENT);
        std::unique_ptr<tcv_pieces> made(new tcv_pieces);
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        if (channels == 3) given.copyTo(made->full); else cv::cvtColor(given, made->full, cv::COLOR_GRAY2RGB);
        cv::Mat work = made->full;
        // Scaled down by a whole number first, which is several times faster. The remaining factor is below two.
        const double less = double(std::max(width, height)) / long_side;
        const int whole = std::max(1, std::abs(less - std::round(less)) < 0.1 * less ? int(std::round(less)) : int(less));
        if (whole > 1) {
            const cv::Size size(width / whole, height / whole);
            if (size.empty()) return int(TCV_E_ARGUMENT);
            cv::resize(made->full(cv::Rect(0, 0, size.width * whole, size.height * whole)), work, size, 0, 0, cv::INTER_AREA);
        }
        made->scale = whole;
        if (less / whole > 1.1) {
            const cv::Size size(std::max(1, cvRound(width / less)), std::max(1, cvRound(height / less)));
            cv::Mat smaller;
            cv::resize(work, smaller, size, 0, 0, cv::INTER_LINEAR);
            work = smaller, made->scale = less;
        }
        made->whiteTable = white_table != 0;
        prepare(*made, work, palette, palette_count);
        *tint = made->tint;
        cv::Mat grey;
        cv::cvtColor(made->work, grey, cv::COLOR_RGB2GRAY);
        const double quiet = std::max(12.0, 5 * made->noise);
        cv::Canny(grey, made->seams, quiet, 2.5 * quiet);
        cv::dilate(made->seams, made->seams, cv::getStructuringElement(cv::MORPH_CROSS, cv::Size(3, 3)));
        *prepared = made.release();
        return int(TCV_OK);
    });
}

int tcv_pieces_open_through(const uint8_t *pixels, int width, int height, int channels, const double *matrix,
                            int view_width, int view_height, int step, const uint8_t *palette, int palette_count,
                            tcv_pieces **prepared) {
    return guarded([&] {
        if (!pixels || !matrix || !prepared || width < 1 || height < 1 || (channels != 1 && channels != 3) || step < 1 ||
            view_width < 2 * step || view_height < 2 * step || palette_count < 1 || palette_count > 32 || !palette)
            return int(TCV_E_ARGUMENT);
        std::unique_ptr<tcv_pieces> made(new tcv_pieces);
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        if (channels == 3) given.copyTo(made->full); else cv::cvtColor(given, made->full, cv::COLOR_GRAY2RGB);
        made->toFull = cv::Matx33d(matrix), made->isRectified = true;
        made->scale = step;
        made->whiteTable = true;
        // The picture is first scaled down by a whole number, which is cheap, so that warping skips no pixels.
        const cv::Point2d middle(view_width / 2.0, view_height / 2.0);
        const cv::Point2d right = inFull(*made, middle + cv::Point2d(1, 0)) - inFull(*made, middle);
        const cv::Point2d down = inFull(*made, middle + cv::Point2d(0, 1)) - inFull(*made, middle);
        const double pixels_a_step = step * std::sqrt(std::abs(right.cross(down)));
        const int less = std::max(1, std::min({cvRound(0.9 * pixels_a_step), width / 16, height / 16}));
        cv::Mat small, work;
        const cv::Size few(width / less, height / less);
        cv::resize(made->full(cv::Rect(0, 0, few.width * less, few.height * less)), small, few, 0, 0, cv::INTER_AREA);
        // Working place (u, v) → view's (step (u + ½) − ½) → picture's p → small's ((p + ½) / less − ½).
        const cv::Matx33d toView(step, 0, (step - 1) / 2.0, 0, step, (step - 1) / 2.0, 0, 0, 1);
        const cv::Matx33d toSmall(1.0 / less, 0, (1.0 / less - 1) / 2, 0, 1.0 / less, (1.0 / less - 1) / 2, 0, 0, 1);
        cv::warpPerspective(small, work, toSmall * made->toFull * toView, cv::Size(view_width / step, view_height / step),
                            cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        prepare(*made, work, palette, palette_count);
        *prepared = made.release();
        return int(TCV_OK);
    });
}

void tcv_pieces_close(tcv_pieces *prepared) { delete prepared; }

int tcv_pieces_shapes(tcv_pieces *prepared, tcv_piece_shape *shapes, int capacity, int *count) {
    return guarded([&] {
        if (!prepared || !shapes || !count || capacity < 1) return int(TCV_E_ARGUMENT);
        std::vector<tcv_piece_shape> found;
        const cv::Mat open = cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3));
        cv::Mat mask;
        // Labels come first, because they identify the piece and must not be cut off by the capacity.
        const std::vector<cv::Rect> boxes = labelBoxes(prepared->labels, prepared->paletteCount);
        for (int k = 0; k < prepared->paletteCount; k++) {
            if (boxes[size_t(k)].empty()) continue;
            // The rest of the mask stays empty, so opening and contours are restricted to the label's box.
            mask.create(prepared->labels.size(), CV_8U);
            mask.setTo(0);
            cv::Mat part = mask(boxes[size_t(k)]);
            cv::Mat(prepared->labels(boxes[size_t(k)]) == k + 1).copyTo(part);
            cv::morphologyEx(part, part, cv::MORPH_OPEN, open, cv::Point(-1, -1), 1, cv::BORDER_CONSTANT | cv::BORDER_ISOLATED, 0);
            collect(*prepared, mask, k, found, boxes[size_t(k)]);
        }
        if (prepared->isRectified) {
            *count = std::min(capacity, int(found.size()));
            std::copy(found.begin(), found.begin() + *count, shapes);
            return int(TCV_OK);
        }
        const double lowest = std::max(18.0, 5 * prepared->noise);
        for (double level = lowest; level < 200; level *= 1.4) {
            mask = prepared->difference > level;
            cv::morphologyEx(mask, mask, cv::MORPH_OPEN, open);
            collect(*prepared, mask, -1, found);
        }
        // Split at the seams between touching pieces, then again with a wider brush. A dark rim can join neighbours
        // where the seam meets the outline.
        const cv::Mat wide = cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(7, 7));
        for (double level : {lowest, 2.5 * lowest}) {
            const cv::Mat parted = (prepared->difference > level) & ~prepared->seams;
            cv::morphologyEx(parted, mask, cv::MORPH_OPEN, open);
            collect(*prepared, mask, -1, found);
            cv::morphologyEx(parted, mask, cv::MORPH_OPEN, wide);
            collect(*prepared, mask, -1, found);
        }
        *count = std::min(capacity, int(found.size()));
        std::copy(found.begin(), found.begin() + *count, shapes);
        return int(TCV_OK);
    });
}

int tcv_pieces_coarse(const tcv_pieces *prepared, int columns, int rows, uint8_t *values) {
    return guarded([&] {
        if (!prepared || !values || columns < 1 || rows < 1 || columns > 4096 || rows > 4096) return int(TCV_E_ARGUMENT);
        cv::Mat out(rows, columns, CV_8U, values);
        cv::resize(prepared->difference, out, out.size(), 0, 0, cv::INTER_AREA);
        return int(TCV_OK);
    });
}
