#include "include/cv_page.h"
#include "guarded.hpp"
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {

constexpr int largestSide = 1 << 15;

bool isPage(const void *samples, int width, int height) {
    return samples && width > 0 && height > 0 && width <= largestSide && height <= largestSide;
}

cv::Mat page(const uint8_t *samples, int width, int height, int type = CV_8UC1) {
    return cv::Mat(height, width, type, const_cast<uint8_t *>(samples));
}

/// The components of dark print that could be letters, without specks, rules and pictures.
std::vector<cv::Rect> letters(const cv::Mat &gray) {
    cv::Mat ink;
    cv::threshold(gray, ink, 160, 255, cv::THRESH_BINARY_INV);
    cv::Mat labels, stats, centres;
    const int count = cv::connectedComponentsWithStats(ink, labels, stats, centres, 8, CV_32S);
    const int highest = std::max(gray.rows, gray.cols) / 12;
    std::vector<cv::Rect> found;
    for (int label = 1; label < count; ++label) {
        const int *s = stats.ptr<int>(label);
        const cv::Rect box(s[cv::CC_STAT_LEFT], s[cv::CC_STAT_TOP], s[cv::CC_STAT_WIDTH], s[cv::CC_STAT_HEIGHT]);
        const double fill = double(s[cv::CC_STAT_AREA]) / box.area();
        if (box.height < 5 || box.height > highest || box.width > 3 * box.height || box.height > 8 * box.width) continue;
        if (fill < .12 || fill > .95) continue;
        found.push_back(box);
    }
    return found;
}

/// Boxes with a neighbour of similar height at most `reach` heights away. Letters of a word have one; specks do not.
std::vector<cv::Rect> neighbours(std::vector<cv::Rect> boxes, double reach) {
    std::sort(boxes.begin(), boxes.end(), [](const cv::Rect &a, const cv::Rect &b) { return a.x < b.x; });
    std::vector<char> paired(boxes.size());
    for (size_t i = 0; i < boxes.size(); ++i) {
        const cv::Rect &one = boxes[i];
        for (size_t j = i + 1; j < boxes.size(); ++j) {
            const cv::Rect &other = boxes[j];
            const int tall = std::max(one.height, other.height), flat = std::min(one.height, other.height);
            if (other.x - one.x > one.width + 2 * one.height) break;
            const int shared = std::min(one.br().y, other.br().y) - std::max(one.y, other.y);
            if (tall > 1.8 * flat || shared < .6 * flat || other.x - one.br().x > reach * tall) continue;
            paired[i] = paired[j] = 1;
        }
    }
    std::vector<cv::Rect> kept;
    for (size_t i = 0; i < boxes.size(); ++i)
        if (paired[i]) kept.push_back(boxes[i]);
    return kept;
}

/// The area-weighted median height. Small specks have little weight, even if there are many.
double typicalHeight(const std::vector<cv::Rect> &boxes) {
    std::vector<int> heights;
    double total = 0, sum = 0;
    for (const auto &box : boxes) {
        heights.push_back(box.height);
        total += box.height;
    }
    std::sort(heights.begin(), heights.end());
    for (int height : heights)
        if ((sum += height) * 2 >= total) return height;
    return 0;
}

/// Sharpness of the rows formed by the letters' base points after a rotation by −`degrees`.
double rowContrast(const std::vector<cv::Point2f> &basePoints, double degrees, double row) {
    const double slope = std::tan(degrees * CV_PI / 180);
    std::vector<double> heights;
    heights.reserve(basePoints.size());
    for (const auto &base : basePoints) heights.push_back((base.y - base.x * slope) / row);
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    std::vector<double> bins(size_t(*high - *low) + 3);
    for (double height : heights) {
        const double place = height - *low;
        const size_t bin = size_t(place);
        bins[bin] += 1 - (place - bin);
        bins[bin + 1] += place - bin;
    }
    double sum = 0;
    for (double bin : bins) sum += bin * bin;
    return sum;
}

/// Tilt by the base points of the letters: coarse within ±15°, then fine.
double tilt(const std::vector<cv::Rect> &boxes, double height) {
    if (boxes.size() < 12 || height <= 0) return 0;
    std::vector<cv::Point2f> basePoints;
    for (const auto &box : boxes)
        if (box.height > .6 * height && box.height < 2.2 * height)
            basePoints.emplace_back(box.x + box.width * .5f, float(box.y + box.height));
    if (basePoints.size() < 12) return 0;
    const double row = std::max(2.0, height / 4);
    double best = 0, most = rowContrast(basePoints, 0, row) * 1.02;
    const auto sweep = [&](double from, double to, double step) {
        for (double degrees = from; degrees <= to; degrees += step)
            if (const double contrast = rowContrast(basePoints, degrees, row); contrast > most) {
                most = contrast;
                best = degrees;
            }
    };
    sweep(-15, 15, .5);
    const double coarse = best;
    sweep(coarse - .5, coarse + .5, .1);
    return best;
}

} // namespace

int tcv_page_gray(const uint8_t *samples, int width, int height, int channels, int to_width, int to_height,
                  uint8_t *gray) {
    return guarded([&] {
        if (!isPage(samples, width, height) || !isPage(gray, to_width, to_height)) return int(TCV_E_ARGUMENT);
        if (channels != 1 && channels != 3) return int(TCV_E_ARGUMENT);
        cv::Mat from = page(samples, width, height, channels == 3 ? CV_8UC3 : CV_8UC1);
        cv::Mat to = page(gray, to_width, to_height), sized;
        const bool smaller = to_width < width;
        if (from.size() == to.size()) sized = from;
        else cv::resize(from, sized, to.size(), 0, 0, smaller ? cv::INTER_AREA : cv::INTER_CUBIC);
        if (channels == 3) cv::cvtColor(sized, to, cv::COLOR_RGB2GRAY);
        else sized.copyTo(to);
        return int(TCV_OK);
    });
}

int tcv_page_even_light(const uint8_t *from, int width, int height, int radius, uint8_t *to, int *inverted) {
    return guarded([&] {
        if (!isPage(from, width, height) || !to || !inverted || radius < 1) return int(TCV_E_ARGUMENT);
        cv::Mat gray = page(from, width, height).clone(), target = page(to, width, height);
        // The background is smooth, so a quarter of the size suffices, at a sixteenth of the cost.
        const int factor = radius >= 8 ? 4 : 1;
        cv::Mat small;
        cv::resize(gray, small, cv::Size(std::max(1, width / factor), std::max(1, height / factor)), 0, 0,
                   cv::INTER_AREA);
        // Dark paper: the median of the neighbourhood is dark on most of the page.
        cv::Mat surround;
        cv::Mat tiny;
        cv::resize(small, tiny, cv::Size(std::max(1, small.cols / 2), std::max(1, small.rows / 2)), 0, 0, cv::INTER_AREA);
        cv::medianBlur(tiny, surround, 15);
        cv::Mat dark = surround < 90;
        *inverted = cv::countNonZero(dark) > .6 * surround.total();
        if (*inverted) {
            cv::bitwise_not(gray, gray);
            cv::bitwise_not(small, small);
        }
        const int side = 2 * std::max(1, radius / factor) + 1;
        cv::Mat background;
        cv::morphologyEx(small, background, cv::MORPH_CLOSE,
                         cv::getStructuringElement(cv::MORPH_RECT, cv::Size(side, side)));
        cv::GaussianBlur(background, background, cv::Size(), std::max(1.0, side / 3.0));
        cv::resize(background, background, gray.size(), 0, 0, cv::INTER_LINEAR);
        cv::max(background, 24, background);
        cv::divide(gray, background, target, 255);
        return int(TCV_OK);
    });
}

int tcv_page_print(const uint8_t *gray, int width, int height, tcv_print_measures *print) {
    return guarded([&] {
        if (!isPage(gray, width, height) || !print) return int(TCV_E_ARGUMENT);
        const auto all = letters(page(gray, width, height));
        const auto boxes = neighbours(all, 1);
        auto sideways = all;
        for (auto &box : sideways) box = cv::Rect(box.y, box.x, box.height, box.width);
        print->beside = int(neighbours(all, .35).size());
        print->stacked = int(neighbours(sideways, .35).size());
        print->letters = int(boxes.size());
        print->letter_height = typicalHeight(boxes);
        print->tilt = tilt(boxes, print->letter_height);
        return int(TCV_OK);
    });
}

int tcv_page_warp(const uint8_t *gray, int width, int height, const double matrix[6], uint8_t *to, int to_width,
                  int to_height) {
    return guarded([&] {
        if (!isPage(gray, width, height) || !isPage(to, to_width, to_height) || !matrix) return int(TCV_E_ARGUMENT);
        const cv::Mat map(2, 3, CV_64F, const_cast<double *>(matrix));
        cv::Mat target = page(to, to_width, to_height);
        cv::warpAffine(page(gray, width, height), target, map, target.size(), cv::INTER_CUBIC, cv::BORDER_CONSTANT,
                       cv::Scalar(255));
        return int(TCV_OK);
    });
}

int tcv_page_photo(const uint8_t *gray, int width, int height, tcv_photo_measures *photo) {
    return guarded([&] {
        if (!isPage(gray, width, height) || !photo) return int(TCV_E_ARGUMENT);
        const cv::Mat from = page(gray, width, height);
        cv::Mat edges;
        cv::Laplacian(from, edges, CV_16S, 3);
        // Blank paper has no edges however sharp the photo is, so the busiest tenth of the tiles decides.
        std::vector<double> deviations;
        constexpr int tile = 64;
        for (int y = 0; y < height; y += tile)
            for (int x = 0; x < width; x += tile) {
                cv::Scalar mean, deviation;
                cv::meanStdDev(edges(cv::Rect(x, y, std::min(tile, width - x), std::min(tile, height - y))), mean,
                               deviation);
                deviations.push_back(deviation[0]);
            }
        const auto tenth = deviations.begin() + deviations.size() / 10;
        std::nth_element(deviations.begin(), tenth, deviations.end(), std::greater<>());
        photo->laplacian_deviation = *tenth;
        photo->mean = cv::mean(from)[0];
        const int bins = 256;
        const float range[] = {0, 256}, *ranges = range;
        cv::Mat histogram;
        cv::calcHist(&from, 1, nullptr, cv::Mat(), histogram, 1, &bins, &ranges);
        int level = 255;
        for (double above = 0; level > 0 && (above += histogram.at<float>(level)) < .25 * from.total();) --level;
        photo->paper = level;
        photo->blown_share = double(cv::countNonZero(from >= 254)) / double(from.total());
        return int(TCV_OK);
    });
}
