// A board of squares in two colours, found by the places where four squares meet: it needs no outline, its table may look like one
// of its colours. Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_CHECKERED_H
#define TABLESIGHT_CV_CHECKERED_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Where a board of `rows` by `columns` squares may lie: its corners clockwise from the one nearest to the top left, x and y in turns,
/// 8 a board; where the places that are seen leave open which squares they part, several. `residuals`: the mean distance of those
/// places from the board, pixels. Writes at most `capacity`, the one with most places first.
int tcv_checkered_find(const uint8_t *pixels, int width, int height, int channels, int rows, int columns, double *corners,
                     double *residuals, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
