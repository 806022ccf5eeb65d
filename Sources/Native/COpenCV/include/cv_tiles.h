// Faces of tiles, and boards without markers: ink on a face, coloured spots on dark tiles, the outline of a board.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
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
    double x, y;                       // centroid of its area
} tcv_ink_part;

/// Segments the ink of a rectified face (R, G, B). `mask` holds width*height bytes and receives each pixel's part
/// (1…255, 0 for the background). Parts that touch the rim of `rim` pixels are omitted, because they are shadows and
/// neighbours. `contrast` receives the median difference between ink and background, 0…255.
int tcv_tile_ink(const uint8_t *face, int width, int height, int rim, uint8_t *mask, tcv_ink_part *parts, int capacity,
                 int *count, double *contrast);

enum { TCV_SPOT_SIDE = 48 };

/// A coloured spot on a dark background.
typedef struct {
    double x, y;                       // centroid of its area
    double size;                       // square root of its area, pixels
    double angle;                      // of the straight edges around it, radians, clockwise, modulo a quarter turn
    double agreement;                  // agreement of those edges on the angle, 0…1
    double darkness;                   // how much darker the background around it is, 0…255
    uint8_t rgb[4];                    // median colour
    uint8_t mask[TCV_SPOT_SIDE * TCV_SPOT_SIDE]; // 255 or 0: the spot rotated back by `angle`; its box fills the square
} tcv_spot;

/// Coloured spots, largest first. Writes at most `capacity` and returns their number.
int tcv_spots_find(const uint8_t *pixels, int width, int height, int channels, tcv_spot *spots, int capacity, int *count);

/// Convex quadrangles that differ from their surroundings and fill at least a tenth of the picture, one for each
/// segmentation: some include a board's shadow. Corners clockwise from the top left, alternating x and y, 8 numbers
/// per quadrangle. `residuals`: the mean distance of their outlines from straight sides. Writes at most `capacity`.
int tcv_quads_find(const uint8_t *pixels, int width, int height, int channels, double *corners, double *residuals, int capacity,
                   int *count);

#ifdef __cplusplus
}
#endif
#endif
