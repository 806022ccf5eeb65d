#include "include/cv_pips.h"
#include "cv_image.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
/// Number of rays from a candidate.
constexpr int RAYS = 16;
/// Maximum number of samples on a ray.
constexpr int RAY_SAMPLES = 64;

double apart(const cv::Vec3d &a, const cv::Vec3d &b) {
    return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

/// Bilinear; all four pixels must be in the plane.
double sampled(const cv::Mat &plane, double x, double y) {
    const int col = int(x), row = int(y);
    const double u = x - col, v = y - row;
    const uint8_t *a = plane.ptr<uint8_t>(row) + col, *b = plane.ptr<uint8_t>(row + 1) + col;
    return (a[0] * (1 - u) + a[1] * u) * (1 - v) + (b[0] * (1 - u) + b[1] * u) * v;
}

template <typename List> typename List::value_type medianOf(List &values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

cv::Vec3d medianColour(const std::vector<cv::Vec3b> &colours) {
    cv::Vec3d result;
    std::vector<uint8_t> one(colours.size());
    for (int c = 0; c < 3; c++) {
        for (size_t k = 0; k < colours.size(); k++) one[k] = colours[k][c];
        result[c] = medianOf(one);
    }
    return result;
}

/// Evenly spaced directions, cosine and sine.
template <size_t Count> std::array<cv::Vec2d, Count> directions() {
    std::array<cv::Vec2d, Count> ways;
    for (size_t k = 0; k < Count; k++) {
        const double angle = 2 * CV_PI * double(k) / Count;
        ways[k] = {std::cos(angle), std::sin(angle)};
    }
    return ways;
}
const std::array<cv::Vec2d, RAYS> WAYS = directions<RAYS>();
const std::array<cv::Vec2d, 20> RING = directions<20>();

struct Rim {
    double x, y;                       // centre, pixels of the level
    std::array<double, RAYS> radius;   // 0 if no rim was found
    double r;                          // mean
};

/// Half-way between the interior and the extreme of each ray. A glint inside or a shadow outside affects only one
/// ray.
bool rimAbout(const tcv_pip_search &is, const cv::Mat &plane, bool dark, double x, double y, double size, Rim &rim) {
    const double step = std::max(is.least_step, size / is.steps), longest = is.reach * size;
    if (x < longest || y < longest || x + longest >= plane.cols - 1 || y + longest >= plane.rows - 1) return false;
    std::array<double, 9> inner;
    size_t place = 0;
    const double sign = dark ? 1 : -1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            inner[place++] = sign * sampled(plane, x + dx * is.inner * size, y + dy * is.inner * size);
        }
    const double inside = medianOf(inner);
    std::array<double, RAYS> outs;
    std::array<std::array<double, RAY_SAMPLES>, RAYS> all;
    const int count = std::min(RAY_SAMPLES - 1, int(longest / step));
    for (int k = 0; k < RAYS; k++) {
        const double dx = WAYS[size_t(k)][0], dy = WAYS[size_t(k)][1];
        double best = -1e9;
        for (int i = 0; i <= count; i++) {
            const double v = sampled(plane, x + dx * step * i, y + dy * step * i);
            all[size_t(k)][size_t(i)] = sign * v;
            if (i * step > is.outside_from * size && i * step < is.outside_to * size) best = std::max(best, sign * v);
        }
        outs[size_t(k)] = best;
    }
    std::array<double, RAYS> copy = outs;
    const double outside = medianOf(copy);
    if (outside - inside < is.least_rim) return false;
    rim.x = x, rim.y = y, rim.r = 0;
    int found = 0;
    for (int k = 0; k < RAYS; k++) {
        // Each ray uses its own exterior, limited to values similar to the others'.
        const double level = inside + is.rim_level * (std::min(outs[size_t(k)], outside + is.most_glint) - inside);
        rim.radius[size_t(k)] = 0;
        if (outs[size_t(k)] - inside < is.least_ray * (outside - inside)) continue;
        const std::array<double, RAY_SAMPLES> &profile = all[size_t(k)];
        int i = int(is.rim_from * size / step);
        while (i <= count && profile[size_t(i)] < level) i++;
        if (i > count || i == 0) continue;
        const double a = profile[size_t(i - 1)], b = profile[size_t(i)];
        rim.radius[size_t(k)] = (i - 1 + std::clamp((level - a) / std::max(1e-6, b - a), 0.0, 1.0)) * step;
        rim.r += rim.radius[size_t(k)];
        found++;
    }
    if (found < is.least_rays) return false;
    rim.r /= found;
    for (double &r : rim.radius)
        if (r <= 0) r = rim.r;
    return rim.r > is.rim_from * size;
}

/// Quick test at eight surrounding points: a pip differs from all of them, lines and corners do not.
bool mayBePip(const tcv_pip_search &is, const cv::Mat &plane, int inside, bool dark, cv::Point p, int box) {
    const int reach = box, skew = cvRound(is.nearer * box);
    if (p.x < reach || p.y < reach || p.x + reach >= plane.cols || p.y + reach >= plane.rows) return false;
    const cv::Point ways[8] = {{reach, 0},  {skew, skew},   {0, reach},  {-skew, skew},
                               {-reach, 0}, {-skew, -skew}, {0, -reach}, {skew, -skew}};
    const int sign = dark ? 1 : -1;
    int around = 0;
    for (const cv::Point &way : ways) {
        // Pips may have half or all of this size, or a near neighbour.
        const int far = sign * (plane.at<uint8_t>(p + way) - inside);
        const cv::Point nearer(p.x + int(way.x * is.nearer), p.y + int(way.y * is.nearer));
        const int near = sign * (plane.at<uint8_t>(nearer) - inside);
        if (std::max(far, near) > is.least_around) around++;
    }
    return around >= is.least_sides;
}

bool pipAt(const tcv_pip_search &is, const cv::Mat &plane, const cv::Mat &colour, bool dark, double x, double y,
           double size, tcv_pip &pip) {
    Rim rim;
    for (int round = 0; round < is.rounds; round++) {
        if (!rimAbout(is, plane, dark, x, y, size, rim)) return false;
        double dx = 0, dy = 0;
        for (int k = 0; k < RAYS; k++) {
            dx += rim.radius[size_t(k)] * WAYS[size_t(k)][0], dy += rim.radius[size_t(k)] * WAYS[size_t(k)][1];
        }
        // From an off-centre start, the mean of the rays is half as far off.
        x += 2 * dx / RAYS, y += 2 * dy / RAYS;
        size = 2 * rim.r;
        if (std::hypot(dx, dy) < is.settled * size * RAYS && round) break;
    }
    if (size < is.least_size) return false;
    // Ellipse by the second moments of the rim. For points evenly spaced in the ellipse's parameter, they are half
    // the squared axes.
    double xx = 0, xy = 0, yy = 0, weight = 0;
    for (int k = 0; k < RAYS; k++) {
        const double r = rim.radius[size_t(k)], c = WAYS[size_t(k)][0], s = WAYS[size_t(k)][1];
        // Area moments of the sector: r⁴/4 of the directions, over area r²/2.
        xx += r * r * r * r * c * c, xy += r * r * r * r * c * s, yy += r * r * r * r * s * s, weight += r * r;
    }
    xx = 2 * xx / weight, xy = 2 * xy / weight, yy = 2 * yy / weight;
    const double mean = (xx + yy) / 2, diff = std::hypot((xx - yy) / 2, xy);
    const double longer = std::sqrt(mean + diff), shorter = std::sqrt(std::max(0.0, mean - diff));
    if (shorter < is.least_roundness * longer || shorter < is.least_shorter) return false;
    const double det = xx * yy - xy * xy;
    double misfit = 0;
    for (int k = 0; k < RAYS; k++) {
        const double c = WAYS[size_t(k)][0], s = WAYS[size_t(k)][1];
        const double expected = std::sqrt(det / (yy * c * c - 2 * xy * c * s + xx * s * s));
        misfit += std::abs(rim.radius[size_t(k)] / expected - 1) / RAYS;
    }
    pip.misfit = std::max(0.0, misfit - is.noise / rim.r);
    if (pip.misfit > is.most_misfit) return false;
    std::vector<cv::Vec3b> ring, inner;
    const cv::Rect frame(0, 0, plane.cols, plane.rows);
    for (int k = 0; k < 20; k++) {
        const double c = RING[size_t(k)][0], s = RING[size_t(k)][1];
        const double expected = std::sqrt(det / (yy * c * c - 2 * xy * c * s + xx * s * s));
        const double out = expected * is.ring + is.ring_beyond;
        const double in = is.inside * expected;
        const cv::Point p(cvRound(x + out * c), cvRound(y + out * s)), q(cvRound(x + in * c), cvRound(y + in * s));
        if (frame.contains(p)) ring.push_back(colour.at<cv::Vec3b>(p));
        if (frame.contains(q)) inner.push_back(colour.at<cv::Vec3b>(q));
    }
    if (int(ring.size()) < is.least_ring || inner.empty()) return false;
    const cv::Vec3d around = medianColour(ring), inside = medianColour(inner);
    pip.contrast = apart(around, inside);
    std::vector<double> off;
    for (const cv::Vec3b &p : ring) off.push_back(apart(cv::Vec3d(p), around));
    std::nth_element(off.begin(), off.begin() + long(off.size() * 3 / 4), off.end());
    pip.unevenness = off[off.size() * 3 / 4];
    pip.x = x, pip.y = y, pip.xx = xx, pip.xy = xy, pip.yy = yy, pip.is_dark = dark;
    for (int c = 0; c < 3; c++) pip.inside[c] = uint8_t(inside[c]), pip.around[c] = uint8_t(around[c]);
    pip.inside[3] = pip.around[3] = 0;
    return true;
}

bool colourAt(const cv::Mat &picture, double scale, double x, double y, cv::Vec3b &colour) {
    const int col = cvRound((x + 0.5) / scale - 0.5), row = cvRound((y + 0.5) / scale - 0.5);
    if (col < 0 || row < 0 || col >= picture.cols || row >= picture.rows) return false;
    colour = picture.at<cv::Vec3b>(row, col);
    return true;
}
} // namespace

int tcv_image_least(const tcv_image *from, tcv_image *to) {
    if (!isPicture(from, TCV_U8, 3) || !isPicture(to, TCV_U8, 1)) return TCV_E_ARGUMENT;
    return converted(from, to, [&](const cv::Mat &source, cv::Mat &target) {
        cv::Mat channel;
        cv::extractChannel(source, target, 0);
        for (const int c : {1, 2}) cv::extractChannel(source, channel, c), cv::min(target, channel, target);
    });
}

int tcv_image_peaks(const tcv_image *image, int side, int least, const tcv_image *other, double factor, int most,
                    int32_t *xy, int *count) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8, 1) || side < 1 || most < 1 || !xy || !count ||
            (other && (!isPicture(other, TCV_U8, 1) || !sameSize(image, other))))
            return int(TCV_E_ARGUMENT);
        const cv::Mat response = matrix(image);
        cv::Mat highest, peaks;
        cv::dilate(response, highest, cv::Mat(), cv::Point(-1, -1), side / 2);
        cv::compare(response, highest, peaks, cv::CMP_EQ);
        cv::bitwise_and(peaks, response > least, peaks);
        if (other) cv::bitwise_and(peaks, response > factor * matrix(other), peaks);
        std::vector<cv::Point> places;
        cv::findNonZero(peaks, places);
        if (places.size() > size_t(most)) {
            const auto stronger = [&](cv::Point a, cv::Point b) {
                return response.at<uint8_t>(a) > response.at<uint8_t>(b);
            };
            std::nth_element(places.begin(), places.begin() + most, places.end(), stronger);
            places.resize(size_t(most));
        }
        for (size_t i = 0; i < places.size(); i++) xy[2 * i] = places[i].x, xy[2 * i + 1] = places[i].y;
        *count = int(places.size());
        return int(TCV_OK);
    });
}

int tcv_pips_at(const tcv_image *plane, const tcv_image *mean, const tcv_image *colour, int is_dark, int box,
                const int32_t *xy, int places, const tcv_pip_search *search, tcv_pip *found, int *count) {
    return guarded([&] {
        if (!isPicture(plane, TCV_U8, 1) || !isPicture(mean, TCV_U8, 1) || !isPicture(colour, TCV_U8, 3) ||
            !sameSize(plane, mean) || !sameSize(plane, colour) || places < 0 || (places && (!xy || !found)) ||
            !search || !count)
            return int(TCV_E_ARGUMENT);
        const cv::Mat values = matrix(plane), means = matrix(mean), colours = matrix(colour);
        const cv::Rect frame(0, 0, values.cols, values.rows);
        *count = 0;
        tcv_pip pip;
        for (int i = 0; i < places; i++) {
            const cv::Point p(xy[2 * i], xy[2 * i + 1]);
            if (frame.contains(p) && mayBePip(*search, values, means.at<uint8_t>(p), is_dark != 0, p, box) &&
                pipAt(*search, values, colours, is_dark != 0, p.x, p.y, search->first_size * box, pip))
                found[(*count)++] = pip;
        }
        return int(TCV_OK);
    });
}

int tcv_image_runs(const tcv_image *image, double scale, const tcv_ray *rays, int count, const uint8_t *rgb,
                   double tolerance, int needed, const double *holes, int hole_count, double *ends, double *beyond) {
    return guarded([&] {
        if (!isPicture(image, TCV_U8, 3) || !(scale > 0) || !rays || !rgb || !ends || !beyond || count < 1 ||
            needed < 1 || hole_count < 0 || (hole_count && !holes))
            return int(TCV_E_ARGUMENT);
        const cv::Mat picture = matrix(image);
        const cv::Vec3d face(rgb[0], rgb[1], rgb[2]);
        for (int k = 0; k < count; k++) {
            const tcv_ray &ray = rays[k];
            ends[k] = ray.most, beyond[k] = 0;
            int strange = 0;
            for (double t = 0; t < ray.most; t += scale) {
                const double x = ray.x + ray.dx * t, y = ray.y + ray.dy * t;
                bool inHole = false;
                for (int h = 0; h < hole_count && !inHole; h++) {
                    const double dx = x - holes[3 * h], dy = y - holes[3 * h + 1];
                    inHole = dx * dx + dy * dy < holes[3 * h + 2] * holes[3 * h + 2];
                }
                if (inHole) { strange = 0; continue; }
                cv::Vec3b colour, after;
                const bool isFace =
                    colourAt(picture, scale, x, y, colour) && !(apart(cv::Vec3d(colour), face) > tolerance);
                strange = isFace ? 0 : strange + 1;
                if (strange < needed) continue;
                ends[k] = std::max(0.0, t - (needed - 1) * scale);
                if (colourAt(picture, scale, x + ray.dx * scale, y + ray.dy * scale, after))
                    beyond[k] = apart(cv::Vec3d(after), face);
                break;
            }
        }
        return int(TCV_OK);
    });
}
