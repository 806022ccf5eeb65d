#include "cv_image.hpp"
#include "cv_straight.hpp"
#include "homography.hpp"
#include <limits>
#include <memory>
#include <opencv2/imgproc.hpp>

struct tcv_outlines {
    std::vector<std::vector<cv::Point>> all;
};

namespace {
cv::Mat points(const int32_t *xy, int count) { return cv::Mat(count, 1, CV_32SC2, const_cast<int32_t *>(xy)); }

/// The sides of a polygon, for many points.
class Sides {
    struct Side {
        double x, y, dx, dy, square;
    };
    std::vector<Side> sides;

  public:
    Sides(const double *polygon, int corners) {
        for (int i = 0; i < corners; i++) {
            const double *a = polygon + 2 * i, *b = polygon + 2 * ((i + 1) % corners);
            const double dx = b[0] - a[0], dy = b[1] - a[1];
            sides.push_back({a[0], a[1], dx, dy, std::max(1e-9, dx * dx + dy * dy)});
        }
    }

    /// The side nearest to a point, the distance, and the place along that side (0…1 between its corners).
    size_t nearest(double x, double y, double &distance, double &along) const {
        size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < sides.size(); i++) {
            const Side &side = sides[i];
            const double u = x - side.x, v = y - side.y, t = (u * side.dx + v * side.dy) / side.square;
            const double part = std::clamp(t, 0.0, 1.0), du = u - side.dx * part, dv = v - side.dy * part;
            const double square = du * du + dv * dv;
            if (square < least) least = square, along = t, best = i;
        }
        distance = std::sqrt(least);
        return best;
    }
};
} // namespace

int tcv_outlines_open(const tcv_image *mask, int which, int dx, int dy, tcv_outlines **outlines) {
    return guarded([&] {
        if (!isPicture(mask, TCV_U8, 1) || !outlines || which < TCV_OUTER || which > TCV_PARTS)
            return int(TCV_E_ARGUMENT);
        static constexpr int modes[] = {cv::RETR_EXTERNAL, cv::RETR_CCOMP, cv::RETR_LIST, cv::RETR_CCOMP};
        std::unique_ptr<tcv_outlines> made(new tcv_outlines);
        std::vector<cv::Vec4i> nested;
        cv::findContours(matrix(mask), made->all, nested, modes[which], cv::CHAIN_APPROX_NONE, cv::Point(dx, dy));
        if (which == TCV_HOLES || which == TCV_PARTS) {
            // An outline with a parent is a hole's.
            size_t kept = 0;
            for (size_t i = 0; i < nested.size(); i++)
                if ((nested[i][3] >= 0) == (which == TCV_HOLES)) std::swap(made->all[kept++], made->all[i]);
            made->all.resize(kept);
        }
        *outlines = made.release();
        return int(TCV_OK);
    });
}

void tcv_outlines_close(tcv_outlines *outlines) { delete outlines; }

int tcv_outlines_count(const tcv_outlines *outlines) { return outlines ? int(outlines->all.size()) : 0; }

const int32_t *tcv_outline(const tcv_outlines *outlines, int index, int *count) {
    if (!outlines || !count || index < 0 || size_t(index) >= outlines->all.size()) return nullptr;
    const auto &one = outlines->all[size_t(index)];
    *count = int(one.size());
    return reinterpret_cast<const int32_t *>(one.data());
}

int tcv_outline_hull(const int32_t *xy, int count, int32_t *hull, int *hull_count) {
    return guarded([&] {
        if (!xy || !hull || !hull_count || count < 1) return int(TCV_E_ARGUMENT);
        std::vector<cv::Point> found;
        cv::convexHull(points(xy, count), found);
        std::copy_n(reinterpret_cast<const int32_t *>(found.data()), 2 * found.size(), hull);
        *hull_count = int(found.size());
        return int(TCV_OK);
    });
}

int tcv_outline_simplified(const int32_t *xy, int count, double tolerance, int32_t *few, int *few_count) {
    return guarded([&] {
        if (!xy || !few || !few_count || count < 1) return int(TCV_E_ARGUMENT);
        std::vector<cv::Point> found;
        cv::approxPolyDP(points(xy, count), found, tolerance, true);
        std::copy_n(reinterpret_cast<const int32_t *>(found.data()), 2 * found.size(), few);
        *few_count = int(found.size());
        return int(TCV_OK);
    });
}

int tcv_outline_length(const int32_t *xy, int count, double *length) {
    return guarded([&] {
        if (!xy || !length || count < 1) return int(TCV_E_ARGUMENT);
        *length = cv::arcLength(points(xy, count), true);
        return int(TCV_OK);
    });
}

int tcv_outline_centroid(const int32_t *xy, int count, double *x, double *y) {
    return guarded([&] {
        if (!xy || !x || !y || count < 1) return int(TCV_E_ARGUMENT);
        const cv::Moments m = cv::moments(points(xy, count));
        *x = m.m10 / m.m00, *y = m.m01 / m.m00;
        return int(TCV_OK);
    });
}

int tcv_line_through(const float *xy, int count, double turn, float line[4]) {
    return guarded([&] {
        if (!xy || !line || count < 1) return int(TCV_E_ARGUMENT);
        const auto *first = reinterpret_cast<const cv::Point2f *>(xy);
        const cv::Vec4f found = lineThrough({first, first + count}, turn);
        std::copy_n(found.val, 4, line);
        return int(TCV_OK);
    });
}

int tcv_homography_fit(const double *from, const double *to, int count, double values[9], double *residual,
                       int *found) {
    return guarded([&] {
        if (!from || !to || !values || !residual || !found || count < 4) return int(TCV_E_ARGUMENT);
        const auto *a = reinterpret_cast<const cv::Point2d *>(from), *b = reinterpret_cast<const cv::Point2d *>(to);
        cv::Matx33d H;
        *found = fitHomography({a, a + count}, {b, b + count}, H, *residual);
        std::copy_n(H.val, 9, values);
        return int(TCV_OK);
    });
}

int tcv_outline_lines(const int32_t *xy, int count, const double *polygon, int corners, double from, double to,
                      double turn, float *lines, int32_t *used) {
    return guarded([&] {
        if (!xy || !polygon || !lines || !used || count < 1 || corners < 3) return int(TCV_E_ARGUMENT);
        const Sides sides(polygon, corners);
        std::vector<std::vector<cv::Point2f>> beside{size_t(corners)};
        for (int i = 0; i < count; i++) {
            double distance, along;
            const size_t side = sides.nearest(xy[2 * i], xy[2 * i + 1], distance, along);
            if (along > from && along < to) beside[side].emplace_back(float(xy[2 * i]), float(xy[2 * i + 1]));
        }
        for (int i = 0; i < corners; i++) {
            used[i] = int32_t(beside[size_t(i)].size());
            const cv::Vec4f line = lineThrough(beside[size_t(i)], turn);
            std::copy_n(line.val, 4, lines + 4 * i);
        }
        return int(TCV_OK);
    });
}

int tcv_outline_near(const int32_t *xy, int count, const double *polygon, int corners, double near, int32_t *nearer) {
    return guarded([&] {
        if (!xy || !polygon || !nearer || count < 1 || corners < 3) return int(TCV_E_ARGUMENT);
        const Sides sides(polygon, corners);
        *nearer = 0;
        for (int i = 0; i < count; i++) {
            double distance, along = 0;
            sides.nearest(xy[2 * i], xy[2 * i + 1], distance, along);
            *nearer += distance < near;
        }
        return int(TCV_OK);
    });
}
