// Detection of a 3×3 grid drawn as two lines in each direction, and of the marks on its squares.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_GRID_H
#define TABLESIGHT_CV_GRID_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// The content of one square. Lengths are in squares.
typedef struct {
    double x, y;          // centre of the content, in squares from the grid's top-left corner
    double width, height;
    double nought;        // how well a ring around bare background explains the ink, 0…1
    double cross;         // how well two strokes that cross in their middles explain it, 0…1
    double darkness;      // darkest ink relative to the grid's lines
    int32_t ink;          // number of its pixels in a working picture; 0 for an empty square
} tcv_grid_cell;

/// The four lines and the nine squares.
typedef struct {
    double matrix[9];     // squares → picture, row by row; the inner crossings are (1, 1), (2, 1), (2, 2), (1, 2)
    double quality;       // how well the four lines form such a grid, 0…1
    tcv_grid_cell cells[9];
} tcv_drawn_grid;

/// Searches for such a grid; `found` becomes 0 if there is none.
int tcv_grid_read(const uint8_t *pixels, int width, int height, int channels, tcv_drawn_grid *grid, int *found);

#ifdef __cplusplus
}
#endif
#endif
