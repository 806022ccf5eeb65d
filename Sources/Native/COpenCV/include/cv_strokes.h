// Primitives on drawn strokes and round outlines: thinning, directions, votes for lines, ellipses, bays. They decide
// nothing: every limit is a parameter of the caller.
// Coordinates are pixels, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_STROKES_H
#define TABLESIGHT_CV_STROKES_H
#include "cv_image.h"
#ifdef __cplusplus
extern "C" {
#endif

// Ellipses

typedef struct {
    float x, y;          // centre
    float width, height; // whole axes
    float angle;         // of the first axis, degrees
} tcv_ellipse;

enum { TCV_LEAST_SQUARES, TCV_DIRECT };
/// An ellipse through at least five points (x, y): by least squares (Fitzgibbon 1995) or by the direct method (1999),
/// which always gives an ellipse.
int tcv_ellipse_fit(const int32_t *xy, int count, int how, tcv_ellipse *ellipse);
// Masks

/// Thins the parts of a mask to lines of one pixel (Guo and Hall 1989). The outermost rows and columns must be 0.
int tcv_mask_thin(tcv_image *mask);
/// Distance of each pixel from the nearest one that is 0, 32-bit float.
int tcv_mask_depth(const tcv_image *mask, tcv_image *depth);
/// The pixels that are not 0, x and y one after the other, row by row. Writes at most `capacity` of them and returns
/// their number.
int tcv_mask_points(const tcv_image *mask, int32_t *xy, int capacity, int *count);
/// The number of these pixels and the sums of their coordinates.
int tcv_mask_sums(const tcv_image *mask, double *count, double *x, double *y);

/// A point of a thin line.
typedef struct {
    double x, y;
    double angle;        // of the line through it, 0…π
    double half;         // half of the stroke's width
    int32_t is_reliable; // 0 at a junction, where there is no angle
} tcv_place;

/// The places of a thinned mask, row by row. The angle is that of the principal axis of the pixels within `reach` in x
/// and y; it is reliable if there are `least_count` of them, and if the principal moments differ by more than
/// `least_share` of their sum. `depth` gives the stroke's half width, 1 if null. Writes at most `capacity`.
int tcv_mask_places(const tcv_image *mask, const tcv_image *depth, int reach, int least_count, double least_share,
                    tcv_place *places, int capacity, int *count);

// Lines through places

/// A line with limits: the point (x, y), a direction of length 1, the distance from the line, the turn from its
/// direction (radians, for reliable places), and the range along it.
typedef struct {
    double x, y, along_x, along_y;
    double reach, turn, from, to;
} tcv_corridor;

/// The indices of places within the limits.
int tcv_places_near(const tcv_place *places, int count, const tcv_corridor *corridor, int32_t *which, int *near);

/// Votes for lines by direction and distance from an origin (Hough): `bins` distances, the middle one 0, in each of
/// `turns` directions of half a turn. Reliable places vote for their direction and `window` on both sides.
typedef struct {
    double x, y; // origin
    double bin;  // pixels
    int32_t turns, bins, window;
} tcv_votes;

/// Adds `weight` to `counts` (turns × bins) for each place of `which` (all if null). `normals` holds x and y for each
/// direction.
int tcv_votes_add(const tcv_votes *votes, const double *normals, const tcv_place *places, const int32_t *which,
                  int count, int weight, int32_t *counts);
/// The first largest sum of two adjacent distances.
int tcv_votes_peak(const tcv_votes *votes, const int32_t *counts, int *turn, int *bin, int *sum);

// Outlines

/// A bay between an outline and its convex hull.
typedef struct {
    int32_t deepest; // index of its deepest point in the outline
    double depth;    // of that point, pixels
} tcv_bay;

/// The bays of an outline, the deepest first; at most as many as it has points.
int tcv_outline_bays(const int32_t *xy, int count, tcv_bay *bays, int *bay_count);

#ifdef __cplusplus
}
#endif
#endif
