// What lies on a table in one photo and not in another of the same table.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_TEACH_H
#define TABLESIGHT_CV_TEACH_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TCV_REGION_CORNERS = 12 };

/// Something that was laid on the table.
typedef struct {
    int32_t corners;                     // of its outline, clockwise; 0 where it is round
    double xy[2 * TCV_REGION_CORNERS];   // x and y in turns
    double x, y;                         // middle of its area
    double area;                         // pixels
    double radius;                       // of the circle of the same area
    double misfit;                       // mean distance of its outline from these corners or this circle, pixels
    uint8_t rgb[4];                      // median colour as it would be on a white table in even light; last byte 0
} tcv_region;

/// Both photos are R, G, B of one size, taken by the same camera from the same place. `touches` becomes how many regions were
/// left out because they run out of the picture; `table` (3 bytes) the empty table's median colour. Writes at most `capacity`.
int tcv_regions_between(const uint8_t *empty, const uint8_t *laid, int width, int height, tcv_region *regions, int capacity,
                        int *count, int *touches, uint8_t *table);

#ifdef __cplusplus
}
#endif
#endif
