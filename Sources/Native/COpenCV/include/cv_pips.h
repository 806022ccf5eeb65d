// Pips in a photo, of any size, and how far the even ground around them reaches.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIPS_H
#define TABLESIGHT_CV_PIPS_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// One photo at halving sizes. Made by `tcv_pips_open`, owned by the caller, freed with `tcv_pips_close`. Not for two threads at
/// once.
typedef struct tcv_pips tcv_pips;

/// A spot with a rim all around it at about one distance.
typedef struct {
    double x, y;
    double xx, xy, yy;        // its ellipse: points p with pᵀ M⁻¹ p = 1 about the middle, square pixels
    double contrast;          // greatest channel difference of inside and ring, 0…255
    double unevenness;        // how much the ring around it varies, 0…255
    double misfit;            // mean distance of its rim from the ellipse, in radii
    int32_t is_dark;          // 1 where it is darker than what is around it
    uint8_t inside[4];        // median colour, R G B 0
    uint8_t around[4];        // of the ring beside it
} tcv_pip;

/// A straight way from a place: direction of length 1, and how far to look, pixels.
typedef struct {
    double x, y, dx, dy, most;
} tcv_ray;

/// Copies the raster (`channels` 1 or 3: R, G, B) at about `long_side` pixels and at halves of it.
int tcv_pips_open(const uint8_t *pixels, int width, int height, int channels, int long_side, tcv_pips **pips);
void tcv_pips_close(tcv_pips *pips);

/// Pips, each once, the best first. Writes at most `capacity` and answers how many.
int tcv_pips_find(const tcv_pips *pips, tcv_pip *found, int capacity, int *count);

/// How far along each ray the colour `rgb` lasts: the distance at which it differs by more than `tolerance` for good, or the
/// ray's `most`. `beyond`, where given, gets the greatest channel difference from `rgb` shortly after that end, 0 where there is
/// none. `side` is about how large the face is, pixels: the looking is as fine as it asks. `holes` holds `hole_count` places
/// (x, y, radius) that are looked over.
int tcv_pips_ends(const tcv_pips *pips, const tcv_ray *rays, int count, const uint8_t *rgb, double tolerance, double side,
                  const double *holes, int hole_count, double *ends, double *beyond);

/// The median colour, R G B, of a face of about `side` pixels at `count` places (x, y).
int tcv_pips_colour(const tcv_pips *pips, const double *places, int count, double side, uint8_t *rgb);

/// What lies about nine places of a face of about `side` pixels, turned upright: `size` × `size` colours (R, G, B, 0…255), row by row,
/// from −`reach` to `reach` steps right and down of the middle. `lattice` holds the middle, one step across and one down (x, y each).
/// Beyond the photo its rim goes on.
int tcv_pips_patch(const tcv_pips *pips, const double *lattice, double side, double reach, int size, float *rgb);

#ifdef __cplusplus
}
#endif
#endif
