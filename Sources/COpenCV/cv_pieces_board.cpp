#include "include/cv_pieces_board.h"
#include "cv_straight.hpp"
#include "guarded.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
using Corners = std::array<cv::Point2d, 4>;

double bilinear(const cv::Mat &grey, double x, double y) {
    const int x0 = int(std::floor(x)), y0 = int(std::floor(y));
    if (x0 < 0 || y0 < 0 || x0 + 1 >= grey.cols || y0 + 1 >= grey.rows) return -1;
    const double u = x - x0, v = y - y0;
    const uint8_t *a = grey.ptr<uint8_t>(y0) + x0, *b = grey.ptr<uint8_t>(y0 + 1) + x0;
    return (1 - v) * ((1 - u) * a[0] + u * a[1]) + v * ((1 - u) * b[0] + u * b[1]);
}

/// Where each side's edge from black to white really is: a line through the middles of the steps across it.
bool refine(const cv::Mat &grey, Corners &corners, double reach) {
    std::array<cv::Vec4f, 4> lines;
    for (int side = 0; side < 4; side++) {
        const cv::Point2d a = corners[size_t(side)], d = corners[size_t(side + 1) % 4] - a;
        const double length = cv::norm(d);
        const cv::Point2d out(d.y / length, -d.x / length); // clockwise with y down: outside is to the left
        std::vector<cv::Point2f> steps;
        for (int k = 0; k < 16; k++) {
            const cv::Point2d p = a + d * (0.12 + 0.76 * k / 15);
            double weight = 0, sum = 0, before = bilinear(grey, p.x - out.x * (reach + 0.5), p.y - out.y * (reach + 0.5));
            for (double s = -reach; s <= reach; s += 0.5) {
                const double next = bilinear(grey, p.x + out.x * (s + 0.5), p.y + out.y * (s + 0.5));
                if (before < 0 || next < 0) return false;
                const double rise = std::max(0.0, next - before - 1);
                weight += rise, sum += rise * (s + 0.25), before = next;
            }
            if (weight > 20) steps.push_back(cv::Point2f(p + out * (sum / weight)));
        }
        if (steps.size() < 8) return false;
        lines[size_t(side)] = lineThrough(steps);
    }
    for (size_t i = 0; i < 4; i++) {
        const cv::Vec4f a = lines[(i + 3) % 4], b = lines[i];
        const double turn = double(a[0]) * b[1] - double(a[1]) * b[0];
        if (std::abs(turn) < 0.2) return false;
        const double t = ((b[2] - a[2]) * double(b[1]) - (b[3] - a[3]) * double(b[0])) / turn;
        const cv::Point2d at(a[2] + t * a[0], a[3] + t * a[1]);
        if (cv::norm(at - corners[i]) > 2 * reach) return false;
        corners[i] = at;
    }
    return true;
}

/// The 16 inner cells, 1 for white, highest bit first; −1 where the rim is not black or the square shows no contrast.
int wordOf(const cv::Mat &grey, const Corners &corners) {
    const cv::Point2f unit[4] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    cv::Point2f seen[4];
    for (size_t i = 0; i < 4; i++) seen[i] = cv::Point2f(corners[i]);
    const cv::Matx33d H = cv::getPerspectiveTransform(unit, seen);
    double cells[6][6], low = 255, high = 0;
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 6; column++) {
            double sum = 0;
            for (int k = 0; k < 9; k++) {
                const cv::Vec3d p = H * cv::Vec3d(column + 0.3 + 0.2 * (k % 3), row + 0.3 + 0.2 * (k / 3), 1);
                const double value = bilinear(grey, p[0] / p[2], p[1] / p[2]);
                if (value < 0) return -1;
                sum += value / 9;
            }
            cells[row][column] = sum, low = std::min(low, sum), high = std::max(high, sum);
        }
    if (high - low < 25) return -1;
    const double middle = (low + high) / 2;
    int word = 0;
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 6; column++) {
            const bool white = cells[row][column] > middle;
            if (row % 5 == 0 || column % 5 == 0) {
                if (white) return -1;
            } else {
                word = word << 1 | int(white);
            }
        }
    return word;
}

/// A quarter turn: what was the top-right cell becomes the top-left one.
int turned(int word) {
    int result = 0;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            const int from = column * 4 + (3 - row);
            result = result << 1 | ((word >> (15 - from)) & 1);
        }
    return result;
}

/// Least squares (direct linear transformation on normalised points).
bool fit(const std::vector<cv::Point2d> &from, const std::vector<cv::Point2d> &to, cv::Matx33d &H, double &residual) {
    const auto normal = [](const std::vector<cv::Point2d> &points) {
        cv::Point2d middle(0, 0);
        for (const auto &p : points) middle += p * (1.0 / double(points.size()));
        double spread = 0;
        for (const auto &p : points) spread += cv::norm(p - middle) / double(points.size());
        const double s = std::sqrt(2.0) / std::max(1e-9, spread);
        return cv::Matx33d(s, 0, -s * middle.x, 0, s, -s * middle.y, 0, 0, 1);
    };
    const cv::Matx33d A = normal(from), B = normal(to);
    cv::Mat rows(int(2 * from.size()), 9, CV_64F);
    for (size_t i = 0; i < from.size(); i++) {
        const cv::Vec3d p = A * cv::Vec3d(from[i].x, from[i].y, 1), q = B * cv::Vec3d(to[i].x, to[i].y, 1);
        const double one[9] = {p[0], p[1], 1, 0, 0, 0, -q[0] * p[0], -q[0] * p[1], -q[0]};
        const double two[9] = {0, 0, 0, p[0], p[1], 1, -q[1] * p[0], -q[1] * p[1], -q[1]};
        std::copy(one, one + 9, rows.ptr<double>(int(2 * i)));
        std::copy(two, two + 9, rows.ptr<double>(int(2 * i + 1)));
    }
    cv::Mat solution;
    cv::SVD::solveZ(rows, solution);
    H = B.inv() * cv::Matx33d(solution.ptr<double>()) * A;
    if (std::abs(H(2, 2)) < 1e-12) return false;
    H = H * (1 / H(2, 2));
    residual = 0;
    for (size_t i = 0; i < from.size(); i++) {
        const cv::Vec3d p = H * cv::Vec3d(from[i].x, from[i].y, 1);
        const cv::Point2d off(p[0] / p[2] - to[i].x, p[1] / p[2] - to[i].y);
        residual += off.dot(off) / double(from.size());
    }
    residual = std::sqrt(residual);
    return true;
}

cv::Mat wrapped(const uint8_t *pixels, int width, int height, int channels) {
    return cv::Mat(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
}
} // namespace

int tcv_board_locate(const uint8_t *pixels, int width, int height, int channels, const uint16_t *words,
                     const double *squares, int count, double *matrix, double *residual, int *found) {
    return guarded([&] {
        if (!pixels || !words || !squares || !matrix || !residual || !found || width < 32 || height < 32 || count < 1 ||
            count > 64 || (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        *found = 0;
        cv::Mat grey, small, mask;
        if (channels == 3) cv::cvtColor(wrapped(pixels, width, height, channels), grey, cv::COLOR_RGB2GRAY);
        else grey = wrapped(pixels, width, height, channels);
        // By a whole number, which averages several times faster.
        const int less = std::max(1, cvRound(std::max(width, height) / 700.0));
        const cv::Rect whole(0, 0, width / less * less, height / less * less);
        cv::resize(grey(whole), small, whole.size() / less, 0, 0, cv::INTER_AREA);
        cv::adaptiveThreshold(small, mask, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY_INV, 35, 8);
        std::vector<std::vector<cv::Point>> outlines;
        cv::findContours(mask, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
        std::vector<bool> seen(size_t(count), false);
        std::vector<cv::Point2d> from, to;
        std::vector<cv::Point> few;
        for (const auto &outline : outlines) {
            // A marker of fewer than 14 working pixels shows no cells.
            if (outline.size() < 48 || outline.size() > size_t(small.cols)) continue;
            cv::approxPolyDP(outline, few, 0.06 * double(outline.size()), true);
            if (few.size() != 4 || !cv::isContourConvex(few) || cv::contourArea(few) < 150) continue;
            if (cv::contourArea(few, true) < 0) std::reverse(few.begin(), few.end());
            Corners corners;
            for (size_t i = 0; i < 4; i++)
                corners[i] = {(few[i].x + 0.5) * less - 0.5, (few[i].y + 0.5) * less - 0.5};
            double shortest = 1e9;
            for (size_t i = 0; i < 4; i++) shortest = std::min(shortest, cv::norm(corners[(i + 1) % 4] - corners[i]));
            int word = wordOf(grey, corners);
            if (word < 0 || !refine(grey, corners, std::min(4.0, std::max(1.5, shortest / 12)))) continue;
            word = wordOf(grey, corners);
            for (int turn = 0; turn < 4 && word >= 0; turn++) {
                const auto known = std::find(words, words + count, uint16_t(word));
                const size_t index = size_t(known - words);
                if (index < size_t(count) && !seen[index]) {
                    seen[index] = true;
                    for (size_t i = 0; i < 4; i++) {
                        from.push_back({squares[8 * index + 2 * i], squares[8 * index + 2 * i + 1]});
                        to.push_back(corners[(i + size_t(turn)) % 4]);
                    }
                    break;
                }
                word = turned(word);
            }
        }
        *found = int(from.size() / 4);
        cv::Matx33d H;
        if (*found < 3) return int(TCV_OK);
        if (!fit(from, to, H, *residual)) { *found = 0; return int(TCV_OK); }
        std::copy(H.val, H.val + 9, matrix);
        return int(TCV_OK);
    });
}

int tcv_board_warp(const uint8_t *pixels, int width, int height, int channels, const double *matrix, uint8_t *out,
                   int out_width, int out_height) {
    return guarded([&] {
        if (!pixels || !matrix || !out || width < 1 || height < 1 || out_width < 1 || out_height < 1 ||
            (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        cv::Mat given = wrapped(pixels, width, height, channels), colour;
        if (channels == 3) colour = given; else cv::cvtColor(given, colour, cv::COLOR_GRAY2RGB);
        cv::Mat target(out_height, out_width, CV_8UC3, out);
        cv::warpPerspective(colour, target, cv::Matx33d(matrix), target.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                            cv::BORDER_REPLICATE);
        return int(TCV_OK);
    });
}
