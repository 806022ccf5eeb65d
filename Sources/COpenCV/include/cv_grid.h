// A grid of three by three that was drawn as two lines each way, and what was drawn on its squares.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_GRID_H
#define TABLESIGHT_CV_GRID_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// What was drawn on one square. Lengths are in squares.
typedef struct {
    double x, y;          // middle of it, in squares from the grid's top-left corner
    double width, height;
    double enclosed;      // area of the ground that it encloses, over that of its box
    double middle;        // share of ink within a sixth of its size of its middle
    double around;        // share of directions from its middle in which there is ink
    double evenness;      // spread of the ink's distances from the middle over their mean
    int32_t strokes;      // its ink in working pixels; 0 for an empty square
} tcv_grid_cell;

/// The four lines and what they part.
typedef struct {
    double matrix[9];     // squares → picture, row by row; the inner crossings are (1, 1), (2, 1), (2, 2), (1, 2)
    double support;       // share of the four lines on which there is ink, 0…1
    double bend;          // mean distance of their ink from straight lines, in squares
    tcv_grid_cell cells[9];
} tcv_drawn_grid;

/// Looks for such a grid; `found` becomes 0 where there is none.
int tcv_grid_read(const uint8_t *pixels, int width, int height, int channels, tcv_drawn_grid *grid, int *found);

#ifdef __cplusplus
}
#endif
#endif
