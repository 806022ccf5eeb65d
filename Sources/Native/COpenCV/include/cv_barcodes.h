// OpenCV calls for barcodes that cannot be read as they are: size, contrast and turning of a gray plane.
// Planes are rows of 8-bit samples, top-left origin, no padding. `from` and `to` must not overlap.
#ifndef TABLESIGHT_CV_BARCODES_H
#define TABLESIGHT_CV_BARCODES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Another size: cubic where it grows, area mean where it shrinks. `to` holds to_width*to_height bytes.
int tcv_gray_resize(const uint8_t *from, int width, int height, uint8_t *to, int to_width, int to_height);

/// from + amount * (from - blurred), with a Gaussian of `sigma` pixels: sharper for a positive amount, the blurred plane
/// itself for -1. `to` holds width*height bytes.
int tcv_gray_unsharp(const uint8_t *from, int width, int height, double sigma, double amount, uint8_t *to);

/// Contrast evened out locally (CLAHE), in 8 × 8 tiles, with that clip limit. `to` holds width*height bytes.
int tcv_gray_even(const uint8_t *from, int width, int height, double clip, uint8_t *to);

/// A patch of parallel bars: a rectangle in axes that are turned by `angle` (radians, clockwise as one sees it) about the
/// picture's origin, so that the bars stand across the first axis. Pixels.
typedef struct {
    double angle;
    double from_along, to_along, from_across, to_across;
    double weight;  ///< squared gradients in it
} tcv_bars;

/// The patches where gradients agree on a direction, the strongest first, found on a picture of at most max_side.
/// `bars` holds `capacity`; `count` becomes how many were written.
int tcv_gray_bars(const uint8_t *from, int width, int height, int max_side, tcv_bars *bars, int capacity, int *count);

/// The rectangle of `bars`, upright, in to_width × to_height; the outside repeats the rim.
int tcv_gray_cut(
    const uint8_t *from, int width, int height, const tcv_bars *bars, uint8_t *to, int to_width, int to_height);

/// Each pixel between the darkest and the brightest of its row within `reach` pixels (an odd number) as 0…255.
int tcv_gray_stretch(const uint8_t *from, int width, int height, int reach, uint8_t *to);

/// The mean rows of `bands` horizontal bands, `rows` times each. `to` holds width*bands*rows bytes; bands ≤ height.
int tcv_gray_bands(const uint8_t *from, int width, int height, int bands, int rows, uint8_t *to);

#ifdef __cplusplus
}
#endif
#endif
