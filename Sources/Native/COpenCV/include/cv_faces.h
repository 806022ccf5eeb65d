// Faces of tiles that differ too little from the table to be cut out by contrast: found by what is written on them.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_FACES_H
#define TABLESIGHT_CV_FACES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A mark of ink with even ground around it, and the square that the picture's faint steps show about it.
typedef struct {
    double x, y;      // middle of the mark's box
    double size;      // longer side of the mark's box, pixels
    double contrast;  // of the mark, 0…255
    double cx, cy;    // middle of the square
    double side;      // edge of the square, pixels; 0 where no square was found
    double angle;     // of the square, radians, clockwise, modulo a quarter turn
    double strength;  // the weakest side's step over the noise of its profile
} tcv_face_square;

/// Marks of the size of letters on tiles, the largest first. Those within one of the `known_count` quadrangles (`known`: four
/// corners, x and y in turns) are left out. `side` says how long a tile's edge is, pixels; 0 where that is not known.
int tcv_face_squares(const uint8_t *pixels, int width, int height, int channels, const double *known, int known_count, double side,
                     tcv_face_square *squares, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
