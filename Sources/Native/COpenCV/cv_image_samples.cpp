#include "cv_image.hpp"
#include "cv_even_row.hpp"
#include <array>
#include <climits>
#include <opencv2/imgproc.hpp>

int tcv_image_samples(const tcv_image *image, const double *places, int count, int is_clamped, double *values) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8) || !places || !values || count < 0 || image->width < 2 || image->height < 2)
            return int(TCV_E_ARGUMENT);
        const cv::Mat picture = matrix(image);
        const int channels = picture.channels();
        for (int i = 0; i < count; i++) {
            double x = places[2 * i], y = places[2 * i + 1];
            int x0 = int(std::floor(x)), y0 = int(std::floor(y));
            double *value = values + channels * i;
            if (is_clamped) {
                x0 = std::clamp(x0, 0, picture.cols - 2), y0 = std::clamp(y0, 0, picture.rows - 2);
            } else if (x0 < 0 || y0 < 0 || x0 + 1 >= picture.cols || y0 + 1 >= picture.rows) {
                std::fill_n(value, channels, -1.0);
                continue;
            }
            const double u = std::clamp(x - x0, 0.0, 1.0), v = std::clamp(y - y0, 0.0, 1.0);
            const uint8_t *a = picture.ptr<uint8_t>(y0) + channels * x0,
                          *b = picture.ptr<uint8_t>(y0 + 1) + channels * x0;
            for (int c = 0; c < channels; c++)
                value[c] =
                    (1 - v) * ((1 - u) * a[c] + u * a[c + channels]) + v * ((1 - u) * b[c] + u * b[c + channels]);
        }
        return int(TCV_OK);
    });
}

int tcv_image_junctions(const tcv_image *image, double radius, int least, tcv_image *response) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8, 1) || !isPicture(response, TCV_F32, 1) || !sameSize(image, response) ||
            !(radius > 0))
            return int(TCV_E_ARGUMENT);
        const cv::Mat grey = matrix(image);
        cv::Mat out = matrix(response);
        out.setTo(0);
        std::array<cv::Point, 16> ring;
        for (int k = 0; k < 16; k++)
            ring[size_t(k)] = {cvRound(radius * std::cos(CV_PI * k / 8)), cvRound(radius * std::sin(CV_PI * k / 8))};
        const int rim = int(radius) + 2;
        for (int y = rim; y < grey.rows - rim; y++)
            for (int x = rim; x < grey.cols - rim; x++) {
                int value[16], all = 0, sums = 0, differences = 0;
                for (size_t k = 0; k < 16; k++)
                    value[k] = grey.at<uint8_t>(y + ring[k].y, x + ring[k].x), all += value[k];
                for (int k = 0; k < 4; k++) sums += std::abs(value[k] + value[k + 8] - value[k + 4] - value[k + 12]);
                if (sums < least) continue;
                for (int k = 0; k < 8; k++) differences += std::abs(value[k] - value[k + 8]);
                const int near = grey.at<uint8_t>(y, x) + grey.at<uint8_t>(y, x - 1) + grey.at<uint8_t>(y, x + 1) +
                                 grey.at<uint8_t>(y - 1, x) + grey.at<uint8_t>(y + 1, x);
                const float r = float(sums - differences) - std::abs(all - 16 * near / 5.0f);
                if (r > 0) out.at<float>(y, x) = r;
            }
        return int(TCV_OK);
    });
}

int tcv_image_maxima(const tcv_image *image, int side, float least, int rim, double *xyv, int capacity, int *count) {
    return guarded([&] {
        if (!isPicture(image, TCV_F32, 1) || !xyv || !count || capacity < 0 || rim < 2) return int(TCV_E_ARGUMENT);
        const cv::Mat response = matrix(image);
        cv::Mat most;
        cv::dilate(response, most, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(side, side)));
        *count = 0;
        for (int y = rim; y < response.rows - rim; y++)
            for (int x = rim; x < response.cols - rim; x++) {
                const float r = response.at<float>(y, x);
                if (r < least || r < most.at<float>(y, x)) continue;
                double sx = 0, sy = 0, n = 0;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++) {
                        const double weight = response.at<float>(y + dy, x + dx);
                        sx += weight * dx, sy += weight * dy, n += weight;
                    }
                if (*count < capacity) {
                    double *to = xyv + 3 * *count;
                    to[0] = x + sx / n, to[1] = y + sy / n, to[2] = r;
                }
                (*count)++;
            }
        return int(TCV_OK);
    });
}

int tcv_surface_sums(const tcv_image *image, const double surface[18], double reach, double normal[36],
                     double right[18], double *median, int *count) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8, 3) || !surface || !normal || !right || !median || !count)
            return int(TCV_E_ARGUMENT);
        const cv::Mat small = matrix(image);
        std::fill_n(normal, 36, 0.0), std::fill_n(right, 18, 0.0);
        std::vector<double> off;
        for (int y = 0; y < small.rows; y++) {
            const double v = 2.0 * y / small.rows - 1;
            const TableRow row(surface, v);
            const uint8_t *p = small.ptr<uint8_t>(y);
            for (int x = 0; x < small.cols; x++, p += 3) {
                const double u = 2.0 * x / small.cols - 1;
                double most = 0;
                for (int c = 0; c < 3; c++) most = std::max(most, std::abs(p[c] - row.at(c, u)));
                if (most > reach) continue;
                off.push_back(most);
                const double b[6] = {1, u, v, u * v, u * u, v * v};
                for (int i = 0; i < 6; i++) {
                    for (int j = i; j < 6; j++) normal[6 * i + j] += b[i] * b[j];
                    for (int c = 0; c < 3; c++) right[3 * i + c] += b[i] * p[c];
                }
            }
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++) normal[6 * i + j] = normal[6 * j + i];
        *count = int(off.size()), *median = 0;
        if (off.empty()) return int(TCV_OK);
        std::nth_element(off.begin(), off.begin() + long(off.size() / 2), off.end());
        *median = off[off.size() / 2];
        return int(TCV_OK);
    });
}

int tcv_surface_even(const tcv_image *image, const double surface[18], int how, float target, float darkest,
                     tcv_image *difference, tcv_image *even) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8, 3) || !isPicture(difference, TCV_U8, 1) || !isPicture(even, TCV_U8, 3) ||
            !sameSize(image, difference) || !sameSize(image, even) || !surface)
            return int(TCV_E_ARGUMENT);
        const cv::Mat from = matrix(image);
        cv::Mat off = matrix(difference), to = matrix(even);
        EvenRow row(from.cols);
        for (int y = 0; y < from.rows; y++) {
            row.light(TableRow(surface, 2.0 * y / from.rows - 1), how, target, darkest);
            row.apply(from.ptr<uint8_t>(y), off.ptr<uint8_t>(y), to.ptr<uint8_t>(y));
        }
        return int(TCV_OK);
    });
}

namespace {
inline int cellOf(const uint8_t *p) { return ((p[0] >> 3) * 32 + (p[1] >> 3)) * 32 + (p[2] >> 3); }

/// Runs `body(cell, label)` for each pixel.
template <typename Body> int eachCell(const tcv_image *image, const tcv_image *labels, Body body) {
    if (!isPicture(image, TCV_U8, 3) || !isPicture(labels, TCV_U8, 1) || !sameSize(image, labels))
        return TCV_E_ARGUMENT;
    const cv::Mat from = matrix(image);
    cv::Mat to = matrix(labels);
    for (int y = 0; y < from.rows; y++) {
        const uint8_t *p = from.ptr<uint8_t>(y);
        uint8_t *label = to.ptr<uint8_t>(y);
        for (int x = 0; x < from.cols; x++, p += 3) body(cellOf(p), label[x]);
    }
    return TCV_OK;
}
} // namespace

int tcv_image_lookup(const tcv_image *image, const uint8_t *table, tcv_image *to) {
    return table ? eachCell(image, to, [&](int cell, uint8_t &label) { label = table[cell]; }) : TCV_E_ARGUMENT;
}

int tcv_label_boxes(const tcv_image *image, int count, tcv_box *boxes) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8, 1) || !boxes || count < 1 || count > 255) return int(TCV_E_ARGUMENT);
        const cv::Mat labels = matrix(image);
        std::vector<std::array<int, 4>> ends(size_t(count), {INT_MAX, INT_MAX, -1, -1});
        for (int y = 0; y < labels.rows; y++) {
            const uint8_t *row = labels.ptr<uint8_t>(y);
            for (int x = 0; x < labels.cols; x++) {
                if (!row[x] || row[x] > count) continue;
                auto &end = ends[size_t(row[x] - 1)];
                end = {std::min(end[0], x), std::min(end[1], y), std::max(end[2], x), std::max(end[3], y)};
            }
        }
        for (int i = 0; i < count; i++) {
            const auto &end = ends[size_t(i)];
            boxes[i] =
                end[2] < 0 ? tcv_box{0, 0, 0, 0} : tcv_box{end[0], end[1], end[2] - end[0] + 1, end[3] - end[1] + 1};
        }
        return int(TCV_OK);
    });
}
