// Oblong tiles that are found by the bar across their middle, where tile and table are alike or tiles touch.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_BARS_H
#define TABLESIGHT_CV_BARS_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A bar and the tile about it.
typedef struct {
    double x, y;          // middle of the tile, which is the bar's
    double angle;         // of the tile's longer edge, radians, clockwise
    double longer;        // its edges, pixels
    double shorter;
    double bar;           // length of the bar, pixels
    double contrast;      // of the bar and the ground beside it, 0…255
    double strength;      // the weakest edge's colour step, 0…255, with a little of the others'
    double pips;          // how well the pips of both halves lie about their middles, 0…2
} tcv_barred_tile;

/// Tiles `aspect` times as long as wide, the surest first. `side` is the shorter edge where others say it, else 0: then it is what
/// most bars' tiles show. Bars on the `known_count` quadrangles (8 numbers each) are left out. Writes at most `capacity` and answers
/// how many.
int tcv_barred_tiles(const uint8_t *pixels, int width, int height, int channels, double aspect, double side, const double *known,
                     int known_count, tcv_barred_tile *tiles, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
