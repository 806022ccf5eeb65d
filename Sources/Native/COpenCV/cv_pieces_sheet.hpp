// One photo while its pieces are looked for, as cv_pieces.cpp makes it and cv_pieces_places.cpp asks it.
#pragma once
#include "include/cv_pieces.h"
#include <opencv2/core.hpp>
#include <vector>

struct tcv_pieces {
    cv::Mat full;                   // 8UC3, R G B
    cv::Matx33d toFull = cv::Matx33d::eye(); // places that callers speak of → places of `full`
    bool isSeenThrough = false;     // `toFull` is more than the identity; shapes are then cut out by the palette only
    cv::Mat work;                   // the smaller copy, lightly smoothed
    cv::Mat even;                   // `work` as it would be on a white table in even light
    cv::Mat difference;             // 8U, greatest channel difference from the table
    cv::Mat seams;                  // 8U, 255 on edges inside regions
    cv::Mat labels;                 // 8U, palette number + 1; empty without a palette
    double scale = 1;               // full pixels per working pixel
    double noise = 3;               // median difference of the table from its model
    int paletteCount = 0;
    std::vector<uint8_t> palette;   // R G B each
    bool whiteTable = false;        // any tint of the table is the light's
    double tint = 0;                // of the table, 0…1
};

namespace {
/// The place of the full picture that a caller's place is.
cv::Point2d inFull(const tcv_pieces &sheet, const cv::Point2d &place) {
    if (!sheet.isSeenThrough) return place;
    const cv::Vec3d p = sheet.toFull * cv::Vec3d(place.x, place.y, 1);
    return {p[0] / p[2], p[1] / p[2]};
}
} // namespace
