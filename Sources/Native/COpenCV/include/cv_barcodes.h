// OpenCV calls for barcode decode attempts: size, contrast and rotation of a gray plane.
// Planes are rows of 8-bit samples, top-left origin, no padding. `from` and `to` must not overlap.
#ifndef TABLESIGHT_CV_BARCODES_H
#define TABLESIGHT_CV_BARCODES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Scales with cubic interpolation when enlarging, and by area mean when reducing. `to` holds to_width*to_height
/// bytes.
int tcv_gray_resize(const uint8_t *from, int width, int height, uint8_t *to, int to_width, int to_height);

/// Unsharp mask: from + amount * (from - blurred), with a Gaussian of `sigma` pixels. An amount of -1 gives the
/// blurred plane. `to` holds width*height bytes.
int tcv_gray_unsharp(const uint8_t *from, int width, int height, double sigma, double amount, uint8_t *to);

/// Local contrast equalisation (CLAHE) in 8 × 8 tiles with this clip limit. `to` holds width*height bytes.
int tcv_gray_even(const uint8_t *from, int width, int height, double clip, uint8_t *to);

/// A patch of parallel bars: a rectangle in axes rotated by `angle` (radians, clockwise as seen) about the picture's
/// origin. The bars are perpendicular to the first axis. Pixels.
typedef struct {
    double angle;
    double from_along, to_along, from_across, to_across;
    double weight;  ///< sum of its squared gradients, in pixels of the picture
} tcv_bars;

/// How bars are searched for: on a picture with sides of at most `side`, in windows of `window` pixels, where gradients
/// agree on one direction by more than `coherence` (0…1) and are at least `strength` of the strongest (0…1).
typedef struct {
    int side, window;
    double coherence, strength;
} tcv_bar_scale;

/// The patches with one dominant gradient direction, strongest first. `bars` holds `capacity`; `count` receives the
/// number written.
int tcv_gray_bars(const uint8_t *from, int width, int height, const tcv_bar_scale *scale, tcv_bars *bars, int capacity,
                  int *count);

/// The rectangle of `bars`, rotated upright, at to_width × to_height; outside the picture the rim is repeated.
int tcv_gray_cut(
    const uint8_t *from, int width, int height, const tcv_bars *bars, uint8_t *to, int to_width, int to_height);

/// Stretches each pixel to 0…255 between the minimum and maximum of its row within `reach` pixels (an odd number).
int tcv_gray_stretch(const uint8_t *from, int width, int height, int reach, uint8_t *to);

/// The mean rows of `bands` horizontal bands, each repeated `rows` times. `to` holds width*bands*rows bytes; bands ≤
/// height.
int tcv_gray_bands(const uint8_t *from, int width, int height, int bands, int rows, uint8_t *to);

#ifdef __cplusplus
}
#endif
#endif
