#include "include/cv_tiles.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
cv::Vec3d medianColour(const cv::Mat &image, const cv::Mat &mask) {
    cv::Vec3d result;
    for (int c = 0; c < 3; c++) {
        int counts[256] = {}, total = 0;
        for (int y = 0; y < image.rows; y++)
            for (int x = 0; x < image.cols; x++)
                if (mask.empty() || mask.at<uint8_t>(y, x)) counts[image.at<cv::Vec3b>(y, x)[c]]++, total++;
        int seen = 0, value = 0;
        while (value < 255 && (seen += counts[value]) <= total / 2) value++;
        result[c] = value;
    }
    return result;
}

cv::Mat colourOf(const uint8_t *pixels, int width, int height, int channels) {
    const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
    cv::Mat colour;
    if (channels == 3) colour = given; else cv::cvtColor(given, colour, cv::COLOR_GRAY2RGB);
    return colour;
}

/// The direction modulo a quarter turn of the edges around a spot, outside the spot itself.
void edgesAround(const cv::Mat &dx, const cv::Mat &dy, const cv::Mat &spots, const cv::Point2d &at, double size, tcv_spot &spot) {
    double even = 0, odd = 0, all = 0;
    const int reach = int(size * 1.35);
    for (int y = std::max(0, int(at.y) - reach); y < std::min(dx.rows, int(at.y) + reach); y++)
        for (int x = std::max(0, int(at.x) - reach); x < std::min(dx.cols, int(at.x) + reach); x++) {
            if (spots.at<uint8_t>(y, x)) continue;
            const double gx = dx.at<int16_t>(y, x), gy = dy.at<int16_t>(y, x), weight = gx * gx + gy * gy;
            if (weight < 900) continue;
            const double turn = 4 * std::atan2(gy, gx);
            even += weight * std::cos(turn), odd += weight * std::sin(turn), all += weight;
        }
    spot.angle = std::atan2(odd, even) / 4;
    spot.agreement = all > 0 ? std::hypot(even, odd) / all : 0;
}
/// Tiles in lines share one direction. A spot whose own edges are weak or different takes it. Each spot's mask is
/// then rotated back.
void rotateUpright(tcv_spot *spots, int count, const std::vector<std::vector<cv::Point2d>> &places) {
    double even = 0, odd = 0, all = 0;
    for (int i = 0; i < count; i++)
        even += spots[i].agreement * std::cos(4 * spots[i].angle), odd += spots[i].agreement * std::sin(4 * spots[i].angle), all += spots[i].agreement;
    const bool common = count >= 4 && std::hypot(even, odd) > 0.75 * all;
    const double direction = std::atan2(odd, even) / 4;
    for (int i = 0; i < count; i++) {
        tcv_spot &spot = spots[i];
        if (common && (spot.agreement < 0.5 || std::abs(std::remainder(spot.angle - direction, CV_PI / 2)) > 0.2)) spot.angle = direction;
        const double c = std::cos(spot.angle), s = std::sin(spot.angle);
        double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
        for (const cv::Point2d &p : places[size_t(i)]) {
            const cv::Point2d q(p.x * c + p.y * s, -p.x * s + p.y * c);
            left = std::min(left, q.x), right = std::max(right, q.x), top = std::min(top, q.y), bottom = std::max(bottom, q.y);
        }
        const double longer = std::max(right - left, bottom - top) + 1, u0 = (left + right - longer) / 2, v0 = (top + bottom - longer) / 2;
        const int reach = int(longer) + 2;
        cv::Mat own = cv::Mat::zeros(2 * reach + 1, 2 * reach + 1, CV_8U);
        for (const cv::Point2d &p : places[size_t(i)]) {
            const int x = cvRound(p.x) + reach, y = cvRound(p.y) + reach;
            if (x >= 0 && y >= 0 && x < own.cols && y < own.rows) own.at<uint8_t>(y, x) = 255;
        }
        for (int v = 0; v < TCV_SPOT_SIDE; v++)
            for (int u = 0; u < TCV_SPOT_SIDE; u++) {
                const double p = (u + 0.5) / TCV_SPOT_SIDE * longer + u0, q = (v + 0.5) / TCV_SPOT_SIDE * longer + v0;
                const int x = cvRound(p * c - q * s) + reach, y = cvRound(p * s + q * c) + reach;
                spot.mask[v * TCV_SPOT_SIDE + u] = x >= 0 && y >= 0 && x < own.cols && y < own.rows ? own.at<uint8_t>(y, x) : 0;
            }
    }
}
} // namespace

int tcv_tile_ink(const uint8_t *face, int width, int height, int rim, uint8_t *mask, tcv_ink_part *parts, int capacity,
                 int *count, double *contrast) {
    return guarded([&] {
        if (!face || !mask || !parts || !count || !contrast || width < 8 || height < 8 || capacity < 1 || capacity > 255 ||
            rim < 0 || 2 * rim + 4 > std::min(width, height))
            return int(TCV_E_ARGUMENT);
        const cv::Mat image(height, width, CV_8UC3, const_cast<uint8_t *>(face));
        const cv::Rect inner(rim, rim, width - 2 * rim, height - 2 * rim);
        const cv::Vec3d ground = medianColour(image(inner), cv::Mat());
        cv::Mat off(height, width, CV_8U);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const cv::Vec3b p = image.at<cv::Vec3b>(y, x);
                double most = 0;
                for (int c = 0; c < 3; c++) most = std::max(most, std::abs(p[c] - ground[c]));
                off.at<uint8_t>(y, x) = uint8_t(most);
            }
        cv::Mat ink, all = off(inner).clone();
        double level = cv::threshold(all, ink, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
        *count = 0, *contrast = 0;
        cv::Mat out(height, width, CV_8U, mask);
        out.setTo(0);
        level = std::max(level, 26.0);
        cv::threshold(off, ink, level, 255, cv::THRESH_BINARY);
        cv::Mat labels, stats, centres;
        const int n = cv::connectedComponentsWithStats(ink, labels, stats, centres, 8);
        std::vector<int> order;
        for (int k = 1; k < n; k++) {
            const int *s = stats.ptr<int>(k);
            const bool atRim = s[0] < rim || s[1] < rim || s[0] + s[2] > width - rim || s[1] + s[3] > height - rim;
            if (!atRim && s[4] >= std::max(6, width * height / 2500)) order.push_back(k);
        }
        std::sort(order.begin(), order.end(), [&](int a, int b) { return stats.at<int>(a, 4) > stats.at<int>(b, 4); });
        if (int(order.size()) > capacity) order.resize(size_t(capacity));
        std::vector<uint8_t> number(size_t(n), 0);
        for (size_t i = 0; i < order.size(); i++) {
            const int *s = stats.ptr<int>(order[i]);
            number[size_t(order[i])] = uint8_t(i + 1);
            parts[i] = {s[0], s[1], s[2], s[3], s[4], int(i + 1), centres.at<double>(order[i], 0), centres.at<double>(order[i], 1)};
        }
        std::vector<uint8_t> differences;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                out.at<uint8_t>(y, x) = number[size_t(labels.at<int>(y, x))];
                if (out.at<uint8_t>(y, x)) differences.push_back(off.at<uint8_t>(y, x));
            }
        if (!differences.empty()) {
            std::nth_element(differences.begin(), differences.begin() + long(differences.size() / 2), differences.end());
            *contrast = differences[differences.size() / 2];
        }
        *count = int(order.size());
        return int(TCV_OK);
    });
}

int tcv_spots_find(const uint8_t *pixels, int width, int height, int channels, tcv_spot *spots, int capacity, int *count) {
    return guarded([&] {
        if (!pixels || !spots || !count || capacity < 1 || width < 32 || height < 32 || (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Mat colour = colourOf(pixels, width, height, channels);
        // Symbols of 25 pixels are recognised; large photos show smaller tiles.
        const int longSide = std::max(width, height);
        const double scale = longSide > 2000 ? longSide / 1600.0 : std::max(0.6, longSide / 1280.0);
        cv::Mat work, grey;
        cv::resize(colour, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0,
                   scale > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        cv::GaussianBlur(work, work, cv::Size(3, 3), 0);
        cv::cvtColor(work, grey, cv::COLOR_RGB2GRAY);
        cv::Mat dx, dy;
        cv::Sobel(grey, dx, CV_16S, 1, 0), cv::Sobel(grey, dy, CV_16S, 0, 1);
        // Saturated and brighter than the surroundings: the maximum channel exceeds its local mean.
        cv::Mat chroma(work.size(), CV_8U), value(work.size(), CV_8U);
        for (int y = 0; y < work.rows; y++)
            for (int x = 0; x < work.cols; x++) {
                const cv::Vec3b p = work.at<cv::Vec3b>(y, x);
                const int most = std::max({p[0], p[1], p[2]}), least = std::min({p[0], p[1], p[2]});
                chroma.at<uint8_t>(y, x) = uint8_t(most - least), value.at<uint8_t>(y, x) = uint8_t(most);
            }
        cv::Mat mean, bright, mask = cv::Mat::zeros(work.size(), CV_8U);
        const int window = int(0.045 * std::max(work.cols, work.rows)) | 1;
        cv::boxFilter(chroma, mean, CV_8U, cv::Size(window, window));
        for (int y = 0; y < work.rows; y++)
            for (int x = 0; x < work.cols; x++) {
                const int c = chroma.at<uint8_t>(y, x), v = value.at<uint8_t>(y, x);
                mask.at<uint8_t>(y, x) = c > 45 && v > 60 && c > 0.32 * v && c > mean.at<uint8_t>(y, x) * 0.9 ? 255 : 0;
            }
        cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_CROSS, cv::Size(3, 3)));
        // White has no saturation. Bright regions on a dark tile are segmented by brightness, at several levels.
        std::vector<cv::Mat> masks = {mask};
        for (const int level : {90, 125, 165}) {
            cv::Mat white(work.size(), CV_8U);
            for (int y = 0; y < work.rows; y++) {
                const uint8_t *c = chroma.ptr<uint8_t>(y), *v = value.ptr<uint8_t>(y);
                uint8_t *to = white.ptr<uint8_t>(y);
                for (int x = 0; x < work.cols; x++) to[x] = v[x] > level && 5 * c[x] < 2 * v[x] ? 255 : 0;
            }
            cv::morphologyEx(white, white, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_CROSS, cv::Size(3, 3)));
            masks.push_back(white);
        }
        cv::Mat labels, stats, centres, thick;
        const auto isKnown = [&](double x, double y, double size) {
            for (int i = 0; i < *count; i++)
                if (std::hypot(spots[i].x / scale - x, spots[i].y / scale - y) < 0.6 * std::max(size, spots[i].size / scale)) return true;
            return false;
        };
        std::vector<std::vector<cv::Point2d>> places;
        for (size_t which = 0; which < masks.size(); which++) {
            const int n = cv::connectedComponentsWithStats(masks[which], labels, stats, centres, 4);
            cv::dilate(masks[which], thick, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(7, 7)));
            std::vector<int> order;
            for (int k = 1; k < n; k++) {
                const int *s = stats.ptr<int>(k);
                if (s[4] < 120 || s[2] > work.cols / 3 || s[3] > work.rows / 3 || std::max(s[2], s[3]) > 1.7 * std::min(s[2], s[3])) continue;
                if (s[4] < 0.22 * s[2] * s[3] || s[0] < 2 || s[1] < 2 || s[0] + s[2] > work.cols - 2 || s[1] + s[3] > work.rows - 2) continue;
                if (which && isKnown(centres.at<double>(k, 0), centres.at<double>(k, 1), std::sqrt(double(s[4])))) continue;
                order.push_back(k);
            }
            std::sort(order.begin(), order.end(), [&](int a, int b) { return stats.at<int>(a, 4) > stats.at<int>(b, 4); });
            for (const int k : order) {
                if (*count >= capacity) break;
                tcv_spot &spot = spots[*count];
                spot = {};
                const int *s = stats.ptr<int>(k);
                const cv::Point2d at(centres.at<double>(k, 0), centres.at<double>(k, 1));
                const double size = std::sqrt(double(s[4]));
                const cv::Rect box(s[0], s[1], s[2], s[3]);
                const cv::Mat own = labels(box) == k;
                const cv::Vec3d rgb = medianColour(work(box), own);
                // The background: a ring around the spot without spots.
                const int rim = std::max(2, int(0.12 * size));
                const cv::Rect wide = cv::Rect(box.x - rim - 4, box.y - rim - 4, box.width + 2 * rim + 8, box.height + 2 * rim + 8) &
                                      cv::Rect(0, 0, work.cols, work.rows);
                cv::Mat near;
                cv::dilate(labels(wide) == k, near, cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(2 * rim + 7, 2 * rim + 7)));
                const cv::Mat ring = near & ~thick(wide);
                if (cv::countNonZero(ring) < 20) continue;
                const cv::Vec3d ground = medianColour(work(wide), ring);
                const double groundMost = std::max({ground[0], ground[1], ground[2]}), most = std::max({rgb[0], rgb[1], rgb[2]});
                spot.darkness = most - groundMost;
                if (spot.darkness < 25 || groundMost > (which ? 0.5 : 0.72) * most) continue;
                if (which) {
                    // The surroundings of the softened outline must be dark. A white square between printed lines is
                    // not a symbol.
                    cv::Mat close, about;
                    cv::dilate(labels(wide) == k, about, cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(2 * rim + 3, 2 * rim + 3)));
                    cv::dilate(labels(wide) == k, close, cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(7, 7)));
                    int dark = 0, all = 0;
                    for (int y = 0; y < wide.height; y++)
                        for (int x = 0; x < wide.width; x++)
                            if (about.at<uint8_t>(y, x) && !close.at<uint8_t>(y, x)) all++, dark += value.at<uint8_t>(wide.y + y, wide.x + x) < 0.6 * most;
                    if (dark < 0.9 * all) continue;
                }
                edgesAround(dx, dy, thick, at, size, spot);
                std::vector<cv::Point2d> inside;
                for (int y = box.y; y < box.br().y; y++)
                    for (int x = box.x; x < box.br().x; x++)
                        if (labels.at<int>(y, x) == k) inside.push_back(cv::Point2d(x - at.x, y - at.y));
                places.push_back(std::move(inside));
                spot.x = (at.x + 0.5) * scale - 0.5, spot.y = (at.y + 0.5) * scale - 0.5, spot.size = size * scale;
                for (int i = 0; i < 3; i++) spot.rgb[i] = uint8_t(rgb[i]);
                (*count)++;
            }
        }
        rotateUpright(spots, *count, places);
        return int(TCV_OK);
    });
}

int tcv_quads_find(const uint8_t *pixels, int width, int height, int channels, double *corners, double *residuals, int capacity,
                   int *count) {
    return guarded([&] {
        if (!pixels || !corners || !residuals || !count || capacity < 1 || width < 32 || height < 32 || (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Mat colour = colourOf(pixels, width, height, channels);
        const double scale = std::max(1.0, std::max(width, height) / 800.0);
        cv::Mat work;
        cv::resize(colour, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, cv::INTER_AREA);
        cv::GaussianBlur(work, work, cv::Size(5, 5), 0);
        const cv::Rect all(0, 0, work.cols, work.rows);
        // The picture's rim shows the surroundings of a board.
        cv::Mat rim = cv::Mat::zeros(work.size(), CV_8U);
        cv::rectangle(rim, all, 255, std::max(2, work.cols / 60));
        const cv::Vec3d table = medianColour(work, rim);
        cv::Mat off(work.size(), CV_8U);
        for (int y = 0; y < work.rows; y++)
            for (int x = 0; x < work.cols; x++) {
                const cv::Vec3b p = work.at<cv::Vec3b>(y, x);
                double most = 0;
                for (int c = 0; c < 3; c++) most = std::max(most, std::abs(p[c] - table[c]));
                off.at<uint8_t>(y, x) = uint8_t(most);
            }
        std::vector<cv::Mat> masks;
        cv::Mat mask;
        for (const double level : {18.0, 28.0, 42.0, 60.0, 80.0}) {
            cv::threshold(off, mask, level, 255, cv::THRESH_BINARY);
            masks.push_back(mask.clone());
        }
        cv::Mat grey, edges;
        cv::cvtColor(work, grey, cv::COLOR_RGB2GRAY);
        cv::Canny(grey, edges, 30, 80);
        cv::dilate(edges, edges, cv::Mat());
        masks.push_back(edges);
        // Shadows have no colour of their own, so hue excludes them.
        cv::Mat hue(work.size(), CV_8U);
        const double tableSum = std::max(1.0, table[0] + table[1] + table[2]);
        for (int y = 0; y < work.rows; y++)
            for (int x = 0; x < work.cols; x++) {
                const cv::Vec3b p = work.at<cv::Vec3b>(y, x);
                const double sum = std::max(24, p[0] + p[1] + p[2]);
                double most = 0;
                for (int c = 0; c < 3; c++) most = std::max(most, std::abs(p[c] / sum - table[c] / tableSum));
                // Regions brighter than the table are not shadows.
                if (sum > 1.15 * tableSum) most = std::max(most, 0.2);
                hue.at<uint8_t>(y, x) = uint8_t(std::min(255.0, 600 * most));
            }
        for (const double level : {20.0, 40.0}) {
            cv::threshold(hue, mask, level, 255, cv::THRESH_BINARY);
            masks.push_back(mask.clone());
        }
        for (const cv::Mat &one : masks) {
            double best = 0;
            bool isNew = true;
            cv::Mat closed;
            cv::morphologyEx(one, closed, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(9, 9)));
            std::vector<std::vector<cv::Point>> outlines;
            cv::findContours(closed, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
            for (const auto &outline : outlines) {
                std::vector<cv::Point> hull, few;
                cv::convexHull(outline, hull);
                const double area = cv::contourArea(hull);
                if (area < 0.1 * all.area() || area > 0.97 * all.area()) continue;
                for (double part = 0.02; part < 0.08; part += 0.01) {
                    cv::approxPolyDP(hull, few, part * cv::arcLength(hull, true), true);
                    if (few.size() <= 4) break;
                }
                if (few.size() != 4 || cv::contourArea(few) < 0.9 * area) continue;
                if (cv::contourArea(few, true) < 0) std::reverse(few.begin(), few.end());
                // Each side as a line through the hull's points beside it.
                cv::Vec4f lines[4];
                double misfit = 0;
                int used = 0;
                bool good = true;
                for (size_t i = 0; i < 4 && good; i++) {
                    const cv::Point2d a = few[i], b = few[(i + 1) % 4], d = b - a;
                    const double length = cv::norm(d);
                    std::vector<cv::Point2f> beside;
                    for (const cv::Point &p : outline) {
                        const cv::Point2d q = cv::Point2d(p) - a;
                        const double along = q.dot(d) / (length * length), across = std::abs(q.x * d.y - q.y * d.x) / length;
                        if (along > 0.05 && along < 0.95 && across < 0.025 * length + 2) beside.push_back(cv::Point2f(p));
                    }
                    good = beside.size() > 0.4 * length;
                    if (!good) break;
                    cv::fitLine(beside, lines[i], cv::DIST_HUBER, 0, 0.01, 0.01);
                    for (const auto &p : beside)
                        misfit += std::abs((p.x - lines[i][2]) * lines[i][1] - (p.y - lines[i][3]) * lines[i][0]), used++;
                }
                if (!good || area < best) continue;
                cv::Point2d seen[4];
                for (size_t i = 0; i < 4 && good; i++) {
                    const cv::Vec4f a = lines[(i + 3) % 4], b = lines[i];
                    const double turn = double(a[0]) * b[1] - double(a[1]) * b[0];
                    good = std::abs(turn) > 0.3;
                    if (!good) break;
                    const double t = ((b[2] - a[2]) * double(b[1]) - (b[3] - a[3]) * double(b[0])) / turn;
                    seen[i] = {a[2] + t * a[0], a[3] + t * a[1]};
                }
                if (!good) continue;
                if (isNew && *count >= capacity) break;
                if (isNew) (*count)++, isNew = false;
                best = area, residuals[*count - 1] = misfit / std::max(1, used) * scale;
                double *to = corners + 8 * (*count - 1);
                // Clockwise from the corner nearest to the top left.
                size_t first = 0;
                for (size_t i = 1; i < 4; i++)
                    if (seen[i].x + seen[i].y < seen[first].x + seen[first].y) first = i;
                for (size_t i = 0; i < 4; i++) {
                    to[2 * i] = (seen[(first + i) % 4].x + 0.5) * scale - 0.5;
                    to[2 * i + 1] = (seen[(first + i) % 4].y + 0.5) * scale - 0.5;
                }
            }
        }
        return int(TCV_OK);
    });
}
