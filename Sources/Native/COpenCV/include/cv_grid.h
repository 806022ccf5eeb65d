// A grid of three by three that was drawn as two lines each way, and what was drawn or laid on its squares.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_GRID_H
#define TABLESIGHT_CV_GRID_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// What is on one square. Lengths are in squares.
typedef struct {
    double x, y;          // middle of it, in squares from the grid's top-left corner
    double width, height;
    double nought;        // how well a ring around bare ground explains its ink, 0…1
    double cross;         // how well two strokes that cross in their middles explain it, 0…1
    double darkness;      // its darkest ink over that of the grid's lines
    int32_t ink;          // pixels of it in a working picture; 0 for an empty square
} tcv_grid_cell;

/// The four lines and what they part.
typedef struct {
    double matrix[9];     // squares → picture, row by row; the inner crossings are (1, 1), (2, 1), (2, 2), (1, 2)
    double quality;       // how far the four lines are such a grid, 0…1
    tcv_grid_cell cells[9];
} tcv_drawn_grid;

/// Looks for such a grid; `found` becomes 0 where there is none.
int tcv_grid_read(const uint8_t *pixels, int width, int height, int channels, tcv_drawn_grid *grid, int *found);

#ifdef __cplusplus
}
#endif
#endif
