#include "include/cv_pips.h"
#include "guarded.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
struct Level {
    cv::Mat colour;       // 8UC3, R G B
    cv::Mat planes[2];    // brightness, and the minimum channel: coloured ink on white is dark in the latter
    double scale = 1;     // raster pixels per pixel of this level
};

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
    for (size_t k = 0; k < Count; k++) ways[k] = {std::cos(2 * CV_PI * double(k) / Count), std::sin(2 * CV_PI * double(k) / Count)};
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
    const cv::Point ways[8] = {{reach, 0}, {skew, skew}, {0, reach}, {-skew, skew}, {-reach, 0}, {-skew, -skew}, {0, -reach}, {skew, -skew}};
    const int sign = dark ? 1 : -1;
    int around = 0;
    for (const cv::Point &way : ways) {
        // Pips may have half or all of this size, or a near neighbour.
        const int far = sign * (plane.at<uint8_t>(p + way) - inside);
        const int near = sign * (plane.at<uint8_t>(cv::Point(p.x + int(way.x * is.nearer), p.y + int(way.y * is.nearer))) - inside);
        if (std::max(far, near) > is.least_around) around++;
    }
    return around >= is.least_sides;
}

bool pipAt(const tcv_pip_search &is, const Level &level, int which, bool dark, double x, double y, double size, tcv_pip &pip) {
    const cv::Mat &plane = level.planes[which];
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
        const cv::Point p(cvRound(x + out * c), cvRound(y + out * s)), q(cvRound(x + is.inside * expected * c), cvRound(y + is.inside * expected * s));
        if (frame.contains(p)) ring.push_back(level.colour.at<cv::Vec3b>(p));
        if (frame.contains(q)) inner.push_back(level.colour.at<cv::Vec3b>(q));
    }
    if (int(ring.size()) < is.least_ring || inner.empty()) return false;
    const cv::Vec3d around = medianColour(ring), inside = medianColour(inner);
    pip.contrast = apart(around, inside);
    std::vector<double> off;
    for (const cv::Vec3b &p : ring) off.push_back(apart(cv::Vec3d(p), around));
    std::nth_element(off.begin(), off.begin() + long(off.size() * 3 / 4), off.end());
    pip.unevenness = off[off.size() * 3 / 4];
    const double s = level.scale;
    pip.x = (x + 0.5) * s - 0.5, pip.y = (y + 0.5) * s - 0.5;
    pip.xx = xx * s * s, pip.xy = xy * s * s, pip.yy = yy * s * s;
    pip.is_dark = dark;
    for (int c = 0; c < 3; c++) pip.inside[c] = uint8_t(inside[c]), pip.around[c] = uint8_t(around[c]);
    pip.inside[3] = pip.around[3] = 0;
    return true;
}
} // namespace

struct tcv_pips {
    std::vector<Level> levels;
    tcv_pip_search search;
};

namespace {
/// The level with the wanted number of steps over a face, so that the step size is relative to the face.
const Level &levelFor(const tcv_pips &pips, double side) {
    size_t index = 0;
    while (index + 1 < pips.levels.size() && side / pips.levels[index + 1].scale > pips.search.face_steps) index++;
    return pips.levels[index];
}

bool colourAt(const Level &level, double x, double y, cv::Vec3b &colour) {
    const int col = cvRound((x + 0.5) / level.scale - 0.5), row = cvRound((y + 0.5) / level.scale - 0.5);
    if (col < 0 || row < 0 || col >= level.colour.cols || row >= level.colour.rows) return false;
    colour = level.colour.at<cv::Vec3b>(row, col);
    return true;
}
} // namespace

int tcv_pips_open(const uint8_t *pixels, int width, int height, int channels, const tcv_pip_search *search, tcv_pips **pips) {
    return guarded([&] {
        if (!pixels || !pips || width < 16 || height < 16 || (channels != 1 && channels != 3) || !search || search->long_side < 64)
            return int(TCV_E_ARGUMENT);
        std::unique_ptr<tcv_pips> made(new tcv_pips);
        made->search = *search;
        const cv::Mat given(height, width, channels == 3 ? CV_8UC3 : CV_8UC1, const_cast<uint8_t *>(pixels));
        cv::Mat colour, sized;
        if (channels == 3) colour = given; else cv::cvtColor(given, colour, cv::COLOR_GRAY2RGB);
        double scale = std::max(search->least_scale, double(std::max(width, height)) / search->long_side);
        const cv::Size size(std::max(1, cvRound(width / scale)), std::max(1, cvRound(height / scale)));
        cv::resize(colour, sized, size, 0, 0, scale > 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        cv::GaussianBlur(sized, sized, cv::Size(3, 3), 0);
        while (true) {
            Level level;
            level.colour = sized, level.scale = scale;
            cv::cvtColor(sized, level.planes[0], cv::COLOR_RGB2GRAY);
            std::vector<cv::Mat> channel;
            cv::split(sized, channel);
            cv::min(channel[0], channel[1], level.planes[1]);
            cv::min(level.planes[1], channel[2], level.planes[1]);
            made->levels.push_back(level);
            if (std::max(sized.cols, sized.rows) < search->least_side) break;
            cv::Mat half;
            cv::resize(sized, half, cv::Size((sized.cols + 1) / 2, (sized.rows + 1) / 2), 0, 0, cv::INTER_AREA);
            sized = half, scale *= 2;
        }
        *pips = made.release();
        return int(TCV_OK);
    });
}

void tcv_pips_close(tcv_pips *pips) { delete pips; }

int tcv_pips_find(const tcv_pips *pips, tcv_pip *found, int capacity, int *count) {
    return guarded([&] {
        if (!pips || !found || !count || capacity < 1) return int(TCV_E_ARGUMENT);
        const tcv_pip_search &is = pips->search;
        *count = 0;
        cv::Mat inner, outer, response, highest, peaks, inBrightness[2];
        std::vector<cv::Point> places;
        for (size_t index = 0; index < pips->levels.size(); index++) {
            const Level &level = pips->levels[index];
            for (int box = index ? is.first_box + 2 : is.first_box; box <= is.last_box; box += 2)
                for (int which = 0; which < 2; which++) {
                    const cv::Mat &plane = level.planes[which];
                    cv::boxFilter(plane, inner, CV_8U, cv::Size(box, box));
                    cv::boxFilter(plane, outer, CV_8U, cv::Size(3 * box, 3 * box));
                    for (const bool dark : {true, false}) {
                        if (dark) cv::subtract(outer, inner, response); else cv::subtract(inner, outer, response);
                        cv::dilate(response, highest, cv::Mat(), cv::Point(-1, -1), box / 2);
                        cv::compare(response, highest, peaks, cv::CMP_EQ);
                        cv::bitwise_and(peaks, response > is.least_response, peaks);
                        // Grey ink is visible in both planes and is counted once.
                        if (which) cv::bitwise_and(peaks, response > is.more_than_grey * inBrightness[dark], peaks);
                        else inBrightness[dark] = response.clone();
                        cv::findNonZero(peaks, places);
                        // In cloth and grain only the strongest are examined.
                        if (places.size() > size_t(is.most_places)) {
                            const cv::Mat &strength = response;
                            std::nth_element(places.begin(), places.begin() + is.most_places, places.end(), [&](cv::Point a, cv::Point b) {
                                return strength.at<uint8_t>(a) > strength.at<uint8_t>(b);
                            });
                            places.resize(size_t(is.most_places));
                        }
                        tcv_pip pip;
                        for (const cv::Point &p : places)
                            if (*count < capacity && mayBePip(is, plane, inner.at<uint8_t>(p), dark, p, box) && pipAt(is, level, which, dark, p.x, p.y, is.first_size * box, pip))
                                found[(*count)++] = pip;
                    }
                }
        }
        return int(TCV_OK);
    });
}

int tcv_pips_ends(const tcv_pips *pips, const tcv_ray *rays, int count, const uint8_t *rgb, double tolerance, double side,
                  const double *holes, int hole_count, double *ends, double *beyond) {
    return guarded([&] {
        if (!pips || !rays || !rgb || !ends || count < 1 || hole_count < 0 || (hole_count && !holes) || !(side > 0))
            return int(TCV_E_ARGUMENT);
        const Level &level = levelFor(*pips, side);
        const cv::Vec3d face(rgb[0], rgb[1], rgb[2]);
        const double s = level.scale;
        for (int k = 0; k < count; k++) {
            const tcv_ray &ray = rays[k];
            ends[k] = ray.most;
            if (beyond) beyond[k] = 0;
            int strange = 0;
            const int needed = side / s < pips->search.few_steps ? pips->search.needed_of_few : pips->search.needed;
            for (double t = 0; t < ray.most; t += s) {
                const double x = ray.x + ray.dx * t, y = ray.y + ray.dy * t;
                bool inHole = false;
                for (int h = 0; h < hole_count && !inHole; h++) {
                    const double dx = x - holes[3 * h], dy = y - holes[3 * h + 1];
                    inHole = dx * dx + dy * dy < holes[3 * h + 2] * holes[3 * h + 2];
                }
                if (inHole) { strange = 0; continue; }
                cv::Vec3b colour;
                if (!colourAt(level, x, y, colour) || apart(cv::Vec3d(colour), face) > tolerance) strange++; else strange = 0;
                // A glint or a scratch of one pixel is not an end.
                if (strange >= needed) {
                    ends[k] = std::max(0.0, t - (needed - 1) * s);
                    cv::Vec3b after;
                    if (beyond && colourAt(level, x + ray.dx * s, y + ray.dy * s, after)) beyond[k] = apart(cv::Vec3d(after), face);
                    break;
                }
            }
        }
        return int(TCV_OK);
    });
}

int tcv_pips_colour(const tcv_pips *pips, const double *places, int count, double side, uint8_t *rgb) {
    return guarded([&] {
        if (!pips || !places || !rgb || count < 1 || !(side > 0)) return int(TCV_E_ARGUMENT);
        const Level &level = levelFor(*pips, side);
        std::vector<cv::Vec3b> colours;
        cv::Vec3b one;
        for (int k = 0; k < count; k++)
            if (colourAt(level, places[2 * k], places[2 * k + 1], one)) colours.push_back(one);
        if (colours.empty()) return int(TCV_E_ARGUMENT);
        const cv::Vec3d middle = medianColour(colours);
        for (int c = 0; c < 3; c++) rgb[c] = uint8_t(middle[c]);
        return int(TCV_OK);
    });
}

int tcv_pips_patch(const tcv_pips *pips, const double *lattice, double side, double reach, int size, float *rgb) {
    return guarded([&] {
        if (!pips || !lattice || !rgb || !(side > 0) || !(reach > 0) || size < 4 || size > 256) return int(TCV_E_ARGUMENT);
        const Level &level = levelFor(*pips, side);
        // Two samples per pixel in each direction, so that no pixel of a finer level is skipped.
        constexpr int FINER = 2;
        const int fine = size * FINER;
        cv::Mat xs(fine, fine, CV_32F), ys(fine, fine, CV_32F), seen;
        for (int row = 0; row < fine; row++)
            for (int column = 0; column < fine; column++) {
                const double u = ((column + 0.5) / fine * 2 - 1) * reach, v = ((row + 0.5) / fine * 2 - 1) * reach;
                xs.at<float>(row, column) = float((lattice[0] + u * lattice[2] + v * lattice[4] + 0.5) / level.scale - 0.5);
                ys.at<float>(row, column) = float((lattice[1] + u * lattice[3] + v * lattice[5] + 0.5) / level.scale - 0.5);
            }
        cv::remap(level.colour, seen, xs, ys, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
        for (int row = 0; row < size; row++)
            for (int column = 0; column < size; column++)
                for (int c = 0; c < 3; c++) {
                    int sum = 0;
                    for (int i = 0; i < FINER * FINER; i++)
                        sum += seen.at<cv::Vec3b>(row * FINER + i / FINER, column * FINER + i % FINER)[c];
                    rgb[3 * (row * size + column) + c] = float(sum) / (FINER * FINER);
                }
        return int(TCV_OK);
    });
}
