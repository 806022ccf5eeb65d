#include "cv_image.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace {
constexpr int ways[] = {cv::INTER_LINEAR, cv::INTER_AREA, cv::INTER_CUBIC, cv::INTER_NEAREST};
}

int tcv_image_scale(const tcv_image *from, tcv_image *to, int how) {
    if (how < TCV_LINEAR || how > TCV_NEAREST) return TCV_E_ARGUMENT;
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::resize(source, target, target.size(), 0, 0, ways[how]);
    });
}

int tcv_image_convert(const tcv_image *from, tcv_image *to) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        if (source.channels() == target.channels()) source.copyTo(target);
        else cv::cvtColor(source, target, target.channels() == 1 ? cv::COLOR_RGB2GRAY : cv::COLOR_GRAY2RGB);
    });
}

int tcv_image_warp_affine(const tcv_image *from, tcv_image *to, const double values[6]) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::warpAffine(source, target, cv::Matx23d(values), target.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                       cv::BORDER_REPLICATE);
    });
}

int tcv_image_chroma(const tcv_image *from, tcv_image *most, tcv_image *chroma) {
    return guarded([&] {
        if (!isPicture(from, TCV_U8, 3) || !isPicture(most, TCV_U8, 1) || !isPicture(chroma, TCV_U8, 1) ||
            !sameSize(from, most) || !sameSize(from, chroma))
            return int(TCV_E_ARGUMENT);
        const cv::Mat source = matrix(from);
        cv::Mat high = matrix(most), range = matrix(chroma);
        for (int y = 0; y < source.rows; y++) {
            const uint8_t *p = source.ptr<uint8_t>(y);
            uint8_t *h = high.ptr<uint8_t>(y), *r = range.ptr<uint8_t>(y);
            for (int x = 0; x < source.cols; x++, p += 3) {
                h[x] = std::max(p[0], std::max(p[1], p[2]));
                r[x] = uint8_t(h[x] - std::min(p[0], std::min(p[1], p[2])));
            }
        }
        return int(TCV_OK);
    });
}

int tcv_image_difference(const tcv_image *from, const double rgb[3], tcv_image *to) {
    return guarded([&] {
        if (!isPicture(from, TCV_U8, 3) || !isPicture(to, TCV_U8, 1) || !sameSize(from, to)) return int(TCV_E_ARGUMENT);
        const cv::Mat source = matrix(from);
        cv::Mat target = matrix(to);
        uint8_t off[3][256];
        for (int c = 0; c < 3; c++)
            for (int value = 0; value < 256; value++) off[c][value] = uint8_t(std::abs(value - rgb[c]));
        for (int y = 0; y < source.rows; y++) {
            const uint8_t *p = source.ptr<uint8_t>(y);
            uint8_t *out = target.ptr<uint8_t>(y);
            for (int x = 0; x < source.cols; x++, p += 3)
                out[x] = std::max(off[0][p[0]], std::max(off[1][p[1]], off[2][p[2]]));
        }
        return int(TCV_OK);
    });
}

int tcv_image_hue_difference(const tcv_image *from, const double rgb[3], double factor, double least_sum,
                             double brighter, double if_brighter, tcv_image *to) {
    return guarded([&] {
        if (!isPicture(from, TCV_U8, 3) || !isPicture(to, TCV_U8, 1) || !sameSize(from, to)) return int(TCV_E_ARGUMENT);
        const cv::Mat source = matrix(from);
        cv::Mat target = matrix(to);
        const double whole = std::max(1.0, rgb[0] + rgb[1] + rgb[2]);
        for (int y = 0; y < source.rows; y++) {
            const uint8_t *p = source.ptr<uint8_t>(y);
            uint8_t *out = target.ptr<uint8_t>(y);
            for (int x = 0; x < source.cols; x++, p += 3) {
                const double sum = std::max(least_sum, double(p[0] + p[1] + p[2]));
                double most = 0;
                for (int c = 0; c < 3; c++) most = std::max(most, std::abs(p[c] / sum - rgb[c] / whole));
                if (sum > brighter * whole) most = std::max(most, if_brighter);
                out[x] = uint8_t(std::min(255.0, factor * most));
            }
        }
        return int(TCV_OK);
    });
}

int tcv_image_subtract(const tcv_image *one, const tcv_image *other, tcv_image *to) {
    if (!isPicture(other)) return TCV_E_ARGUMENT;
    return converted(one, to,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::subtract(source, matrix(other), target); });
}

int tcv_image_histogram(const tcv_image *from, const tcv_image *mask, int32_t *counts) {
    return guarded([&] {
        if (!isPicture(from, TCV_U8) || !counts || (mask && (!isPicture(mask, TCV_U8, 1) || !sameSize(from, mask))))
            return int(TCV_E_ARGUMENT);
        const cv::Mat source = matrix(from), where = mask ? matrix(mask) : cv::Mat();
        const int channels = source.channels();
        std::fill(counts, counts + 256 * channels, 0);
        if (channels == 1 && !mask) {
            // Neighbours often have one value, and an addition to it waits for the one before: four tables in turn.
            int32_t tables[4][256] = {};
            for (int y = 0; y < source.rows; y++) {
                const uint8_t *p = source.ptr<uint8_t>(y);
                for (int x = 0; x < source.cols; x++) tables[x & 3][p[x]]++;
            }
            for (int v = 0; v < 256; v++) counts[v] = tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
            return int(TCV_OK);
        }
        for (int y = 0; y < source.rows; y++) {
            const uint8_t *p = source.ptr<uint8_t>(y), *m = mask ? where.ptr<uint8_t>(y) : nullptr;
            for (int x = 0; x < source.cols; x++, p += channels)
                if (!m || m[x])
                    for (int c = 0; c < channels; c++) counts[256 * c + p[c]]++;
        }
        return int(TCV_OK);
    });
}

int tcv_image_blur(const tcv_image *from, tcv_image *to, int side) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::GaussianBlur(source, target, cv::Size(side, side), 0);
    });
}

int tcv_image_mean(const tcv_image *from, tcv_image *to, int side) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::boxFilter(source, target, target.depth(), cv::Size(side, side));
    });
}

int tcv_image_gradients(const tcv_image *from, tcv_image *dx, tcv_image *dy) {
    const int status = converted(from, dx, [&](const cv::Mat &a, cv::Mat &b) { cv::Sobel(a, b, CV_16S, 1, 0); });
    if (status != TCV_OK) return status;
    return converted(from, dy, [&](const cv::Mat &a, cv::Mat &b) { cv::Sobel(a, b, CV_16S, 0, 1); });
}

int tcv_image_edges(const tcv_image *from, tcv_image *to, double low, double high) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) { cv::Canny(source, target, low, high); });
}

int tcv_image_edges_of(const tcv_image *dx, const tcv_image *dy, tcv_image *to, double low, double high) {
    if (!isPicture(dy)) return TCV_E_ARGUMENT;
    return converted(dx, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::Canny(source, matrix(dy), target, low, high, true);
    });
}

int tcv_mask_above(const tcv_image *from, double level, tcv_image *to) {
    return converted(from, to,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::compare(source, level, target, cv::CMP_GT); });
}

int tcv_mask_equal(const tcv_image *from, int value, tcv_image *to) {
    return converted(from, to,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::compare(source, value, target, cv::CMP_EQ); });
}

int tcv_gradients_direction(const tcv_image *dx, const tcv_image *dy, const tcv_image *excluded, tcv_box box,
                            double least, double sums[3]) {
    return guarded([&] {
        if (!isPicture(dx, TCV_S16, 1) || !isPicture(dy, TCV_S16, 1) || !isPicture(excluded, TCV_U8, 1) ||
            !sameSize(dx, dy) || !sameSize(dx, excluded) || !sums)
            return int(TCV_E_ARGUMENT);
        const cv::Mat across = matrix(dx), down = matrix(dy), none = matrix(excluded);
        sums[0] = sums[1] = sums[2] = 0;
        for (int y = std::max(0, box.y); y < std::min(across.rows, box.y + box.height); y++)
            for (int x = std::max(0, box.x); x < std::min(across.cols, box.x + box.width); x++) {
                if (none.at<uint8_t>(y, x)) continue;
                const double gx = across.at<int16_t>(y, x), gy = down.at<int16_t>(y, x), weight = gx * gx + gy * gy;
                if (weight < least) continue;
                const double turn = 4 * std::atan2(gy, gx);
                sums[0] += weight * std::cos(turn), sums[1] += weight * std::sin(turn), sums[2] += weight;
            }
        return int(TCV_OK);
    });
}

int tcv_mask_saturation(const tcv_image *value, const tcv_image *chroma, const tcv_image *mean,
                        const tcv_saturation *limits, tcv_image *to) {
    return guarded([&] {
        if (!isPicture(value, TCV_U8, 1) || !isPicture(chroma, TCV_U8, 1) || !isPicture(to, TCV_U8, 1) ||
            !sameSize(value, chroma) || !sameSize(value, to) || !limits ||
            (mean && (!isPicture(mean, TCV_U8, 1) || !sameSize(value, mean))))
            return int(TCV_E_ARGUMENT);
        const cv::Mat bright = matrix(value), rich = matrix(chroma), around = mean ? matrix(mean) : cv::Mat();
        cv::Mat target = matrix(to);
        // The least and the greatest chroma for each brightness, and the least one for each mean.
        int least[256], most[256], of_mean[256];
        for (int v = 0; v < 256; v++) {
            least[v] = v > limits->least_value
                           ? int(std::floor(std::max(limits->least_chroma, limits->least_share * v))) + 1
                           : 256;
            most[v] = int(std::ceil(limits->most_share * v)) - 1;
            of_mean[v] = int(std::floor(limits->least_of_mean * v)) + 1;
        }
        for (int y = 0; y < bright.rows; y++) {
            const uint8_t *v = bright.ptr<uint8_t>(y), *c = rich.ptr<uint8_t>(y),
                          *m = mean ? around.ptr<uint8_t>(y) : nullptr;
            uint8_t *out = target.ptr<uint8_t>(y);
            for (int x = 0; x < bright.cols; x++)
                out[x] = c[x] >= least[v[x]] && c[x] <= most[v[x]] && (!m || c[x] >= of_mean[m[x]]) ? 255 : 0;
        }
        return int(TCV_OK);
    });
}

int tcv_mask_otsu(const tcv_image *from, double *level) {
    return guarded([&] {
        if (!isPicture(from, TCV_U8, 1) || !level) return int(TCV_E_ARGUMENT);
        cv::Mat ignored;
        *level = cv::threshold(matrix(from), ignored, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
        return int(TCV_OK);
    });
}

int tcv_mask_darker(const tcv_image *from, int side, double by, tcv_image *to) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::adaptiveThreshold(source, target, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY_INV, side, by);
    });
}

int tcv_mask_count(const tcv_image *mask, int32_t *count) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || !count) return int(TCV_E_ARGUMENT);
        *count = cv::countNonZero(matrix(mask));
        return int(TCV_OK);
    });
}

int tcv_mask_without(const tcv_image *one, const tcv_image *other, tcv_image *to) {
    if (!isPicture(other)) return TCV_E_ARGUMENT;
    return converted(one, to,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::bitwise_and(source, ~matrix(other), target); });
}

int tcv_mask_both(const tcv_image *one, const tcv_image *other, tcv_image *to) {
    if (!isPicture(other)) return TCV_E_ARGUMENT;
    return converted(one, to,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::bitwise_and(source, matrix(other), target); });
}

int tcv_mask_morph(const tcv_image *from, tcv_image *to, int operation, int brush, int side, int is_isolated) {
    static constexpr int operations[] = {cv::MORPH_ERODE, cv::MORPH_DILATE, cv::MORPH_OPEN, cv::MORPH_CLOSE};
    static constexpr int shapes[] = {cv::MORPH_RECT, cv::MORPH_CROSS, cv::MORPH_ELLIPSE};
    if (operation < 0 || operation > 3 || brush < 0 || brush > 2 || side < 1) return TCV_E_ARGUMENT;
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        const cv::Mat kernel = cv::getStructuringElement(shapes[brush], cv::Size(side, side));
        if (is_isolated)
            cv::morphologyEx(source, target, operations[operation], kernel, cv::Point(-1, -1), 1,
                             cv::BORDER_CONSTANT | cv::BORDER_ISOLATED, 0);
        else cv::morphologyEx(source, target, operations[operation], kernel);
    });
}

int tcv_mask_fill_convex(tcv_image *mask, const int32_t *xy, int count, int value) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || !xy || count < 3) return int(TCV_E_ARGUMENT);
        cv::Mat target = matrix(mask);
        cv::fillConvexPoly(target, cv::Mat(count, 1, CV_32SC2, const_cast<int32_t *>(xy)), value);
        return int(TCV_OK);
    });
}

int tcv_mask_fill(tcv_image *mask, const int32_t *xy, int count, int dx, int dy) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || !xy || count < 1) return int(TCV_E_ARGUMENT);
        cv::Mat target = matrix(mask);
        const auto *points = reinterpret_cast<const cv::Point *>(xy);
        cv::drawContours(target, std::vector<std::vector<cv::Point>>{{points, points + count}}, 0, 255, cv::FILLED,
                         cv::LINE_8, cv::noArray(), 0, cv::Point(dx, dy));
        return int(TCV_OK);
    });
}

int tcv_mask_parts(const tcv_image *mask, int neighbours, tcv_image *labels, tcv_part *parts, int capacity,
                   int *count) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || !isPicture(labels, TCV_S32, 1) || !sameSize(mask, labels) || capacity < 0 ||
            (capacity && !parts) || !count)
            return int(TCV_E_ARGUMENT);
        cv::Mat target = matrix(labels), stats, centres;
        const int n = cv::connectedComponentsWithStats(matrix(mask), target, stats, centres, neighbours, CV_32S);
        if (target.data != labels->samples) return int(TCV_E_ARGUMENT);
        for (int k = 1; k < n && k <= capacity; k++) {
            const int *s = stats.ptr<int>(k);
            parts[k - 1] = {{s[0], s[1], s[2], s[3]}, s[4], centres.at<double>(k, 0), centres.at<double>(k, 1)};
        }
        *count = n - 1;
        return int(TCV_OK);
    });
}

int tcv_image_warp(const tcv_image *from, tcv_image *to, const double values[9], int how, int is_repeated) {
    if (how < TCV_LINEAR || how > TCV_NEAREST) return TCV_E_ARGUMENT;
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::warpPerspective(source, target, cv::Matx33d(values), target.size(), ways[how] | cv::WARP_INVERSE_MAP,
                            is_repeated ? cv::BORDER_REPLICATE : cv::BORDER_CONSTANT, 0);
    });
}

int tcv_image_smooth(const tcv_image *from, tcv_image *to, double deviation) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::GaussianBlur(source, target, cv::Size(), deviation);
    });
}

int tcv_image_channel(const tcv_image *from, int channel, tcv_image *to) {
    if (!isPicture(from) || channel < 0 || channel >= from->channels || !isPicture(to, from->depth, 1))
        return TCV_E_ARGUMENT;
    return converted(from, to,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::extractChannel(source, target, channel); });
}

int tcv_image_at_least(const tcv_image *from, double least, tcv_image *to) {
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) { cv::max(source, least, target); });
}

int tcv_image_share(const tcv_image *one, const tcv_image *other, double factor, tcv_image *to) {
    if (!isPicture(other)) return TCV_E_ARGUMENT;
    return converted(one, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::divide(source, matrix(other), target, factor, target.depth());
    });
}

