#include "include/cv_barcodes.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

static bool valid(const void *from, int width, int height, const void *to) {
    return from && to && width > 0 && height > 0;
}

static cv::Mat plane(const uint8_t *bytes, int width, int height) {
    return cv::Mat(height, width, CV_8UC1, const_cast<uint8_t *>(bytes));
}

int tcv_gray_resize(const uint8_t *from, int width, int height, uint8_t *to, int to_width, int to_height) {
    return guarded([&] {
        if (!valid(from, width, height, to) || to_width <= 0 || to_height <= 0) return int(TCV_E_ARGUMENT);
        cv::Mat target = plane(to, to_width, to_height);
        const int how = to_width < width ? cv::INTER_AREA : cv::INTER_CUBIC;
        cv::resize(plane(from, width, height), target, target.size(), 0, 0, how);
        return int(TCV_OK);
    });
}

int tcv_gray_unsharp(const uint8_t *from, int width, int height, double sigma, double amount, uint8_t *to) {
    return guarded([&] {
        if (!valid(from, width, height, to) || !(sigma > 0)) return int(TCV_E_ARGUMENT);
        const cv::Mat source = plane(from, width, height);
        cv::Mat target = plane(to, width, height), blurred;
        cv::GaussianBlur(source, blurred, cv::Size(), sigma, sigma, cv::BORDER_REPLICATE);
        cv::addWeighted(source, 1 + amount, blurred, -amount, 0, target);
        return int(TCV_OK);
    });
}

int tcv_gray_even(const uint8_t *from, int width, int height, double clip, uint8_t *to) {
    return guarded([&] {
        if (!valid(from, width, height, to)) return int(TCV_E_ARGUMENT);
        cv::Mat target = plane(to, width, height);
        cv::createCLAHE(clip, cv::Size(8, 8))->apply(plane(from, width, height), target);
        return int(TCV_OK);
    });
}

namespace {

/// Gradients that agree on one direction, which indicates bars.
struct Stripes {
    cv::Mat mask, energy, doubled_sine, doubled_cosine;
};

/// The structure tensor over the scale's windows: the dominant direction and where it dominates.
Stripes stripes_of(const cv::Mat &gray, const tcv_bar_scale &scale) {
    cv::Mat across, down, xx, yy, xy, energy, spread, strength, mask;
    cv::Scharr(gray, across, CV_32F, 1, 0);
    cv::Scharr(gray, down, CV_32F, 0, 1);
    const cv::Size window(scale.window, scale.window);
    cv::boxFilter(across.mul(across), xx, CV_32F, window);
    cv::boxFilter(down.mul(down), yy, CV_32F, window);
    cv::boxFilter(across.mul(down), xy, CV_32F, window);
    energy = xx + yy;
    const cv::Mat difference = xx - yy, twice = 2 * xy;
    cv::magnitude(difference, twice, spread);
    cv::sqrt(energy, strength);
    // The 99th percentile by a histogram, which is robust against single edges.
    double most = 0;
    cv::minMaxLoc(strength, nullptr, &most);
    if (most <= 0) return {};
    const int bins = 512;
    const float range[] = {0, float(most) + 1};
    const float *ranges[] = {range};
    cv::Mat histogram;
    cv::calcHist(&strength, 1, nullptr, cv::noArray(), histogram, 1, &bins, ranges);
    double seen = 0;
    int bin = 0;
    for (; bin < bins && seen < 0.99 * double(strength.total()); bin++) seen += histogram.at<float>(bin);
    const double high = (most + 1) * bin / bins;
    mask = (spread > scale.coherence * (energy + 1)) & (strength > scale.strength * high);
    cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::Mat::ones(5, 5, CV_8U));
    return {mask, energy, twice, difference};
}

double between(std::vector<double> &values, double share) {
    const size_t at = std::min(values.size() - 1, size_t(share * double(values.size())));
    std::nth_element(values.begin(), values.begin() + long(at), values.end());
    return values[at];
}

/// The rectangle of one patch of the mask along its own direction, across the bars.
tcv_bars bars_of(const Stripes &stripes, const cv::Mat &labels, const cv::Rect &box, int label) {
    double sine = 0, cosine = 0, weight = 0;
    std::vector<cv::Point> points;
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++)
            if (labels.at<int>(y, x) == label) {
                sine += stripes.doubled_sine.at<float>(y, x);
                cosine += stripes.doubled_cosine.at<float>(y, x);
                weight += stripes.energy.at<float>(y, x);
                points.emplace_back(x, y);
            }
    const double angle = 0.5 * std::atan2(sine, cosine);
    const double ux = std::cos(angle), uy = std::sin(angle);
    std::vector<double> along, across;
    for (const auto &point : points) {
        along.push_back(point.x * ux + point.y * uy);
        across.push_back(point.y * ux - point.x * uy);
    }
    tcv_bars bars{};
    bars.weight = weight;
    bars.angle = angle;
    bars.from_along = between(along, 0.01);
    bars.to_along = between(along, 0.99);
    bars.from_across = between(across, 0.02);
    bars.to_across = between(across, 0.98);
    return bars;
}

}  // namespace

int tcv_gray_bars(const uint8_t *from, int width, int height, const tcv_bar_scale *scale, tcv_bars *bars, int capacity,
                  int *count) {
    return guarded([&] {
        if (!valid(from, width, height, bars) || !count || capacity <= 0 || !scale || scale->side <= 0 ||
            scale->window <= 0)
            return int(TCV_E_ARGUMENT);
        *count = 0;
        const double factor = std::min(1.0, double(scale->side) / std::max(width, height));
        cv::Mat small = plane(from, width, height);
        if (factor < 1)
            cv::resize(small, small, cv::Size(std::max(1, int(width * factor)), std::max(1, int(height * factor))), 0, 0,
                       cv::INTER_AREA);
        const Stripes stripes = stripes_of(small, *scale);
        if (stripes.mask.empty()) return int(TCV_OK);
        cv::Mat labels, statistics, centres;
        const int patches = cv::connectedComponentsWithStats(stripes.mask, labels, statistics, centres);
        std::vector<tcv_bars> found;
        for (int label = 1; label < patches; label++) {
            const int *facts = statistics.ptr<int>(label);
            if (facts[cv::CC_STAT_AREA] < 200) continue;
            const cv::Rect box(facts[cv::CC_STAT_LEFT], facts[cv::CC_STAT_TOP], facts[cv::CC_STAT_WIDTH],
                               facts[cv::CC_STAT_HEIGHT]);
            found.push_back(bars_of(stripes, labels, box, label));
        }
        std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.weight > b.weight; });
        for (const auto &one : found) {
            if (*count == capacity) break;
            tcv_bars scaled = one;
            scaled.from_along /= factor;
            scaled.to_along /= factor;
            scaled.from_across /= factor;
            scaled.to_across /= factor;
            scaled.weight /= factor * factor;
            bars[(*count)++] = scaled;
        }
        return int(TCV_OK);
    });
}

int tcv_gray_cut(
    const uint8_t *from, int width, int height, const tcv_bars *bars, uint8_t *to, int to_width, int to_height) {
    return guarded([&] {
        if (!valid(from, width, height, to) || !bars || to_width <= 0 || to_height <= 0) return int(TCV_E_ARGUMENT);
        const double ux = std::cos(bars->angle), uy = std::sin(bars->angle);
        const auto corner = [&](double along, double across) {
            return cv::Point2f(float(along * ux - across * uy), float(along * uy + across * ux));
        };
        const cv::Point2f source[] = {corner(bars->from_along, bars->from_across),
                                      corner(bars->to_along, bars->from_across),
                                      corner(bars->from_along, bars->to_across)};
        const cv::Point2f goal[] = {{0, 0}, {float(to_width), 0}, {0, float(to_height)}};
        cv::Mat target = plane(to, to_width, to_height);
        cv::warpAffine(plane(from, width, height), target, cv::getAffineTransform(source, goal), target.size(),
                       cv::INTER_CUBIC, cv::BORDER_REPLICATE);
        return int(TCV_OK);
    });
}

int tcv_gray_stretch(const uint8_t *from, int width, int height, int reach, uint8_t *to) {
    return guarded([&] {
        if (!valid(from, width, height, to) || reach <= 0) return int(TCV_E_ARGUMENT);
        const cv::Mat source = plane(from, width, height), row = cv::Mat::ones(1, reach, CV_8U);
        cv::Mat low, high, wide;
        cv::erode(source, low, row);
        cv::dilate(source, high, row);
        cv::blur(low, low, cv::Size(reach, 1));
        cv::blur(high, high, cv::Size(reach, 1));
        cv::Mat above, range, target = plane(to, width, height);
        cv::subtract(source, low, above, cv::noArray(), CV_32F);
        cv::subtract(high, low, range, cv::noArray(), CV_32F);
        cv::max(range, 12, range);  // a smaller range of gray values is noise
        cv::divide(above, range, wide, 255);
        wide.convertTo(target, CV_8U);
        return int(TCV_OK);
    });
}

int tcv_gray_bands(const uint8_t *from, int width, int height, int bands, int rows, uint8_t *to) {
    return guarded([&] {
        if (!valid(from, width, height, to) || bands <= 0 || rows <= 0 || bands > height) return int(TCV_E_ARGUMENT);
        const cv::Mat source = plane(from, width, height);
        cv::Mat target = plane(to, width, bands * rows);
        for (int band = 0; band < bands; band++) {
            cv::Mat mean;
            cv::reduce(source.rowRange(band * height / bands, (band + 1) * height / bands), mean, 0, cv::REDUCE_AVG, CV_8U);
            for (int row = 0; row < rows; row++) mean.copyTo(target.row(band * rows + row));
        }
        return int(TCV_OK);
    });
}
