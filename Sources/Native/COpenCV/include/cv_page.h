// Page preparation for text: gray conversion, light correction, tilt, letter size, photo quality.
// Pages are rows of 8-bit samples, top-left origin, no padding; gray pages hold width*height bytes.
#ifndef TABLESIGHT_CV_PAGE_H
#define TABLESIGHT_CV_PAGE_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Measures of a photo's legibility.
typedef struct {
    double laplacian_deviation; ///< standard deviation of the Laplacian in the busiest tenth of the tiles, gray levels
    double blown_share;         ///< share of pixels at the top of the scale, 0…1
    double paper;               ///< the gray level that a quarter of the pixels exceed, 0…255
    double mean;                ///< mean gray level, 0…255
} tcv_photo_measures;

/// Measures of the text on an evenly lit page.
typedef struct {
    double letter_height; ///< median height of likely letters, pixels; 0 if there are none
    int letters;          ///< number of likely letters
    int beside;           ///< number of components close beside another of their height
    int stacked;          ///< number of components close above another of their width, as in sideways text
    double tilt;          ///< slope of the lines in degrees, positive down to the right (clockwise); 0 without lines
} tcv_print_measures;

/// Gray version of a raster with 1 (gray) or 3 (R, G, B) channels, scaled to `to_width`×`to_height`. `gray` holds
/// to_width*to_height bytes.
int tcv_page_gray(const uint8_t *samples, int width, int height, int channels, int to_width, int to_height,
                  uint8_t *gray);

/// Divides the page by its background, so that paper becomes white and shadows vanish. `radius` is the radius in
/// pixels of the largest stroke or letter to preserve. A mostly dark page (chalkboard, packet) is inverted first, and
/// `*inverted` becomes 1. `from` and `to` may be the same buffer.
int tcv_page_even_light(const uint8_t *from, int width, int height, int radius, uint8_t *to, int *inverted);

/// Letters and tilt of an evenly lit page with dark text.
int tcv_page_print(const uint8_t *gray, int width, int height, tcv_print_measures *print);

/// Warps a page of width×height by the affine `matrix` (2×3, row by row, source → target pixels) onto white paper of
/// to_width×to_height.
int tcv_page_warp(const uint8_t *gray, int width, int height, const double matrix[6], uint8_t *to, int to_width,
                  int to_height);

/// Sharpness, overexposure and brightness of a gray photo.
int tcv_page_photo(const uint8_t *gray, int width, int height, tcv_photo_measures *photo);

#ifdef __cplusplus
}
#endif
#endif
