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

/// How pips are looked for. Every number is the caller's. "Sizes" are a pip's expected diameter.
typedef struct {
    // The pyramid
    int32_t long_side;        // longer side of the largest level, pixels
    double least_scale;       // raster pixels per pixel of that level, at least: smaller photos are enlarged
    int32_t least_side;       // a level with a longer side below this is the last
    double face_steps;        // pixels over a face at the level from which its colours are read, about
    // Places whose mean differs from the surroundings
    int32_t first_box, last_box; // edges of the means, odd; the first only at the largest level
    int32_t least_response;   // grey levels
    double more_than_grey;    // response in the minimum channel, relative to brightness
    int32_t most_places;      // of one level, box, plane and sign: the strongest
    double nearer;            // of the eight points around, the nearer ones: share of the box's edge
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
    // Ends of a colour along a ray
    double few_steps;         // a face of fewer pixels is small
    int32_t needed_of_few, needed; // samples of another colour that end it, for small and other faces
} tcv_pip_search;

/// Copies the raster (`channels` 1 or 3: R, G, B) and builds a pyramid of halves.
int tcv_pips_open(const uint8_t *pixels, int width, int height, int channels, const tcv_pip_search *search, tcv_pips **pips);
void tcv_pips_close(tcv_pips *pips);

/// All pips, in no order; one place may occur several times. Writes at most `capacity` and returns their number.
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
