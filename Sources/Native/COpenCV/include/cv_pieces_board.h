// Detection of a printed board by its markers, and its rectification to a view from above.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIECES_BOARD_H
#define TABLESIGHT_CV_PIECES_BOARD_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Searches for `count` square markers of 6×6 cells. The outer cells are black; `words` gives the inner 4×4 row by
/// row from the highest bit, 1 for white. `squares` holds each marker's corners on the board, clockwise from the
/// top-left, alternating x and y. Two markers must be completely visible; visible corners of the others are used too.
/// `matrix` becomes the homography board → picture, row by row. `residual` becomes the root mean square residual of
/// the corners in pixels. `uncertainty` becomes the maximum error between the markers in millimetres: 0 for twelve or
/// more visible corners. It is 1e9 for fewer than two markers, and `matrix` is then not set.
int tcv_board_locate(const uint8_t *pixels, int width, int height, int channels, const uint16_t *words,
                     const double *squares, int count, double *matrix, double *residual, double *uncertainty);

/// Fills `out` (RGB, `out_width` × `out_height`) from the raster by `matrix` (out → picture, row by row).
int tcv_board_warp(const uint8_t *pixels, int width, int height, int channels, const double *matrix, uint8_t *out,
                   int out_width, int out_height);

#ifdef __cplusplus
}
#endif
#endif
