// Detection of oblong tiles by the bar across their middle, for touching tiles and tiles of low contrast.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_BARS_H
#define TABLESIGHT_CV_BARS_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A bar and the tile around it.
typedef struct {
    double x, y;          // centre of the tile and of the bar
    double angle;         // of the tile's longer edge, radians, clockwise
    double longer;        // edges of the tile, pixels
    double shorter;
    double bar;           // length of the bar, pixels
    double contrast;      // between the bar and its background, 0…255
    double strength;      // colour step of the weakest edge, 0…255, plus a small share of the others'
    double pips;          // how well the pips of both halves are centred, 0…2
} tcv_barred_tile;

/// Tiles with a length of `aspect` times their width, most certain first. `side` is the shorter edge in pixels if
/// known, else 0; it is then estimated from the bars. Bars on the `known_count` quadrangles (8 numbers each) are
/// ignored. Writes at most `capacity` tiles and returns their number.
/// `scale`: raster pixels per working pixel. `plane`: in which bars are ink; a channel 0…2, or −1 for brightness.
int tcv_barred_tiles(const uint8_t *pixels, int width, int height, int channels, double scale, int plane, double aspect, double side,
                     const double *known, int known_count, tcv_barred_tile *tiles, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
