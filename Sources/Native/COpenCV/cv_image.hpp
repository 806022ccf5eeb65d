// The caller's pictures as OpenCV's, for all files of the façade.
#pragma once
#include "guarded.hpp"
#include "include/cv_image.h"
#include <opencv2/core.hpp>

namespace {
/// A violated precondition of the façade, for `guarded`.
inline bool isPicture(const tcv_image *image, int depth = -1, int channels = 0) {
    return image && image->samples && image->width > 0 && image->height > 0 && image->depth >= TCV_U8 &&
           image->depth <= TCV_F32 && image->channels > 0 && image->channels < 5 &&
           (depth < 0 || image->depth == depth) && (!channels || image->channels == channels);
}

/// The same memory.
inline cv::Mat matrix(const tcv_image *image) {
    static constexpr int depths[] = {CV_8U, CV_16S, CV_32S, CV_32F};
    return cv::Mat(image->height, image->width, CV_MAKETYPE(depths[image->depth], image->channels), image->samples,
                   image->stride);
}

inline bool sameSize(const tcv_image *one, const tcv_image *other) {
    return one->width == other->width && one->height == other->height;
}

/// Runs `body(from, to)`, which must fill `to` in place.
template <typename Body> int converted(const tcv_image *from, tcv_image *to, Body body) {
    return guarded([&] {
        if (!isPicture(from) || !isPicture(to)) return int(TCV_E_ARGUMENT);
        cv::Mat target = matrix(to);
        body(matrix(from), target);
        return target.data == to->samples ? int(TCV_OK) : int(TCV_E_ARGUMENT); // OpenCV replaces a wrong buffer
    });
}
} // namespace
