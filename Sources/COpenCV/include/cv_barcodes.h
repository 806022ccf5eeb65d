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

/// Turned clockwise by `degrees` about the centre, onto a plane of to_width × to_height with the same centre; the outside
/// repeats the rim.
int tcv_gray_turn(const uint8_t *from, int width, int height, double degrees, uint8_t *to, int to_width, int to_height);

/// Contrast evened out locally (CLAHE), in 8 × 8 tiles, with that clip limit. `to` holds width*height bytes.
int tcv_gray_even(const uint8_t *from, int width, int height, double clip, uint8_t *to);

#ifdef __cplusplus
}
#endif
#endif
