// One photo prepared for piece detection, made by cv_pieces.cpp and queried by cv_pieces_places.cpp.
#pragma once
#include "include/cv_pieces.h"
#include <opencv2/core.hpp>
#include <vector>

struct tcv_pieces {
    cv::Mat full;                   // 8UC3, R G B
    cv::Matx33d toFull = cv::Matx33d::eye(); // caller's coordinates → coordinates of `full`
    bool isRectified = false;     // `toFull` is not the identity; shapes are then segmented by the palette only
    cv::Mat work;                   // the smaller copy, lightly smoothed
    cv::Mat even;                   // `work` as on a white table in even light
    cv::Mat difference;             // 8U, maximum channel difference from the table
    cv::Mat seams;                  // 8U, 255 on edges inside regions
    cv::Mat labels;                 // 8U, palette number + 1; empty without a palette
    double scale = 1;               // full pixels per working pixel
    double noise = 3;               // median difference of the table from its model
    int paletteCount = 0;
    std::vector<uint8_t> palette;   // R G B each
    bool whiteTable = false;        // any tint of the table comes from the light
    double tint = 0;                // of the table, 0…1
};

namespace {
/// Maps a caller's point to the full picture.
cv::Point2d inFull(const tcv_pieces &prepared, const cv::Point2d &place) {
    if (!prepared.isRectified) return place;
    const cv::Vec3d p = prepared.toFull * cv::Vec3d(place.x, place.y, 1);
    return {p[0] / p[2], p[1] / p[2]};
}
} // namespace
