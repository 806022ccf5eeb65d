// Faces of tiles and boards without markers: ink on a face, coloured spots on dark tiles, the outline of a board.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_TILES_H
#define TABLESIGHT_CV_TILES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// One connected part of a face's ink.
typedef struct {
    int32_t left, top, width, height;  // its box, pixels of the face
    int32_t area;                      // pixels
    int32_t label;                     // its number in the mask
    double x, y;                       // middle of its area
} tcv_ink_part;

/// What differs from the ground of a face (R, G, B, straightened). `mask` holds width*height bytes and becomes each pixel's part
/// (1…255, 0 for the ground); parts that touch the rim of `rim` pixels are left out: they are shadows and neighbours.
/// `contrast` becomes the median difference of ink and ground, 0…255.
int tcv_tile_ink(const uint8_t *face, int width, int height, int rim, uint8_t *mask, tcv_ink_part *parts, int capacity,
                 int *count, double *contrast);

enum { TCV_SPOT_SIDE = 48 };

/// A coloured spot on a dark ground.
typedef struct {
    double x, y;                       // middle of its area
    double size;                       // square root of its area, pixels
    double angle;                      // of the straight edges around it, radians, clockwise, modulo a quarter turn
    double agreement;                  // how far those edges agree on it, 0…1
    double darkness;                   // how much darker the ground around it is, 0…255
    uint8_t rgb[4];                    // median colour
    uint8_t mask[TCV_SPOT_SIDE * TCV_SPOT_SIDE]; // the spot turned back by `angle`, its box's longer side fills the square; 255 or 0
} tcv_spot;

/// Coloured spots, the largest first. Writes at most `capacity` and answers how many.
int tcv_spots_find(const uint8_t *pixels, int width, int height, int channels, tcv_spot *spots, int capacity, int *count);

/// Convex quadrangles that differ from what surrounds them and fill at least a tenth of the picture, one for each way to cut
/// them out: a board's shadow belongs to some and not to others. Corners clockwise from the top left, x and y in turns, 8 a
/// quadrangle; `residuals` the mean distance of their outlines from straight sides. Writes at most `capacity`.
int tcv_quads_find(const uint8_t *pixels, int width, int height, int channels, double *corners, double *residuals, int capacity,
                   int *count);

#ifdef __cplusplus
}
#endif
#endif
