// Primitives for round regions of a photo: connected regions of a colour plane with the ellipse of each.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_ROUND_H
#define TABLESIGHT_CV_ROUND_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// The plane in which regions are cut out, and how. Every number is the caller's.
typedef struct {
    double way[3];            // weights of R, G, B; their sum is divided by the largest channel plus `floor`
    double floor;             // grey levels
    int32_t long_side;        // longer side of the working copy, pixels
    const double *offsets;    // thresholds relative to Otsu's, levels of a plane of 256
    int32_t offset_count;
    int32_t most_side;        // regions with a longer or shorter bounding box are left out, working pixels
    int32_t least_side;
} tcv_round_cut;

/// A region below a threshold, with the ellipse through its convex hull.
typedef struct {
    double x, y;
    double longer, shorter;   // half axes, pixels
    double fill;              // area of the convex hull over the ellipse's
    double solid;             // area of the region over the convex hull's
} tcv_round_region;

/// Regions at all thresholds, in no order; one place may occur several times. Writes at most `capacity`.
int tcv_round_regions(const uint8_t *pixels, int width, int height, int channels, const tcv_round_cut *cut, tcv_round_region *found,
                      int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
