#include "cv_image.hpp"
#include <algorithm>
#include <opencv2/imgproc.hpp>

int tcv_image_sums(const tcv_image *from, tcv_image *sums) {
    if (!isPicture(from, TCV_U8) || !isPicture(sums, TCV_S32, from->channels)) return TCV_E_ARGUMENT;
    return converted(from, sums,
                     [&](const cv::Mat &source, cv::Mat &target) { cv::integral(source, target, CV_32S); });
}

namespace {
/// Mean colours of strips along one axis of a picture of sums.
struct Strips {
    cv::Mat sums;
    bool isUpright;

    cv::Vec3d mean(int a, int b, int from, int to) const {
        const int x0 = isUpright ? a : from, x1 = isUpright ? b : to;
        const int y0 = isUpright ? from : a, y1 = isUpright ? to : b;
        const cv::Vec3i *upper = sums.ptr<cv::Vec3i>(y0), *lower = sums.ptr<cv::Vec3i>(y1);
        return cv::Vec3d(lower[x1] - upper[x1] - lower[x0] + upper[x0]) * (1.0 / std::max(1, (x1 - x0) * (y1 - y0)));
    }

    double step(const tcv_strips &is, int at, int from, int to) const {
        const double across = cv::norm(mean(at - is.near_to, at - is.near_from, from, to) -
                                       mean(at + is.near_from, at + is.near_to, from, to));
        const cv::Vec3d beside = mean(at - is.wide_to, at - is.wide_from, from, to) +
                                 mean(at + is.wide_from, at + is.wide_to, from, to);
        return std::max(across, cv::norm(mean(at - is.seam, at + is.seam, from, to) - beside * 0.5));
    }
};
} // namespace

int tcv_sums_steps(const tcv_image *sums, const tcv_strips *strips, int is_upright, int first, int count, int from,
                   int to, int parts, int rank, double *steps) {
    return guarded([&] {
        if (!isPicture(sums, TCV_S32, 3) || !strips || !steps || count < 1 || parts < 1 || rank < 0 || rank >= parts ||
            strips->near_from < 0 || strips->near_to < strips->near_from || strips->wide_from < 0 ||
            strips->wide_to < strips->wide_from || strips->seam < 0)
            return int(TCV_E_ARGUMENT);
        const int lines = (is_upright ? sums->width : sums->height) - 1;
        const int length = (is_upright ? sums->height : sums->width) - 1;
        if (from < 0 || to < from || to > length) return int(TCV_E_ARGUMENT);
        const int reach = std::max({strips->near_to, strips->wide_to, strips->seam});
        const Strips picture{matrix(sums), is_upright != 0};
        std::vector<double> all(size_t(parts), 0);
        for (int k = 0; k < count; k++) {
            const int at = first + k;
            steps[k] = 0;
            if (at < reach || at >= lines - reach) continue;
            for (int i = 0; i < parts; i++)
                all[size_t(i)] = picture.step(*strips, at, from + (to - from) * i / parts,
                                              from + (to - from) * (i + 1) / parts);
            std::nth_element(all.begin(), all.begin() + rank, all.end());
            steps[k] = all[size_t(rank)];
        }
        return int(TCV_OK);
    });
}

int tcv_outline_box(const int32_t *xy, int count, double box[4]) {
    return guarded([&] {
        if (!xy || !box || count < 1) return int(TCV_E_ARGUMENT);
        const cv::RotatedRect found = cv::minAreaRect(cv::Mat(count, 1, CV_32SC2, const_cast<int32_t *>(xy)));
        box[0] = found.center.x, box[1] = found.center.y, box[2] = found.size.width, box[3] = found.size.height;
        return int(TCV_OK);
    });
}
