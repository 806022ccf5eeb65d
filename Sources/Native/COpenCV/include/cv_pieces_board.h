// A printed board in a photo: its markers, and the board as it looks from straight above.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIECES_BOARD_H
#define TABLESIGHT_CV_PIECES_BOARD_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Looks for `count` square markers: 6×6 cells, the outer ones black, the inner 4×4 as `words` say, row by row from the highest
/// bit on, 1 for white. `squares` holds each one's corners on the board, clockwise from the top-left, x and y in turns.
/// Two must be seen whole; of the others the corners that are seen count. `matrix` becomes the homography board → picture, row by
/// row; `residual` the root mean square of the corners' misfit in pixels; `uncertainty` the millimetres by which the worst place
/// between the markers may be off: 0 where twelve corners or more are seen, 1e9 where fewer than two markers are and the matrix is
/// not set.
int tcv_board_locate(const uint8_t *pixels, int width, int height, int channels, const uint16_t *words,
                     const double *squares, int count, double *matrix, double *residual, double *uncertainty);

/// Fills `out` (RGB, `out_width` × `out_height`) with what the raster shows where `matrix` (out → picture, row by row) says.
int tcv_board_warp(const uint8_t *pixels, int width, int height, int channels, const double *matrix, uint8_t *out,
                   int out_width, int out_height);

#ifdef __cplusplus
}
#endif
#endif
