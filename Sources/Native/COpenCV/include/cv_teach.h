// Detection of objects on a table, by comparison with a photo of the empty table.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_TEACH_H
#define TABLESIGHT_CV_TEACH_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TCV_REGION_CORNERS = 12 };

/// An object on the table.
typedef struct {
    int32_t corners;                     // of its outline, clockwise; 0 if it is round
    double xy[2 * TCV_REGION_CORNERS];   // alternating x and y
    double x, y;                         // centroid of its area
    double area;                         // pixels
    double radius;                       // of the circle of the same area
    double misfit;                       // mean distance of its outline from these corners or this circle, pixels
    uint8_t rgb[4];                      // median colour, as on a white table in even light; last byte 0
} tcv_region;

/// Both photos are R, G, B of one size, taken by the same camera from the same place. `touches` receives the number
/// of regions omitted because they leave the picture; `table` (3 bytes) the empty table's median colour. Writes at
/// most `capacity`.
int tcv_regions_between(const uint8_t *empty, const uint8_t *laid, int width, int height, tcv_region *regions, int capacity,
                        int *count, int *touches, uint8_t *table);

#ifdef __cplusplus
}
#endif
#endif
