// Primitives for round spots on a uniform background. They decide nothing: every number is the caller's.
// Coordinates are pixels, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIPS_H
#define TABLESIGHT_CV_PIPS_H
#include "cv_image.h"
#ifdef __cplusplus
extern "C" {
#endif

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

/// Limits of a spot. "Sizes" are its expected diameter.
typedef struct {
    // Eight points around the place
    double nearer;            // the nearer ones: share of the box's edge
    int32_t least_around;     // difference of a point around, grey levels
    int32_t least_sides;      // points around that differ, of eight
    double first_size;        // size to start with, relative to the box
    // The rim, on sixteen rays
    double steps, least_step; // samples over the size, and their least distance in pixels
    double reach;             // of a ray; the next five relative to the size too
    double inner;             // spacing of the nine samples of the interior
    double outside_from, outside_to; // where a ray's exterior is looked for
    double rim_from;          // where the rim is looked for, and its least mean radius
    double least_rim;         // contrast, grey levels
    double rim_level;         // of the rim between interior and exterior
    double most_glint;        // a ray's exterior counts up to this above the usual one, grey levels
    double least_ray;         // contrast of a ray relative to the usual one
    int32_t least_rays;       // with a rim
    int32_t rounds;           // about the centre found last
    double settled;           // movement of the centre that ends the rounds, relative to the size
    // The ellipse
    double least_size;        // pixels
    double least_roundness, least_shorter; // shorter axis: relative to the longer one, and in pixels
    double noise;             // of a rim, pixels; not a misfit
    double most_misfit;       // radii
    // Colours
    double ring, ring_beyond; // where the ring lies: relative to the radius, plus pixels
    int32_t least_ring;       // of its twenty samples within the picture
    double inside;            // where the interior is sampled, relative to the radius
} tcv_pip_search;

/// The minimum channel of R, G, B.
int tcv_image_least(const tcv_image *from, tcv_image *to);

/// Places where `response` (8 bits) is the maximum of `side` × `side` pixels, exceeds `least`, and exceeds `other`
/// (null: not compared) times `factor`. Writes at most `most` pairs of x and y: those of the strongest.
int tcv_image_peaks(const tcv_image *response, int side, int least, const tcv_image *other, double factor, int most,
                    int32_t *xy, int *count);

/// The spots at `places` (pairs of x and y), where the mean over `box` × `box` pixels of `plane` is in `mean`. `found`
/// holds as many.
int tcv_pips_at(const tcv_image *plane, const tcv_image *mean, const tcv_image *colour, int is_dark, int box,
                const int32_t *xy, int places, const tcv_pip_search *search, tcv_pip *found, int *count);

/// The distance over which the colour `rgb` continues along each ray, in steps of a pixel: where `needed` samples in
/// turn differ by more than `tolerance`, or the ray's `most`. `beyond` receives the maximum channel difference from
/// `rgb` a pixel behind that end, 0 without an end. Rays skip the `hole_count` circles of `holes` (x, y, radius). Rays
/// and circles are in pixels of a picture `scale` times as large.
int tcv_image_runs(const tcv_image *picture, double scale, const tcv_ray *rays, int count, const uint8_t *rgb,
                   double tolerance, int needed, const double *holes, int hole_count, double *ends, double *beyond);

#ifdef __cplusplus
}
#endif
#endif
