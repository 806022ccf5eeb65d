#include "include/cv_barcodes.h"
#include "guarded.hpp"
#include <opencv2/imgproc.hpp>

static bool valid(const void *from, int width, int height, const void *to) {
    return from && to && width > 0 && height > 0;
}

static cv::Mat plane(const uint8_t *bytes, int width, int height) {
    return cv::Mat(height, width, CV_8UC1, const_cast<uint8_t *>(bytes));
}

int tcv_gray_resize(const uint8_t *from, int width, int height, uint8_t *to, int to_width, int to_height) {
    return guarded([&] {
        if (!valid(from, width, height, to) || to_width <= 0 || to_height <= 0) return int(TCV_E_ARGUMENT);
        cv::Mat target = plane(to, to_width, to_height);
        const int how = to_width < width ? cv::INTER_AREA : cv::INTER_CUBIC;
        cv::resize(plane(from, width, height), target, target.size(), 0, 0, how);
        return int(TCV_OK);
    });
}

int tcv_gray_unsharp(const uint8_t *from, int width, int height, double sigma, double amount, uint8_t *to) {
    return guarded([&] {
        if (!valid(from, width, height, to) || !(sigma > 0)) return int(TCV_E_ARGUMENT);
        const cv::Mat source = plane(from, width, height);
        cv::Mat target = plane(to, width, height), blurred;
        cv::GaussianBlur(source, blurred, cv::Size(), sigma, sigma, cv::BORDER_REPLICATE);
        cv::addWeighted(source, 1 + amount, blurred, -amount, 0, target);
        return int(TCV_OK);
    });
}

int tcv_gray_turn(const uint8_t *from, int width, int height, double degrees, uint8_t *to, int to_width, int to_height) {
    return guarded([&] {
        if (!valid(from, width, height, to) || to_width <= 0 || to_height <= 0) return int(TCV_E_ARGUMENT);
        const cv::Point2f centre((width - 1) / 2.0f, (height - 1) / 2.0f);
        cv::Mat turn = cv::getRotationMatrix2D(centre, -degrees, 1);  // OpenCV counts counter-clockwise
        turn.at<double>(0, 2) += (to_width - width) / 2.0;
        turn.at<double>(1, 2) += (to_height - height) / 2.0;
        cv::Mat target = plane(to, to_width, to_height);
        cv::warpAffine(plane(from, width, height), target, turn, target.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
        return int(TCV_OK);
    });
}

int tcv_gray_even(const uint8_t *from, int width, int height, double clip, uint8_t *to) {
    return guarded([&] {
        if (!valid(from, width, height, to)) return int(TCV_E_ARGUMENT);
        cv::Mat target = plane(to, width, height);
        cv::createCLAHE(clip, cv::Size(8, 8))->apply(plane(from, width, height), target);
        return int(TCV_OK);
    });
}
