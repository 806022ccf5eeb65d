// Primitives on pictures: size, colour, smoothing, masks, outlines, edges, sampling. They decide nothing: every level,
// size and count is a parameter of the caller.
//
// Pictures are owned by the caller. `from` and `to` may be the same picture where it is said. Coordinates are pixels,
// origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_IMAGE_H
#define TABLESIGHT_CV_IMAGE_H
#include "cv_status.h"
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TCV_U8, TCV_S16, TCV_S32, TCV_F32 };

/// A rectangle of pixels in the caller's memory: rows of `width` pixels of `channels` samples, `stride` bytes apart.
typedef struct {
    void *samples;
    int32_t width, height;
    int32_t channels; // 1, or 3: R, G, B
    int32_t depth;    // of a sample: TCV_U8 …
    size_t stride;
} tcv_image;

/// A rectangle of whole pixels.
typedef struct {
    int32_t x, y, width, height;
} tcv_box;

// Size and colour

enum { TCV_LINEAR, TCV_AREA, TCV_CUBIC, TCV_NEAREST };

/// Scales `from` to the size of `to`.
int tcv_image_scale(const tcv_image *from, tcv_image *to, int how);
/// Converts R, G, B to grey (Rec. 601), or grey to R, G, B.
int tcv_image_convert(const tcv_image *from, tcv_image *to);
/// Fills `to` by the homography `matrix` (to → from, row by row) with linear, cubic or nearest interpolation. The rim
/// is repeated, or 0 beyond it.
int tcv_image_warp(const tcv_image *from, tcv_image *to, const double matrix[9], int how, int is_repeated);
/// The same for an affine `matrix` (2×3), linear; the rim is repeated.
int tcv_image_warp_affine(const tcv_image *from, tcv_image *to, const double matrix[6]);
/// The maximum channel of R, G, B, and its difference from the minimum channel.
int tcv_image_chroma(const tcv_image *from, tcv_image *most, tcv_image *chroma);
/// The maximum channel difference of R, G, B from one colour, truncated to 0…255.
int tcv_image_difference(const tcv_image *from, const double rgb[3], tcv_image *to);
/// The same between shares of the channels' sum, times `factor`: hue, without brightness. A sum below `least_sum`
/// counts as that. Pixels brighter than `brighter` times the colour differ by at least `if_brighter`.
int tcv_image_hue_difference(const tcv_image *from, const double rgb[3], double factor, double least_sum,
                             double brighter, double if_brighter, tcv_image *to);
/// `to` = `one` − `other`, 0 where that is larger.
int tcv_image_subtract(const tcv_image *one, const tcv_image *other, tcv_image *to);
/// Counts of the values of each channel, 256 numbers a channel, where `mask` (null for everywhere) is not 0.
int tcv_image_histogram(const tcv_image *from, const tcv_image *mask, int32_t *counts);

// Smoothing and gradients

/// Gaussian blur with a kernel of `side` pixels.
int tcv_image_blur(const tcv_image *from, tcv_image *to, int side);
/// Mean over `side` × `side` pixels.
int tcv_image_mean(const tcv_image *from, tcv_image *to, int side);
/// Sobel's first derivatives, 16 bits signed.
int tcv_image_gradients(const tcv_image *from, tcv_image *dx, tcv_image *dy);
/// Canny's edges of a grey picture, 255 or 0.
int tcv_image_edges(const tcv_image *from, tcv_image *to, double low, double high);
/// Canny's edges of gradients, by their Euclidean norm; of several channels the steepest counts.
int tcv_image_edges_of(const tcv_image *dx, const tcv_image *dy, tcv_image *to, double low, double high);

/// Direction modulo a quarter turn of gradients in a box, outside of `excluded`: sums of the squared gradients times
/// cosine and sine of four times their angle, and of the squared gradients; those below `least` do not count.
int tcv_gradients_direction(const tcv_image *dx, const tcv_image *dy, const tcv_image *excluded, tcv_box box,
                            double least, double sums[3]);

// Masks: 8 bits, 0 or 255

/// 255 where `from` exceeds `level`.
int tcv_mask_above(const tcv_image *from, double level, tcv_image *to);
/// 255 where `from` has this value.
int tcv_mask_equal(const tcv_image *from, int value, tcv_image *to);
/// Limits of brightness (the maximum channel) and chroma (its difference from the minimum channel).
typedef struct {
    double least_value, least_chroma; // exceeded
    double least_share, most_share;   // of the chroma in the brightness; exceeded, not reached
    double least_of_mean;             // share of the mean chroma around it; exceeded
} tcv_saturation;
/// 255 within the limits. `mean` is the chroma around each pixel, or null.
int tcv_mask_saturation(const tcv_image *value, const tcv_image *chroma, const tcv_image *mean,
                        const tcv_saturation *limits, tcv_image *to);
/// Otsu's threshold of an 8-bit picture.
int tcv_mask_otsu(const tcv_image *from, double *level);
/// 255 where `from` is darker than the mean of its `side` × `side` pixels by more than `by`.
int tcv_mask_darker(const tcv_image *from, int side, double by, tcv_image *to);
/// The number of pixels that are not 0.
int tcv_mask_count(const tcv_image *mask, int32_t *count);
/// `to` = `one` and not `other`.
int tcv_mask_without(const tcv_image *one, const tcv_image *other, tcv_image *to);
/// `to` = `one` and `other`.
int tcv_mask_both(const tcv_image *one, const tcv_image *other, tcv_image *to);

enum { TCV_ERODE, TCV_DILATE, TCV_OPEN, TCV_CLOSE };
enum { TCV_RECTANGLE, TCV_CROSS, TCV_ELLIPSE };
/// Morphology with a brush of `side` pixels; `from` and `to` may be the same. The picture's rim
/// counts as 0 if `is_isolated`, else it does not count.
int tcv_mask_morph(const tcv_image *from, tcv_image *to, int operation, int brush, int side, int is_isolated);
/// Sets the pixels of a convex polygon (`count` pairs of whole x and y) to `value`.
int tcv_mask_fill_convex(tcv_image *mask, const int32_t *xy, int count, int value);
/// Sets the pixels of an outline and its inside to 255; the outline is moved by (dx, dy).
int tcv_mask_fill(tcv_image *mask, const int32_t *xy, int count, int dx, int dy);

/// A connected part of a mask.
typedef struct {
    tcv_box box;
    int32_t area;
    double x, y; // centroid
} tcv_part;

/// Labels (32 bits, 1…) the parts of a mask joined by 4 or 8 neighbours. Writes at most `capacity` parts, the first is
/// label 1, and returns the number of all.
int tcv_mask_parts(const tcv_image *mask, int neighbours, tcv_image *labels, tcv_part *parts, int capacity, int *count);

// Outlines

/// The outlines of a mask, owned by the caller, freed with `tcv_outlines_close`.
typedef struct tcv_outlines tcv_outlines;

enum { TCV_OUTER, TCV_HOLES, TCV_ALL, TCV_PARTS };
/// Outlines of the outermost parts, of the holes in all parts, of both, or of all parts; every pixel, moved by (dx,
/// dy).
int tcv_outlines_open(const tcv_image *mask, int which, int dx, int dy, tcv_outlines **outlines);
void tcv_outlines_close(tcv_outlines *outlines);
int tcv_outlines_count(const tcv_outlines *outlines);
/// One outline: `count` pairs of x and y, valid until closing.
const int32_t *tcv_outline(const tcv_outlines *outlines, int index, int *count);

/// The convex hull of `count` points, at most as many; `hull` holds as many numbers as `xy`.
int tcv_outline_hull(const int32_t *xy, int count, int32_t *hull, int *hull_count);
/// Douglas and Peucker's approximation of a closed outline.
int tcv_outline_simplified(const int32_t *xy, int count, double tolerance, int32_t *few, int *few_count);
/// A line through points (x, y): direction of length 1, and a point on it. The pull of a point is constant beyond
/// `turn` pixels (Huber).
int tcv_line_through(const float *xy, int count, double turn, float line[4]);

// Sampling

/// Samples of all channels at `count` places (x, y), bilinear; `values` holds count × channels numbers. A place without
/// four pixels around it gives −1, or the nearest ones' value if `is_clamped`.
int tcv_image_samples(const tcv_image *image, const double *places, int count, int is_clamped, double *values);
/// Response of the ring operator for junctions of four fields (Bennett and Lasenby 2014) on a ring of sixteen pixels;
/// 0 where the sums of opposite quarters differ by less than `least`.
int tcv_image_junctions(const tcv_image *grey, double radius, int least, tcv_image *response);
/// Maxima over `side` × `side` pixels of at least `least`, `rim` pixels from the picture's rim: x, y, value, row by
/// row. x and y are the centroid over 5 × 5 pixels. Returns the number of all.
int tcv_image_maxima(const tcv_image *response, int side, float least, int rim, double *xyv, int capacity, int *count);

// The light on a table

/// Sums for a least-squares fit of a quadratic surface to the pixels within `reach` of the current one. `surface` holds
/// 6 coefficients of 1, x, y, xy, x², y² for each of R, G, B; x and y run −1…1. `normal` (6 × 6) and `right` (6 × 3)
/// receive the sums, `median` the median difference of these pixels from the surface, `count` their number.
int tcv_surface_sums(const tcv_image *image, const double surface[18], double reach, double normal[36],
                     double right[18], double *median, int *count);

enum { TCV_LIGHT_IGNORED, TCV_LIGHT_BY_CHANNEL, TCV_LIGHT_COMMON };
/// Divides by the surface so that it becomes `target`; light below `darkest` counts as that. `difference` receives the
/// maximum channel difference from the surface.
int tcv_surface_even(const tcv_image *image, const double surface[18], int how, float target, float darkest,
                     tcv_image *difference, tcv_image *even);
/// `to` = table[R / 8][G / 8][B / 8] of 32³ bytes.
int tcv_image_lookup(const tcv_image *image, const uint8_t *table, tcv_image *to);
/// The boxes of labels 1…`count` of an 8-bit picture; width 0 for an absent label.
int tcv_label_boxes(const tcv_image *labels, int count, tcv_box *boxes);

// Channels and shares

/// Gaussian blur by a standard deviation in pixels.
int tcv_image_smooth(const tcv_image *from, tcv_image *to, double deviation);
/// One channel of a picture: 0 is red.
int tcv_image_channel(const tcv_image *from, int channel, tcv_image *to);
/// `to` = `from`, at least `least`.
int tcv_image_at_least(const tcv_image *from, double least, tcv_image *to);
/// `to` = `factor` · `one` / `other`.
int tcv_image_share(const tcv_image *one, const tcv_image *other, double factor, tcv_image *to);
// Sums of pixels, and steps of colour across lines

/// Sums of the pixels above and to the left of each pixel's corner, 32 bits; larger than `from` by a row and a column.
int tcv_image_sums(const tcv_image *from, tcv_image *sums);
/// Strips on both sides of a line, in pixels from it. The step across the line is the distance between the mean
/// colours of both near strips, or of the seam and the mean of both wide strips, whichever is larger.
typedef struct {
    int32_t near_from, near_to; // exclusive, as the next one
    int32_t wide_from, wide_to;
    int32_t seam; // half its width
} tcv_strips;
/// The steps across `count` lines of three channels from the line `first`, a pixel apart, upright or level. A line runs
/// `from`…`to` (exclusive) and is cut into `parts`; the step with this `rank` in rising order counts. 0 for a line
/// whose strips leave the picture.
int tcv_sums_steps(const tcv_image *sums, const tcv_strips *strips, int is_upright, int first, int count, int from,
                   int to, int parts, int rank, double *steps);
/// The rotated rectangle of least area around points: centre (x, y), width, height.
int tcv_outline_box(const int32_t *xy, int count, double box[4]);

#ifdef __cplusplus
}
#endif
#endif
