#include "include/cv_checkered.h"
#include "guarded.hpp"
#include "homography.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// Radius of the ring on which a place is sampled, pixels; squares must be some three times as large.
constexpr double ringRadius = 5;

/// Junctions of four squares, best first (the ring operator of Bennett and Lasenby 2014: opposite quarters equal,
/// adjacent ones different, and not a plain edge).
std::vector<cv::Point2d> junctions(const cv::Mat &grey) {
    std::array<cv::Point, 16> ring;
    for (int k = 0; k < 16; k++) ring[size_t(k)] = {cvRound(ringRadius * std::cos(CV_PI * k / 8)), cvRound(ringRadius * std::sin(CV_PI * k / 8))};
    const int rim = int(ringRadius) + 2;
    cv::Mat response = cv::Mat::zeros(grey.size(), CV_32F);
    for (int y = rim; y < grey.rows - rim; y++)
        for (int x = rim; x < grey.cols - rim; x++) {
            int value[16], all = 0, sums = 0, differences = 0;
            for (size_t k = 0; k < 16; k++) value[k] = grey.at<uint8_t>(y + ring[k].y, x + ring[k].x), all += value[k];
            for (int k = 0; k < 4; k++) sums += std::abs(value[k] + value[k + 8] - value[k + 4] - value[k + 12]);
            if (sums < 60) continue;
            for (int k = 0; k < 8; k++) differences += std::abs(value[k] - value[k + 8]);
            const int near = grey.at<uint8_t>(y, x) + grey.at<uint8_t>(y, x - 1) + grey.at<uint8_t>(y, x + 1) + grey.at<uint8_t>(y - 1, x) + grey.at<uint8_t>(y + 1, x);
            const float r = float(sums - differences) - std::abs(all - 16 * near / 5.0f);
            if (r > 0) response.at<float>(y, x) = r;
        }
    cv::Mat most;
    cv::dilate(response, most, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(9, 9)));
    std::vector<std::pair<float, cv::Point2d>> found;
    for (int y = rim; y < grey.rows - rim; y++)
        for (int x = rim; x < grey.cols - rim; x++) {
            const float r = response.at<float>(y, x);
            if (r < 40 || r < most.at<float>(y, x)) continue;
            // The centroid of the peak.
            double sx = 0, sy = 0, n = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++) {
                    const double weight = response.at<float>(y + dy, x + dx);
                    sx += weight * dx, sy += weight * dy, n += weight;
                }
            found.push_back({r, {x + sx / n, y + sy / n}});
        }
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    if (found.size() > 300) found.resize(300);
    std::vector<cv::Point2d> places;
    for (const auto &one : found) places.push_back(one.second);
    return places;
}

using Lattice = std::map<std::pair<int, int>, size_t>;   // (column, row) → index of a place

/// The place nearest to `at`, within reach; `places.size()` if there is none.
size_t nearest(const std::vector<cv::Point2d> &places, const cv::Point2d &at, double reach) {
    size_t best = places.size();
    for (size_t i = 0; i < places.size(); i++) {
        const double d = cv::norm(places[i] - at);
        if (d < reach) reach = d, best = i;
    }
    return best;
}

/// Grows a lattice from one place along two steps; each step follows the length of the previous one.
Lattice grown(const std::vector<cv::Point2d> &places, size_t seed, const cv::Point2d &along, const cv::Point2d &down) {
    Lattice lattice;
    std::vector<bool> used(places.size(), false);
    std::map<std::pair<int, int>, std::array<cv::Point2d, 2>> steps;
    std::vector<std::pair<int, int>> open{{0, 0}};
    lattice[{0, 0}] = seed, used[seed] = true, steps[{0, 0}] = {along, down};
    for (size_t k = 0; k < open.size() && lattice.size() < 200; k++) {
        const auto here = open[k];
        const std::array<cv::Point2d, 2> step = steps[here];
        const cv::Point2d at = places[lattice[here]];
        for (int way = 0; way < 4; way++) {
            const int sign = way < 2 ? 1 : -1, axis = way % 2;
            const std::pair<int, int> next{here.first + (axis == 0 ? sign : 0), here.second + (axis == 1 ? sign : 0)};
            if (lattice.count(next)) continue;
            const cv::Point2d move = step[size_t(axis)] * sign;
            const size_t found = nearest(places, at + move, 0.22 * cv::norm(move));
            if (found == places.size() || used[found]) continue;
            std::array<cv::Point2d, 2> own = step;
            own[size_t(axis)] = own[size_t(axis)] * 0.4 + (places[found] - at) * (0.6 * sign);
            lattice[next] = found, used[found] = true, steps[next] = own;
            open.push_back(next);
        }
    }
    return lattice;
}

} // namespace

int tcv_checkered_find(const uint8_t *pixels, int width, int height, int channels, int rows, int columns, double *corners,
                     double *residuals, int capacity, int *count) {
    return guarded([&] {
        if (!pixels || !corners || !residuals || !count || capacity < 1 || width < 32 || height < 32 || rows < 3 || columns < 3 ||
            (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        const double scale = std::max(0.5, std::max(width, height) / 800.0);
        cv::Mat work, grey;
        cv::resize(given, work, cv::Size(cvRound(width / scale), cvRound(height / scale)), 0, 0, scale > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        if (channels == 3) cv::cvtColor(work, grey, cv::COLOR_RGB2GRAY); else grey = work;
        cv::GaussianBlur(grey, grey, cv::Size(3, 3), 0);
        const std::vector<cv::Point2d> places = junctions(grey);
        if (places.size() < 12) return int(TCV_OK);
        Lattice best;
        const size_t wanted = size_t((rows - 1) * (columns - 1));
        for (size_t seed = 0; seed < std::min<size_t>(places.size(), 40) && best.size() < wanted * 9 / 10; seed++) {
            // Its neighbours, nearest first. Two at a similar distance and at right angles are its steps.
            std::vector<std::pair<double, size_t>> near;
            for (size_t i = 0; i < places.size(); i++)
                if (i != seed) near.push_back({cv::norm(places[i] - places[seed]), i});
            std::sort(near.begin(), near.end());
            if (near.size() > 8) near.resize(8);
            for (size_t i = 0; i < near.size(); i++)
                for (size_t j = i + 1; j < near.size(); j++) {
                    const cv::Point2d a = places[near[i].second] - places[seed], b = places[near[j].second] - places[seed];
                    if (near[j].first > 1.8 * near[i].first || std::abs(a.dot(b)) > 0.5 * cv::norm(a) * cv::norm(b) || cv::norm(a) < 2.2 * ringRadius) continue;
                    Lattice one = grown(places, seed, a, b);
                    if (one.size() > best.size()) best = std::move(one);
                }
        }
        if (best.size() < 9) return int(TCV_OK);
        // Every window of the lattice that may be the board's inner junctions.
        int left = 1 << 20, right = -left, top = left, bottom = -left;
        for (const auto &one : best)
            left = std::min(left, one.first.first), right = std::max(right, one.first.first), top = std::min(top, one.first.second), bottom = std::max(bottom, one.first.second);
        struct Window { size_t inside; int x, y; };
        for (const bool isTurned : {false, true}) {
            const int w = (isTurned ? rows : columns) - 1, h = (isTurned ? columns : rows) - 1;
            if (isTurned && rows == columns) break;
            std::vector<Window> windows;
            for (int x = std::min(left, right - w + 1); x <= std::max(left, right - w + 1); x++)
                for (int y = std::min(top, bottom - h + 1); y <= std::max(top, bottom - h + 1); y++) {
                    size_t inside = 0;
                    for (const auto &one : best) inside += one.first.first >= x && one.first.first < x + w && one.first.second >= y && one.first.second < y + h;
                    if (inside >= std::max<size_t>(9, wanted * 45 / 100) && inside * 10 >= best.size() * 7) windows.push_back({inside, x, y});
                }
            std::sort(windows.begin(), windows.end(), [](const Window &a, const Window &b) { return a.inside > b.inside; });
            for (const Window &window : windows) {
                if (*count >= capacity) break;
                std::vector<cv::Point2d> from, to;
                for (const auto &one : best) {
                    const int x = one.first.first - window.x, y = one.first.second - window.y;
                    if (x < 0 || y < 0 || x >= w || y >= h) continue;
                    from.push_back({x + 1.0, y + 1.0}), to.push_back(places[one.second]);
                }
                cv::Matx33d H;
                double residual = 0;
                if (!fitHomography(from, to, H, residual)) continue;
                double misfit = 0;
                for (size_t i = 0; i < from.size(); i++) misfit += cv::norm(mapped(H, from[i]) - to[i]) / double(from.size());
                cv::Point2d seen[4] = {mapped(H, {double(0), double(0)}), mapped(H, {double(w + 1), double(0)}), mapped(H, {double(w + 1), double(h + 1)}), mapped(H, {double(0), double(h + 1)})};
                if (misfit > 2.5) continue;
                const double turn = (seen[1] - seen[0]).cross(seen[2] - seen[1]);
                if (turn < 0) std::swap(seen[1], seen[3]);
                size_t first = 0;
                for (size_t i = 1; i < 4; i++)
                    if (seen[i].x + seen[i].y < seen[first].x + seen[first].y) first = i;
                for (size_t i = 0; i < 4; i++) {
                    corners[8 * *count + 2 * int(i)] = (seen[(first + i) % 4].x + 0.5) * scale - 0.5;
                    corners[8 * *count + 2 * int(i) + 1] = (seen[(first + i) % 4].y + 0.5) * scale - 0.5;
                }
                residuals[(*count)++] = misfit * scale;
            }
        }
        return int(TCV_OK);
    });
}
