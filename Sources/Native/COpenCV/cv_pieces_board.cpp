#include "include/cv_pieces_board.h"
#include "cv_board_marker.hpp"
#include "guarded.hpp"
#include "homography.hpp"
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// Corners on the board (millimetres) and in the picture.
struct Pairs {
    std::vector<cv::Point2d> from, to;
};

/// The completely visible markers, each once.
Pairs wholeMarkers(const cv::Mat &grey, const uint16_t *words, const double *squares, int count, std::vector<bool> &seen) {
    cv::Mat small, mask;
    // By a whole number, which is several times faster.
    const int less = std::max(1, cvRound(std::max(grey.cols, grey.rows) / 700.0));
    const cv::Rect whole(0, 0, grey.cols / less * less, grey.rows / less * less);
    cv::resize(grey(whole), small, whole.size() / less, 0, 0, cv::INTER_AREA);
    cv::adaptiveThreshold(small, mask, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY_INV, 35, 8);
    std::vector<std::vector<cv::Point>> outlines;
    cv::findContours(mask, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
    Pairs pairs;
    std::vector<cv::Point> few;
    for (const auto &outline : outlines) {
        // A marker of fewer than 14 working pixels shows no cells.
        if (outline.size() < 48 || outline.size() > size_t(small.cols)) continue;
        cv::approxPolyDP(outline, few, 0.06 * double(outline.size()), true);
        if (few.size() != 4 || !cv::isContourConvex(few) || cv::contourArea(few) < 150) continue;
        if (cv::contourArea(few, true) < 0) std::reverse(few.begin(), few.end());
        Corners corners;
        for (size_t i = 0; i < 4; i++) corners[i] = {(few[i].x + 0.5) * less - 0.5, (few[i].y + 0.5) * less - 0.5};
        double shortest = 1e9;
        for (size_t i = 0; i < 4; i++) shortest = std::min(shortest, cv::norm(corners[(i + 1) % 4] - corners[i]));
        if (wordOf(grey, corners) < 0) continue;
        const auto exact = seenCorners(grey, corners, std::min(4.0, std::max(1.5, shortest / 12)), 8);
        if (!std::all_of(exact.begin(), exact.end(), [](const auto &corner) { return corner.has_value(); })) continue;
        for (size_t i = 0; i < 4; i++) corners[i] = *exact[i];
        int word = wordOf(grey, corners);
        for (int turn = 0; turn < 4 && word >= 0; turn++) {
            const size_t index = size_t(std::find(words, words + count, uint16_t(word)) - words);
            if (index < size_t(count) && !seen[index]) {
                seen[index] = true;
                for (size_t i = 0; i < 4; i++) {
                    pairs.from.push_back({squares[8 * index + 2 * i], squares[8 * index + 2 * i + 1]});
                    pairs.to.push_back(corners[(i + size_t(turn)) % 4]);
                }
                break;
            }
            word = rotated(word);
        }
    }
    return pairs;
}

/// Adds the visible corners of markers that leave the picture or are partly occluded, at most `farthest` pixels from
/// where `H` predicts them.
void addPartialMarkers(const cv::Mat &grey, const uint16_t *words, const double *squares, int count, const std::vector<bool> &seen,
                   const cv::Matx33d &H, double farthest, Pairs &pairs) {
    for (size_t index = 0; index < size_t(count); index++) {
        if (seen[index]) continue;
        Corners corners, board;
        for (size_t i = 0; i < 4; i++) {
            board[i] = {squares[8 * index + 2 * i], squares[8 * index + 2 * i + 1]};
            corners[i] = mapped(H, board[i]);
        }
        const cv::Point2d start = bestShift(grey, corners, words[index], farthest);
        for (cv::Point2d &corner : corners) corner += start;
        // A third of a side proves an edge. An object on a marker changes its cells.
        const auto found = seenCorners(grey, corners, 4, 5);
        Corners exact = corners;
        cv::Point2d shift(0, 0);
        int known = 0;
        for (size_t i = 0; i < 4; i++)
            if (found[i]) shift += *found[i] - corners[i], known++;
        if (!known) continue;
        for (size_t i = 0; i < 4; i++) exact[i] = found[i] ? *found[i] : corners[i] + shift * (1.0 / known);
        if (agreement(grey, exact, words[index]) < 0.85) continue;
        for (size_t i = 0; i < 4; i++)
            if (found[i]) pairs.from.push_back(board[i]), pairs.to.push_back(*found[i]);
    }
}

/// Removes outlier corners, for example those occluded by a piece: one at a time, the one whose removal reduces the
/// residual most, while that helps much.
void removeOutliers(Pairs &pairs, cv::Matx33d &H, double &residual) {
    for (int k = 0; k < 4 && residual > 0.8 && pairs.from.size() > 8 && pairs.from.size() <= 32; k++) {
        Pairs kept;
        cv::Matx33d better = H;
        double least = 0.7 * residual;
        for (size_t i = 0; i < pairs.from.size(); i++) {
            Pairs rest = pairs;
            rest.from.erase(rest.from.begin() + long(i)), rest.to.erase(rest.to.begin() + long(i));
            cv::Matx33d other;
            double misfit;
            if (fitHomography(rest.from, rest.to, other, misfit) && misfit < least) kept = rest, better = other, least = misfit;
        }
        if (kept.from.empty()) return;
        pairs = kept, H = better, residual = least;
    }
}

/// Uncertainty in millimetres of the worst corner of the markers' bounding rectangle, if each visible corner has an
/// error of a quarter of a pixel.
double uncertaintyOf(const Pairs &pairs, const cv::Matx33d &H, const double *squares, int count) {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (int i = 0; i < 4 * count; i++) {
        left = std::min(left, squares[2 * i]), right = std::max(right, squares[2 * i]);
        top = std::min(top, squares[2 * i + 1]), bottom = std::max(bottom, squares[2 * i + 1]);
    }
    const cv::Point2d ends[4] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    double squaresOff[4] = {0, 0, 0, 0}, ignored;
    for (size_t i = 0; i < pairs.to.size(); i++)
        for (const cv::Point2d &off : {cv::Point2d(0.25, 0), cv::Point2d(0, 0.25)}) {
            std::vector<cv::Point2d> to = pairs.to;
            to[i] += off;
            cv::Matx33d other;
            if (!fitHomography(pairs.from, to, other, ignored)) return 1e9;
            const cv::Matx33d back = other.inv();
            for (int k = 0; k < 4; k++) {
                const cv::Point2d moved = mapped(back, mapped(H, ends[k])) - ends[k];
                squaresOff[k] += moved.dot(moved);
            }
        }
    return std::sqrt(*std::max_element(squaresOff, squaresOff + 4));
}

cv::Mat wrapped(const uint8_t *pixels, int width, int height, int channels) {
    return cv::Mat(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
}
} // namespace

int tcv_board_locate(const uint8_t *pixels, int width, int height, int channels, const uint16_t *words,
                     const double *squares, int count, double *matrix, double *residual, double *uncertainty) {
    return guarded([&] {
        if (!pixels || !words || !squares || !matrix || !residual || !uncertainty || width < 32 || height < 32 || count < 1 ||
            count > 64 || (channels != 1 && channels != 3))
            return int(TCV_E_ARGUMENT);
        *uncertainty = 1e9;
        cv::Mat grey;
        if (channels == 3) cv::cvtColor(wrapped(pixels, width, height, channels), grey, cv::COLOR_RGB2GRAY);
        else grey = wrapped(pixels, width, height, channels);
        std::vector<bool> seen(size_t(count), false);
        const Pairs whole = wholeMarkers(grey, words, squares, count, seen);
        cv::Matx33d H;
        // One marker locates the board but hardly determines its rotation.
        if (whole.from.size() < 8 || !fitHomography(whole.from, whole.to, H, *residual)) return int(TCV_OK);
        Pairs pairs = whole;
        removeOutliers(pairs, H, *residual);
        // With two or three markers, the others are searched for in a large area around their predicted position,
        // then in a small one.
        for (const double farthest : {24.0, 2.0}) {
            if (whole.from.size() == 4 * size_t(count)) break;
            Pairs more = pairs;
            addPartialMarkers(grey, words, squares, count, seen, H, farthest, more);
            cv::Matx33d better;
            double misfit;
            if (more.from.size() == pairs.from.size() || !fitHomography(more.from, more.to, better, misfit)) continue;
            removeOutliers(more, better, misfit);
            if (misfit > *residual + 1) continue;
            H = better, *residual = misfit;
            // Corners from the large search are measured again.
            if (farthest < 3) pairs = more;
        }
        // Twelve corners determine a board on all sides. With fewer, the uncertainty depends on their positions.
        *uncertainty = pairs.from.size() >= 12 ? 0 : uncertaintyOf(pairs, H, squares, count);
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
