#include "cv_image.hpp"
#include "cv_straight.hpp"
#include <memory>
#include <opencv2/imgproc.hpp>

struct tcv_outlines {
    std::vector<std::vector<cv::Point>> all;
};

namespace {
cv::Mat points(const int32_t *xy, int count) { return cv::Mat(count, 1, CV_32SC2, const_cast<int32_t *>(xy)); }
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

int tcv_line_through(const float *xy, int count, double turn, float line[4]) {
    return guarded([&] {
        if (!xy || !line || count < 1) return int(TCV_E_ARGUMENT);
        const auto *first = reinterpret_cast<const cv::Point2f *>(xy);
        const cv::Vec4f found = lineThrough({first, first + count}, turn);
        std::copy_n(found.val, 4, line);
        return int(TCV_OK);
    });
}

