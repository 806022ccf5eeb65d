// Page work for text: gray, even light, tilt, size of the print, quality of the photo.
// Pages are rows of 8-bit samples, top-left origin, no padding; gray pages hold width*height bytes.
#ifndef TABLESIGHT_CV_PAGE_H
#define TABLESIGHT_CV_PAGE_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// What the photo itself says about how well it can be read.
typedef struct {
    double laplacian_deviation; ///< standard deviation of the Laplacian, gray levels, on the strongest tenth of the tiles
    double blown_share;         ///< share of pixels at the top of the scale, 0…1
    double paper;               ///< the gray level that a quarter of the pixels surpass, 0…255
    double mean;                ///< mean gray level, 0…255
} tcv_photo_measures;

/// The print on an evenly lit page.
typedef struct {
    double letter_height; ///< median height of what looks like letters, pixels; 0 where nothing does
    int letters;          ///< how many such components there are
    int beside;           ///< how many of all components stand close beside another of their height
    int stacked;          ///< how many stand close above another of their width, as letters of sideways print do
    double tilt;          ///< degrees that the lines run down to the right (clockwise); 0 where there is no line
} tcv_print_measures;

/// Gray version of a raster with 1 (gray) or 3 (R, G, B) channels, scaled to `to_width`×`to_height`.
/// `gray` holds to_width*to_height bytes.
int tcv_page_gray(const uint8_t *samples, int width, int height, int channels, int to_width, int to_height,
                  uint8_t *gray);

/// Divides the page by its background, so that paper becomes white and shadows vanish. `radius` is that of the
/// largest stroke or letter that must survive, in pixels. Where most of the page is dark (chalkboard, packet),
/// it is inverted first, and `*inverted` becomes 1. `from` and `to` may be the same buffer.
int tcv_page_even_light(const uint8_t *from, int width, int height, int radius, uint8_t *to, int *inverted);

/// Letters and tilt of an evenly lit page with dark print.
int tcv_page_print(const uint8_t *gray, int width, int height, tcv_print_measures *print);

/// The affine map of a page of width×height through `matrix` (2×3, row by row, source → target pixels) onto white
/// paper of to_width×to_height.
int tcv_page_warp(const uint8_t *gray, int width, int height, const double matrix[6], uint8_t *to, int to_width,
                  int to_height);

/// Sharpness, blown-out spots and brightness of a gray photo.
int tcv_page_photo(const uint8_t *gray, int width, int height, tcv_photo_measures *photo);

#ifdef __cplusplus
}
#endif
#endif
