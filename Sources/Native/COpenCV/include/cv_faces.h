// Detection of tile faces with low contrast to the table, by their glyphs.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_FACES_H
#define TABLESIGHT_CV_FACES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A mark of ink on a uniform background, and the square around it that faint steps show.
typedef struct {
    double x, y;      // centre of the mark's box
    double size;      // longer side of the mark's box, pixels
    double contrast;  // of the mark, 0…255
    double cx, cy;    // centre of the square
    double side;      // edge of the square, pixels; 0 if no square was found
    double angle;     // of the square, radians, clockwise, modulo a quarter turn
    double strength;  // the weakest side's step divided by the noise of its profile
} tcv_face_square;

/// Marks of the size of letters on tiles, largest first. Marks within the `known_count` quadrangles (`known`: four
/// corners, alternating x and y) are ignored. `side` is a tile's edge in pixels, 0 if unknown.
int tcv_face_squares(const uint8_t *pixels, int width, int height, int channels, const double *known, int known_count, double side,
                     tcv_face_square *squares, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
