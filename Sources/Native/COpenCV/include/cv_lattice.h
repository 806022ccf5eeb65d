// Estimation of the squares on which tiles lie, from the tiles and from lines printed on a mat, if any.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_LATTICE_H
#define TABLESIGHT_CV_LATTICE_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double to_picture[9];     // (column, row), 0 at the outer edge of the first, → pixels, row by row
    int32_t columns, rows;    // of the printed squares; 0 if none are printed, and the squares begin at the first tiles
    double evidence;          // visible share of the printed squares' unoccluded edges, 0…1
    double misfit;            // root mean square distance of printed lines from the lattice, squares
} tcv_lattice;

/// `tiles`: at least two centres, alternating x and y. `size`: a tile's edge in pixels, within some 25 %. `angle`: of
/// the tiles' edges, radians, modulo a quarter turn. Columns run to the right and rows down, as far as the tiles'
/// direction allows. Returns TCV_E_ARGUMENT if the tiles do not lie on a common lattice.
int tcv_lattice_find(const uint8_t *pixels, int width, int height, int channels, const double *tiles, int count, double size,
                     double angle, tcv_lattice *lattice);

#ifdef __cplusplus
}
#endif
#endif
