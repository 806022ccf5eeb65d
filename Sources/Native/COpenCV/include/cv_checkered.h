// Detection of a two-coloured board by the junctions of four squares. It needs no outline and works on a table of
// either colour.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_CHECKERED_H
#define TABLESIGHT_CV_CHECKERED_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Candidate boards of `rows` by `columns` squares: corners clockwise from the one nearest to the top left,
/// alternating x and y, 8 numbers per board. There are several if the visible junctions are ambiguous. `residuals`:
/// mean distance of the junctions from the board, pixels. Writes at most `capacity`, the one with most junctions
/// first.
int tcv_checkered_find(const uint8_t *pixels, int width, int height, int channels, int rows, int columns, double *corners,
                     double *residuals, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
