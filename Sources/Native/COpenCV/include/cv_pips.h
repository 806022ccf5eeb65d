// Detection of pips of any size, and of the uniform background around them.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIPS_H
#define TABLESIGHT_CV_PIPS_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// An image pyramid of one photo, made by `tcv_pips_open`, owned by the caller, freed with `tcv_pips_close`. Not
/// thread-safe.
typedef struct tcv_pips tcv_pips;

/// A spot with a closed rim at a nearly constant radius.
typedef struct {
    double x, y;
    double xx, xy, yy;        // its ellipse: points p with pᵀ M⁻¹ p = 1 about the centre, square pixels
    double contrast;          // maximum channel difference between inside and ring, 0…255
    double unevenness;        // variation of the ring around it, 0…255
    double misfit;            // mean distance of its rim from the ellipse, in radii
    int32_t is_dark;          // 1 if it is darker than its surroundings
    uint8_t inside[4];        // median colour, R G B 0
    uint8_t around[4];        // of the ring beside it
} tcv_pip;

/// A ray: start, direction of length 1, and maximum length in pixels.
typedef struct {
    double x, y, dx, dy, most;
} tcv_ray;

/// Copies the raster (`channels` 1 or 3: R, G, B) at about `long_side` pixels, and builds a pyramid of halves.
int tcv_pips_open(const uint8_t *pixels, int width, int height, int channels, int long_side, tcv_pips **pips);
void tcv_pips_close(tcv_pips *pips);

/// Pips, each once, best first. Writes at most `capacity` and returns their number.
int tcv_pips_find(const tcv_pips *pips, tcv_pip *found, int capacity, int *count);

/// The distance over which the colour `rgb` continues along each ray: where it permanently differs by more than
/// `tolerance`, or the ray's `most`. `beyond`, if not null, receives the maximum channel difference from `rgb`
/// shortly behind that end, 0 without an end. `side` is the approximate size of the face in pixels, which selects the
/// resolution. Rays skip the `hole_count` circles of `holes` (x, y, radius).
int tcv_pips_ends(const tcv_pips *pips, const tcv_ray *rays, int count, const uint8_t *rgb, double tolerance, double side,
                  const double *holes, int hole_count, double *ends, double *beyond);

/// The median colour, R G B, of a face of about `side` pixels at `count` places (x, y).
int tcv_pips_colour(const tcv_pips *pips, const double *places, int count, double side, uint8_t *rgb);

/// The rectified patch around a face's lattice: `size` × `size` colours (R, G, B, 0…255), row by row, from −`reach`
/// to `reach` steps from its centre. `side` is the approximate size of the face in pixels. `lattice` holds the
/// centre, one step across and one down (x, y each). Outside the photo the rim is repeated.
int tcv_pips_patch(const tcv_pips *pips, const double *lattice, double side, double reach, int size, float *rgb);

#ifdef __cplusplus
}
#endif
#endif
