// Raster work for Imaging and for overlays: channel order, size, turning, drawing.
// Rasters are rows of 8-bit samples, top-left origin, no padding: `channels` 1 (gray) or 3 (R, G, B).
// All buffers are the caller's; sizes in pixels.
#ifndef TABLESIGHT_CV_RASTER_H
#define TABLESIGHT_CV_RASTER_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Luma of an RGB raster (Rec. 601). `rgb` holds width*height*3 bytes, `gray` width*height.
int tcv_rgb_to_gray(const uint8_t *rgb, int width, int height, uint8_t *gray);

/// Leptonica's 32-bit words (red in the highest byte, `words_per_line` words a row) to RGB.
int tcv_words_to_rgb(const uint32_t *words, int words_per_line, int width, int height, uint8_t *rgb);

/// RGB to leptonica's 32-bit words, `words_per_line` words a row.
int tcv_rgb_to_words(const uint8_t *rgb, int width, int height, uint32_t *words, int words_per_line);

/// Brings a raster upright from its EXIF orientation 1…8. Orientations 5…8 swap width and height of `to`.
int tcv_upright(const uint8_t *from, int width, int height, int channels, int orientation, uint8_t *to);

/// Makes a raster smaller by averaging areas.
int tcv_shrink(const uint8_t *from, int width, int height, int channels, uint8_t *to, int to_width, int to_height);

/// Draws a closed outline of `count` corners (x, y pairs) into an RGB raster.
int tcv_draw_outline(uint8_t *rgb, int width, int height, const double *corners, int count, const uint8_t colour[3],
                     int thickness);

/// Writes one line of ASCII at the corner (x, y) of an RGB raster on a filled ground, moved so far that it lies inside.
int tcv_draw_caption(uint8_t *rgb, int width, int height, const char *text, int x, int y, const uint8_t ground[3],
                     double scale);

#ifdef __cplusplus
}
#endif
#endif
