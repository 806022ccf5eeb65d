// Queries on a prepared photo: the region of a colour, the interior of an outline, its edges.
#include "cv_pieces_image.hpp"
#include "cv_pieces_table.hpp"
#include "guarded.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// Bilinear colour at a place of the full picture, which must be inside.
cv::Vec3f colourAt(const cv::Mat &image, double x, double y) {
    const int x0 = int(x), y0 = int(y);
    const float u = float(x - x0), v = float(y - y0);
    const cv::Vec3b *a = image.ptr<cv::Vec3b>(y0) + x0, *b = image.ptr<cv::Vec3b>(y0 + 1) + x0;
    cv::Vec3f value;
    for (int c = 0; c < 3; c++)
        value[c] = (1 - v) * ((1 - u) * a[0][c] + u * a[1][c]) + v * ((1 - u) * b[0][c] + u * b[1][c]);
    return value;
}
} // namespace

int tcv_pieces_region(const tcv_pieces *prepared, int label, double *xy, int capacity, int *count, double *area) {
    return guarded([&] {
        if (!prepared || !xy || !count || !area || capacity < 3 || label < 0 || label >= prepared->paletteCount)
            return int(TCV_E_ARGUMENT);
        *count = 0, *area = 0;
        cv::Mat mask = prepared->labels == label + 1;
        cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
        std::vector<std::vector<cv::Point>> outlines;
        cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
        const auto largest = std::max_element(outlines.begin(), outlines.end(), [](const auto &a, const auto &b) {
            return cv::contourArea(a) < cv::contourArea(b);
        });
        if (largest == outlines.end()) return int(TCV_OK);
        // The outline runs through the centres of the outermost pixels.
        *area = (cv::contourArea(*largest) + 0.5 * double(largest->size())) * prepared->scale * prepared->scale;
        const size_t n = largest->size(), kept = std::min(n, size_t(capacity));
        for (size_t i = 0; i < kept; i++) {
            const cv::Point &p = (*largest)[i * n / kept];
            xy[2 * i] = (p.x + 0.5) * prepared->scale - 0.5, xy[2 * i + 1] = (p.y + 0.5) * prepared->scale - 0.5;
        }
        *count = int(kept);
        return int(TCV_OK);
    });
}

int tcv_pieces_narrow(tcv_pieces *prepared, int label, int *narrowed) {
    return guarded([&] {
        if (!prepared || !narrowed || label < 0 || label >= prepared->paletteCount) return int(TCV_E_ARGUMENT);
        *narrowed = 0;
        const uint8_t *colour = prepared->palette.data() + 3 * label;
        const Lab wanted = labOf(colour[0], colour[1], colour[2]);
        // Distances in steps of a twentieth, computed once for each colour of the cube.
        constexpr int steps = 128;
        std::vector<int8_t> known(32 * 32 * 32, -1);
        std::array<int, steps> count{};
        const auto stepOf = [&](const cv::Vec3b &p) {
            int8_t &step = known[size_t(((p[0] >> 3) * 32 + (p[1] >> 3)) * 32 + (p[2] >> 3))];
            if (step < 0) {
                const Lab lab = labOf((p[0] >> 3) * 8 + 4, (p[1] >> 3) * 8 + 4, (p[2] >> 3) * 8 + 4);
                step = int8_t(std::min(steps - 1.0, 20 * distanceFrom(wanted, lab)));
            }
            return int(step);
        };
        int all = 0;
        for (int y = 0; y < prepared->labels.rows; y++)
            for (int x = 0; x < prepared->labels.cols; x++)
                if (prepared->labels.at<uint8_t>(y, x) == label + 1) count[size_t(stepOf(prepared->even.at<cv::Vec3b>(y, x)))]++, all++;
        // Otsu's threshold, and a test for two separate groups.
        double sum = 0, below = 0, sumBelow = 0, most = 0;
        for (int i = 0; i < steps; i++) sum += double(i) * count[size_t(i)];
        int threshold = -1;
        double apart = 0;
        for (int i = 0; i + 1 < steps; i++) {
            below += count[size_t(i)], sumBelow += double(i) * count[size_t(i)];
            if (below < 0.1 * all || below > 0.9 * all) continue;
            const double difference = (sum - sumBelow) / (all - below) - sumBelow / below;
            const double between = below * (all - below) * difference * difference;
            if (between > most) most = between, threshold = i, apart = difference;
        }
        if (threshold < 0 || apart < 0.8 * 20) return int(TCV_OK);
        for (int y = 0; y < prepared->labels.rows; y++)
            for (int x = 0; x < prepared->labels.cols; x++) {
                uint8_t &own = prepared->labels.at<uint8_t>(y, x);
                if (own == label + 1 && stepOf(prepared->even.at<cv::Vec3b>(y, x)) > threshold) own = 0;
            }
        *narrowed = 1;
        return int(TCV_OK);
    });
}

int tcv_pieces_inside(const tcv_pieces *prepared, const double *xy, int corners, int label, double *own, double *bare) {
    return guarded([&] {
        if (!prepared || !xy || !own || !bare || corners < 3 || corners > 16 || label < 0 || label >= prepared->paletteCount)
            return int(TCV_E_ARGUMENT);
        std::vector<cv::Point> places;
        for (int i = 0; i < corners; i++)
            places.push_back({cvRound((xy[2 * i] + 0.5) / prepared->scale - 0.5), cvRound((xy[2 * i + 1] + 0.5) / prepared->scale - 0.5)});
        cv::Mat mask = cv::Mat::zeros(prepared->labels.size(), CV_8U);
        cv::fillConvexPoly(mask, places, 255);
        // The rim mixes the colours of both sides.
        cv::erode(mask, mask, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
        const cv::Rect box = cv::boundingRect(places) & cv::Rect(0, 0, mask.cols, mask.rows);
        int all = 0, mine = 0, table = 0;
        for (int y = box.y; y < box.br().y; y++)
            for (int x = box.x; x < box.br().x; x++) {
                if (!mask.at<uint8_t>(y, x)) continue;
                all++;
                if (prepared->labels.at<uint8_t>(y, x) == label + 1) mine++;
                else if (prepared->difference.at<uint8_t>(y, x) < std::max(14.0, 4 * prepared->noise)) table++;
            }
        *own = all ? double(mine) / all : 0, *bare = all ? double(table) / all : 1;
        return int(TCV_OK);
    });
}

int tcv_pieces_edges(const tcv_pieces *prepared, const double *xy, int corners, double reach, int samples,
                     tcv_piece_edge *edges) {
    return guarded([&] {
        if (!prepared || !xy || !edges || corners < 3 || corners > 16 || samples < 1 || !(reach > 0) || reach > 64)
            return int(TCV_E_ARGUMENT);
        const int half = std::max(2, int(std::ceil(reach))) + 2, taps = 2 * half + 1;
        std::vector<cv::Vec3f> profile(static_cast<size_t>(taps) + 2);
        for (int i = 0; i < corners; i++) {
            const cv::Point2d a(xy[2 * i], xy[2 * i + 1]);
            const cv::Point2d b(xy[2 * ((i + 1) % corners)], xy[2 * ((i + 1) % corners) + 1]);
            const cv::Point2d along = b - a;
            const double length = std::max(1e-6, cv::norm(along));
            const cv::Point2d out(along.y / length, -along.x / length); // clockwise with y down: outside is to the left
            for (int k = 0; k < samples; k++) {
                tcv_piece_edge &edge = edges[i * samples + k];
                // Corners are often rounded, so the outer tenth of a side is skipped.
                const cv::Point2d p = a + along * (0.1 + 0.8 * (samples > 1 ? double(k) / (samples - 1) : 0.5));
                edge = {p.x, p.y, 0, i, 0};
                bool inside = true;
                for (int s = 0; s < taps + 2 && inside; s++) {
                    const cv::Point2d q = inFull(*prepared, p + out * double(s - half - 1));
                    inside = q.x >= 0 && q.y >= 0 && q.x < prepared->full.cols - 1 && q.y < prepared->full.rows - 1;
                    if (inside) profile[size_t(s)] = colourAt(prepared->full, q.x, q.y);
                }
                if (!inside) continue;
                double best = 0, step[135];
                int at = -1;
                for (int s = 0; s < taps; s++)
                    step[s] = cv::norm(profile[size_t(s) + 2] - profile[size_t(s)]) / std::sqrt(3.0);
                // Peaks only. A stronger edge beyond the reach appears as a slope at the end and belongs to another
                // side.
                for (int s = 1; s < taps - 1; s++) {
                    const double near = (s - half) / (0.6 * reach), weighed = step[s] * std::exp(-0.5 * near * near);
                    if (step[s] >= step[s - 1] && step[s] >= step[s + 1] && weighed > best) best = weighed, at = s;
                }
                if (at < 0 || step[at] < 6) continue;
                const double bend = step[at - 1] - 2 * step[at] + step[at + 1];
                const double part = bend < -1e-9 ? std::clamp(0.5 * (step[at - 1] - step[at + 1]) / bend, -1.0, 1.0) : 0;
                const cv::Point2d q = p + out * (at - half + part);
                edge = {q.x, q.y, step[at], i, 1};
            }
        }
        return int(TCV_OK);
    });
}
