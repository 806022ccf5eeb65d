// Light correction of one row of a photo, sixteen pixels at a time. Every pixel of every photo passes through it.
#pragma once
#include "include/cv_image.h"
#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>
#include <vector>

namespace {
/// One row of a quadratic surface: value, first difference and second difference of each channel.
struct TableRow {
    double of[3][3];
    /// `surface`: 6 coefficients of 1, x, y, xy, x², y² a channel.
    TableRow(const double *surface, double y) {
        for (int c = 0; c < 3; c++, surface += 6) {
            of[c][0] = surface[0] + surface[2] * y + surface[5] * y * y;
            of[c][1] = surface[1] + surface[3] * y;
            of[c][2] = surface[4];
        }
    }
    double at(int c, double x) const { return of[c][0] + x * (of[c][1] + x * of[c][2]); }
};

/// Computes the light on a row and corrects it; channels R G B.
class EvenRow {
  public:
    explicit EvenRow(int columns) : columns(columns) {
        for (int c = 0; c < 3; c++) lights[c].resize(size_t(columns)), gains[c].resize(size_t(columns));
    }

    /// Computes the light along the row, and the gain that maps it to `target`: none, by channel, or common.
    void light(const TableRow &exact, int how, float target, float darkest) {
        for (int c = 0; c < 3; c++) {
            const float row[3] = {float(exact.of[c][0]), float(exact.of[c][1]), float(exact.of[c][2])};
            float *light = lights[c].data();
            for (int x = 0; x < columns; x++) {
                const float u = 2.0f * float(x) / float(columns) - 1;
                light[x] = row[0] + u * (row[1] + u * row[2]);
            }
        }
        const float *red = lights[0].data(), *green = lights[1].data(), *blue = lights[2].data();
        for (int c = 0; c < 3; c++) {
            const float *own = lights[c].data();
            float *gain = gains[c].data();
            if (how == TCV_LIGHT_IGNORED) std::fill(gains[c].begin(), gains[c].end(), 1.0f);
            else if (how == TCV_LIGHT_BY_CHANNEL)
                for (int x = 0; x < columns; x++) gain[x] = target / std::max(darkest, own[x]);
            else
                for (int x = 0; x < columns; x++)
                    gain[x] = target / std::max(darkest, std::max(red[x], std::max(green[x], blue[x])));
        }
    }

    /// Writes the maximum channel difference from the light, and the corrected pixels; `from` and `to` are
    /// interleaved.
    void apply(const uint8_t *from, uint8_t *difference, uint8_t *to) const {
        int x = 0;
#if CV_SIMD128
        for (; x + 16 <= columns; x += 16) {
            cv::v_uint8x16 pixels[3], even[3];
            cv::v_load_deinterleave(from + 3 * x, pixels[0], pixels[1], pixels[2]);
            cv::v_float32x4 most[4] = {cv::v_setzero_f32(), cv::v_setzero_f32(), cv::v_setzero_f32(),
                                       cv::v_setzero_f32()};
            for (int c = 0; c < 3; c++) {
                cv::v_uint16x8 halves[2];
                cv::v_uint32x4 fours[4];
                cv::v_expand(pixels[c], halves[0], halves[1]);
                cv::v_expand(halves[0], fours[0], fours[1]);
                cv::v_expand(halves[1], fours[2], fours[3]);
                cv::v_int32x4 lit[4];
                for (int i = 0; i < 4; i++) {
                    const cv::v_float32x4 pixel = cv::v_cvt_f32(cv::v_reinterpret_as_s32(fours[i]));
                    most[i] = cv::v_max(most[i], cv::v_abs(pixel - cv::v_load(lights[c].data() + x + 4 * i)));
                    lit[i] = cv::v_trunc(pixel * cv::v_load(gains[c].data() + x + 4 * i));
                }
                even[c] = packed(lit);
            }
            cv::v_int32x4 off[4];
            for (int i = 0; i < 4; i++) off[i] = cv::v_trunc(most[i]);
            cv::v_store(difference + x, packed(off));
            cv::v_store_interleave(to + 3 * x, even[0], even[1], even[2]);
        }
#endif
        for (; x < columns; x++) {
            float most = 0;
            for (int c = 0; c < 3; c++) {
                const float pixel = from[3 * x + c];
                most = std::max(most, std::abs(pixel - lights[c][size_t(x)]));
                to[3 * x + c] = uint8_t(std::min(255.0f, pixel * gains[c][size_t(x)]));
            }
            difference[x] = uint8_t(std::min(255.0f, most));
        }
    }

  private:
    int columns;
    std::vector<float> lights[3], gains[3];

#if CV_SIMD128
    /// Sixteen non-negative numbers as bytes, saturated at 255.
    static cv::v_uint8x16 packed(const cv::v_int32x4 (&numbers)[4]) {
        return cv::v_pack_u(cv::v_pack(numbers[0], numbers[1]), cv::v_pack(numbers[2], numbers[3]));
    }
#endif
};
} // namespace
