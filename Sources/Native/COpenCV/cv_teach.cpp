#include "include/cv_teach.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
uint8_t median(std::vector<uint8_t> &values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Exposure gain of each channel between both photos, estimated from most of the table.
cv::Vec3d gains(const cv::Mat &empty, const cv::Mat &laid) {
    cv::Vec3d result;
    for (int c = 0; c < 3; c++) {
        std::vector<double> ratios;
        for (int y = 0; y < empty.rows; y += 4)
            for (int x = 0; x < empty.cols; x += 4)
                ratios.push_back((laid.at<cv::Vec3b>(y, x)[c] + 4.0) / (empty.at<cv::Vec3b>(y, x)[c] + 4.0));
        std::nth_element(ratios.begin(), ratios.begin() + long(ratios.size() / 2), ratios.end());
        result[c] = ratios[ratios.size() / 2];
    }
    return result;
}

/// Corners of lines fitted to the outline's points beside each side; false if a side has too few.
bool straighten(const std::vector<cv::Point> &outline, std::vector<cv::Point2d> &corners, double &misfit) {
    const size_t n = corners.size();
    std::vector<cv::Vec4f> lines(n);
    double sum = 0;
    int used = 0;
    for (size_t i = 0; i < n; i++) {
        const cv::Point2d a = corners[i], d = corners[(i + 1) % n] - a;
        const double length = cv::norm(d);
        std::vector<cv::Point2f> beside;
        for (const cv::Point &p : outline) {
            const cv::Point2d q = cv::Point2d(p) - a;
            const double along = q.dot(d) / (length * length), across = std::abs(q.x * d.y - q.y * d.x) / length;
            if (along > 0.1 && along < 0.9 && across < 0.04 * length + 2) beside.push_back(cv::Point2f(p));
        }
        if (beside.size() < 6) return false;
        cv::fitLine(beside, lines[i], cv::DIST_HUBER, 0, 0.01, 0.01);
        for (const auto &p : beside) sum += std::abs((p.x - lines[i][2]) * lines[i][1] - (p.y - lines[i][3]) * lines[i][0]), used++;
    }
    for (size_t i = 0; i < n; i++) {
        const cv::Vec4f a = lines[(i + n - 1) % n], b = lines[i];
        const double turn = double(a[0]) * b[1] - double(a[1]) * b[0];
        if (std::abs(turn) < 0.1) return false;
        const double t = ((b[2] - a[2]) * double(b[1]) - (b[3] - a[3]) * double(b[0])) / turn;
        corners[i] = {a[2] + t * a[0], a[3] + t * a[1]};
    }
    misfit = sum / std::max(1, used);
    return true;
}
} // namespace

int tcv_regions_between(const uint8_t *empty, const uint8_t *laid, int width, int height, tcv_region *regions, int capacity,
                        int *count, int *touches, uint8_t *table) {
    return guarded([&] {
        if (!empty || !laid || !regions || !count || !touches || !table || width < 64 || height < 64 || capacity < 1)
            return int(TCV_E_ARGUMENT);
        *count = *touches = 0;
        const cv::Size size(width, height);
        const cv::Mat given(size, CV_8UC3, const_cast<uint8_t *>(empty)), later(size, CV_8UC3, const_cast<uint8_t *>(laid));
        const double scale = std::max(1.0, std::max(width, height) / 1600.0);
        cv::Mat before, after;
        cv::resize(given, before, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, cv::INTER_AREA);
        cv::resize(later, after, before.size(), 0, 0, cv::INTER_AREA);
        cv::GaussianBlur(before, before, cv::Size(3, 3), 0), cv::GaussianBlur(after, after, cv::Size(3, 3), 0);
        const cv::Vec3d gain = gains(before, after);
        cv::Mat off(before.size(), CV_8U), unshaded = cv::Mat(before.size(), CV_8U, cv::Scalar(255));
        std::vector<uint8_t> noise, colours[3];
        for (int y = 0; y < before.rows; y++)
            for (int x = 0; x < before.cols; x++) {
                const cv::Vec3b a = before.at<cv::Vec3b>(y, x), b = after.at<cv::Vec3b>(y, x);
                double most = 0, least = 255, ratioMost = 0, ratioLeast = 10;
                for (int c = 0; c < 3; c++) {
                    const double d = b[c] - a[c] * gain[c], ratio = (b[c] + 6.0) / (a[c] * gain[c] + 6.0);
                    most = std::max(most, std::abs(d)), least = std::min(least, std::abs(d));
                    ratioMost = std::max(ratioMost, ratio), ratioLeast = std::min(ratioLeast, ratio);
                    colours[c].push_back(a[c]);
                }
                // A shadow darkens all channels equally, and by less than half.
                if (ratioMost < 1 && ratioLeast > 0.5 && ratioMost - ratioLeast < 0.1) most *= 0.4, unshaded.at<uint8_t>(y, x) = 0;
                off.at<uint8_t>(y, x) = uint8_t(std::min(255.0, most));
                noise.push_back(off.at<uint8_t>(y, x));
            }
        for (int c = 0; c < 3; c++) table[c] = median(colours[c]);
        const double quiet = median(noise);
        cv::Mat mask;
        cv::threshold(off, mask, std::max(22.0, 6 * quiet), 255, cv::THRESH_BINARY);
        cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
        cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(5, 5)));
        std::vector<std::vector<cv::Point>> outlines;
        cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
        // A hard shadow beside a piece is removed if most of the region remains. A piece that looks like a shadow
        // would vanish, and stays whole.
        cv::Mat clear = mask & unshaded;
        cv::morphologyEx(clear, clear, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
        for (auto &outline : outlines) {
            const cv::Rect box = cv::boundingRect(outline);
            cv::Mat own = cv::Mat::zeros(box.size(), CV_8U);
            cv::drawContours(own, std::vector<std::vector<cv::Point>>{outline}, 0, 255, cv::FILLED, cv::LINE_8, cv::noArray(), 0, -box.tl());
            std::vector<std::vector<cv::Point>> parts;
            cv::findContours(own & clear(box), parts, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE, box.tl());
            for (const auto &part : parts)
                if (cv::contourArea(part) > 0.6 * cv::contourArea(outline)) { outline = part; break; }
        }
        std::sort(outlines.begin(), outlines.end(), [](const auto &a, const auto &b) { return cv::contourArea(a) > cv::contourArea(b); });
        const double least = 0.0006 * before.rows * before.cols;
        for (const auto &outline : outlines) {
            const double area = cv::contourArea(outline);
            if (area < least || *count >= capacity) break;
            const cv::Rect box = cv::boundingRect(outline);
            if (box.x <= 1 || box.y <= 1 || box.br().x >= before.cols - 1 || box.br().y >= before.rows - 1) { (*touches)++; continue; }
            tcv_region region = {};
            const cv::Moments m = cv::moments(outline);
            const cv::Point2d middle(m.m10 / m.m00, m.m01 / m.m00);
            const double radius = std::sqrt(area / CV_PI);
            double round = 0;
            for (const cv::Point &p : outline) round += std::abs(cv::norm(cv::Point2d(p) - middle) - radius);
            round /= double(outline.size());
            if (round < 0.045 * radius) {
                region.misfit = round * scale;
            } else {
                std::vector<cv::Point> few;
                for (double part = 0.015; part < 0.05; part += 0.005) {
                    cv::approxPolyDP(outline, few, part * cv::arcLength(outline, true), true);
                    if (few.size() <= 6) break;
                }
                // Remaining shadow or noise along a side creates extra corners. Four corners that enclose nearly the
                // same area replace them.
                if (few.size() > 4) {
                    std::vector<cv::Point> hull, four;
                    cv::convexHull(outline, hull);
                    const double length = cv::arcLength(hull, true), around = cv::contourArea(hull);
                    for (double part = 0.02; part < 0.1 && four.size() != 4; part += 0.005) cv::approxPolyDP(hull, four, part * length, true);
                    if (four.size() == 4 && area > 0.92 * around && cv::contourArea(four) > 0.9 * around) few = four;
                }
                if (few.size() < 3 || few.size() > TCV_REGION_CORNERS) continue;
                if (cv::contourArea(few, true) < 0) std::reverse(few.begin(), few.end());
                std::vector<cv::Point2d> corners(few.begin(), few.end());
                double misfit = 0;
                if (!straighten(outline, corners, misfit)) continue;
                region.corners = int(corners.size()), region.misfit = misfit * scale;
                for (size_t i = 0; i < corners.size(); i++) {
                    region.xy[2 * i] = (corners[i].x + 0.5) * scale - 0.5;
                    region.xy[2 * i + 1] = (corners[i].y + 0.5) * scale - 0.5;
                }
            }
            region.x = (middle.x + 0.5) * scale - 0.5, region.y = (middle.y + 0.5) * scale - 0.5;
            region.area = area * scale * scale, region.radius = radius * scale;
            cv::Mat inside = cv::Mat::zeros(before.size(), CV_8U);
            cv::drawContours(inside, std::vector<std::vector<cv::Point>>{outline}, 0, 255, cv::FILLED);
            cv::erode(inside, inside, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(5, 5)));
            std::vector<uint8_t> channels[3], ground[3];
            for (int y = box.y; y < box.br().y; y++)
                for (int x = box.x; x < box.br().x; x++)
                    if (inside.at<uint8_t>(y, x))
                        for (int c = 0; c < 3; c++) {
                            channels[c].push_back(after.at<cv::Vec3b>(y, x)[c]);
                            ground[c].push_back(before.at<cv::Vec3b>(y, x)[c]);
                        }
            // Same light correction as in the recogniser: by a nearly grey table's colour, else by its brightness.
            const double brightest = std::max({table[0], table[1], table[2]}), dullest = std::min({table[0], table[1], table[2]});
            const bool neutral = (brightest - dullest) / std::max(1.0, brightest) < 0.25, dark = brightest < 70;
            double lights[3];
            for (int c = 0; c < 3; c++) lights[c] = median(ground[c]) * gain[c];
            for (int c = 0; c < 3; c++) {
                const double light = neutral ? lights[c] : std::max({lights[0], lights[1], lights[2]});
                region.rgb[c] = uint8_t(std::min(255.0, median(channels[c]) * (dark ? 1 : 238 / std::max(24.0, light))));
            }
            regions[(*count)++] = region;
        }
        return int(TCV_OK);
    });
}
