// Models of the table's light and of a set's colours, for cv_pieces.cpp.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

namespace {
using Basis = std::array<double, 6>;

Basis basis(double x, double y) { return {1, x, y, x * y, x * x, y * y}; }

/// The table's colour as a quadratic surface over the picture; x and y run −1…1.
struct Table {
    double of[3][6] = {};
    cv::Vec3d at(double x, double y) const {
        const Basis b = basis(x, y);
        cv::Vec3d value(0, 0, 0);
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < 6; i++) value[c] += of[c][i] * b[i];
        return value;
    }
};

/// One row of the surface: value, first difference and second difference.
struct TableRow {
    double of[3][3];
    TableRow(const Table &table, double y) {
        for (int c = 0; c < 3; c++) {
            of[c][0] = table.of[c][0] + table.of[c][2] * y + table.of[c][5] * y * y;
            of[c][1] = table.of[c][1] + table.of[c][3] * y;
            of[c][2] = table.of[c][4];
        }
    }
    cv::Vec3d at(double x) const {
        cv::Vec3d value;
        for (int c = 0; c < 3; c++) value[c] = of[c][0] + x * (of[c][1] + x * of[c][2]);
        return value;
    }
};

double difference(const cv::Vec3b &pixel, const cv::Vec3d &table) {
    double most = 0;
    for (int c = 0; c < 3; c++) most = std::max(most, std::abs(pixel[c] - table[c]));
    return most;
}

/// The mode of a coarse, smoothed colour histogram. A plain table covers most of the picture.
cv::Vec3d commonestColour(const cv::Mat &small) {
    const int n = 12;
    std::vector<int> bins(n * n * n, 0);
    for (int y = 0; y < small.rows; y++)
        for (int x = 0; x < small.cols; x++) {
            const cv::Vec3b p = small.at<cv::Vec3b>(y, x);
            bins[((p[0] * n >> 8) * n + (p[1] * n >> 8)) * n + (p[2] * n >> 8)]++;
        }
    int best = -1, at[3] = {0, 0, 0};
    for (int r = 0; r < n; r++)
        for (int g = 0; g < n; g++)
            for (int b = 0; b < n; b++) {
                int sum = 0;
                for (int i = std::max(0, r - 1); i <= std::min(n - 1, r + 1); i++)
                    for (int j = std::max(0, g - 1); j <= std::min(n - 1, g + 1); j++)
                        for (int k = std::max(0, b - 1); k <= std::min(n - 1, b + 1); k++) sum += bins[(i * n + j) * n + k];
                if (sum > best) best = sum, at[0] = r, at[1] = g, at[2] = b;
            }
    return cv::Vec3d(at[0] + 0.5, at[1] + 0.5, at[2] + 0.5) * (256.0 / n);
}

/// Iterated least squares over the pixels that agree with the previous surface.
Table fitTable(const cv::Mat &small, double &noise) {
    Table table;
    const cv::Vec3d common = commonestColour(small);
    for (int c = 0; c < 3; c++) table.of[c][0] = common[c];
    double reach = 42;
    std::vector<double> off;
    for (int round = 0; round < 5; round++) {
        cv::Matx<double, 6, 6> A = cv::Matx<double, 6, 6>::eye() * 1e-3;
        cv::Matx<double, 6, 3> B = cv::Matx<double, 6, 3>::zeros();
        off.clear();
        for (int y = 0; y < small.rows; y++) {
            const double v = 2.0 * y / small.rows - 1;
            const TableRow row(table, v);
            const cv::Vec3b *pixels = small.ptr<cv::Vec3b>(y);
            for (int x = 0; x < small.cols; x++) {
                const double u = 2.0 * x / small.cols - 1;
                const cv::Vec3b p = pixels[x];
                const double d = difference(p, row.at(u));
                if (d > reach) continue;
                off.push_back(d);
                const Basis b = basis(u, v);
                for (int i = 0; i < 6; i++) {
                    for (int j = i; j < 6; j++) A(i, j) += b[i] * b[j];
                    for (int c = 0; c < 3; c++) B(i, c) += b[i] * p[c];
                }
            }
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++) A(i, j) = A(j, i);
        if (off.size() < 200) break;
        const cv::Matx<double, 6, 3> X = A.solve(B, cv::DECOMP_CHOLESKY);
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < 6; i++) table.of[c][i] = X(i, c);
        std::nth_element(off.begin(), off.begin() + off.size() / 2, off.end());
        noise = std::max(1.0, off[off.size() / 2]);
        reach = std::min(42.0, std::max(14.0, 5 * noise));
    }
    return table;
}

struct Lab {
    double light, chroma, hue; // hue in radians
};

/// sRGB 0…255 → CIELAB (D65), as lightness, chroma and hue. OpenCV's own function first builds tables for a tenth of
/// a second.
Lab labOf(double r, double g, double b) {
    const auto linear = [](double v) { return v > 0.04045 * 255 ? std::pow((v / 255 + 0.055) / 1.055, 2.4) : v / 255 / 12.92; };
    const auto bent = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double R = linear(r), G = linear(g), B = linear(b);
    const double x = bent((0.4124 * R + 0.3576 * G + 0.1805 * B) / 0.9505);
    const double y = bent(0.2126 * R + 0.7152 * G + 0.0722 * B);
    const double z = bent((0.0193 * R + 0.1192 * G + 0.9505 * B) / 1.089);
    return {116 * y - 16, std::hypot(500 * (x - y), 200 * (y - z)), std::atan2(200 * (y - z), 500 * (x - y))};
}

/// Distance of a colour from a palette colour. Hue dominates; chroma and lightness only exclude hands, wood and
/// shadows. Below 2.2² it may be that colour.
double distanceFrom(const Lab &wanted, const Lab &lab) {
    const double turn = std::abs(lab.hue - wanted.hue);
    const double hue = std::min(turn, 2 * CV_PI - turn) * 180 / CV_PI / 14;
    const double light = lab.light / std::max(1.0, wanted.light);
    const double rich = lab.chroma / (std::max(1.0, wanted.chroma) * std::clamp(light, 0.35, 1.0));
    return hue * hue + (rich - 1) * (rich - 1) * 4 + (light - 1) * (light - 1) * 4;
}

/// Palette number + 1 for each colour of a 32×32×32 cube; 0 for greys and for colours far from all.
std::vector<uint8_t> paletteTable(const uint8_t *palette, int count) {
    std::vector<Lab> wanted;
    for (int k = 0; k < count; k++) wanted.push_back(labOf(palette[3 * k], palette[3 * k + 1], palette[3 * k + 2]));
    const int n = 32;
    std::vector<uint8_t> numbers(size_t(n) * n * n, 0);
    for (int i = 0; i < n * n * n; i++) {
        const Lab lab = labOf(i / (n * n) * 8 + 4, i / n % n * 8 + 4, i % n * 8 + 4);
        if (lab.chroma < 16 || lab.light < 8) continue;
        double nearest = 2.2 * 2.2;
        for (int k = 0; k < count; k++) {
            const double away = distanceFrom(wanted[k], lab);
            if (away < nearest) nearest = away, numbers[i] = uint8_t(k + 1);
        }
    }
    return numbers;
}
} // namespace
