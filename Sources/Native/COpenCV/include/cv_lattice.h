// The squares on which tiles lie: from the tiles' own places, and from lines printed on a mat where there are any.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_LATTICE_H
#define TABLESIGHT_CV_LATTICE_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double to_picture[9];     // (column, row), 0 at the outer edge of the first, → pixels, row by row
    int32_t columns, rows;    // of the printed squares; 0 where none are printed, and the squares then begin at the first tiles
    double evidence;          // share of the printed squares' free edges that are seen, 0…1
    double misfit;            // root mean square distance of printed lines from the lattice, squares
} tcv_lattice;

/// `tiles`: middles, x and y in turns, at least two. `size`: a tile's edge, pixels, to some 25 %. `angle`: of the tiles' edges,
/// radians, modulo a quarter turn. Columns run to the right and rows down, as far as the tiles' direction allows.
/// TCV_E_ARGUMENT where the tiles lie in no common squares.
int tcv_lattice_find(const uint8_t *pixels, int width, int height, int channels, const double *tiles, int count, double size,
                     double angle, tcv_lattice *lattice);

#ifdef __cplusplus
}
#endif
#endif
