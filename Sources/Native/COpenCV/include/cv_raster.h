// Raster operations for Imaging and overlays: channel order, size, rotation, drawing.
// Rasters are rows of 8-bit samples, top-left origin, no padding; `channels` is 1 (gray) or 3 (R, G, B).
// The caller owns every buffer. Coordinates are pixels, origin top-left, y down.
#ifndef TABLESIGHT_CV_RASTER_H
#define TABLESIGHT_CV_RASTER_H
#include "cv_status.h"
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Luma of an RGB raster (Rec. 601). `rgb` holds width*height*3 bytes, `gray` width*height.
int tcv_rgb_to_gray(const uint8_t *rgb, int width, int height, uint8_t *gray);

/// Blends R, G, B, A pixels with white, in place; alpha becomes 255. `stride` is the distance between rows in bytes.
/// `is_multiplied` is 1 for colours premultiplied by alpha.
int tcv_blend_on_white(uint8_t *rgba, int width, int height, size_t stride, int is_multiplied);

/// Replaces gray pixels of one value by white, in place. A PNG without alpha declares transparency by such a value.
int tcv_whiten(uint8_t *gray, int width, int height, size_t stride, int value);

/// Converts a decoded picture to an upright raster: scaled by area, rotated by EXIF orientation 1…8, without padding.
/// `pixels` has `channels` 1, 3 or 4 (the fourth is ignored), with rows `stride` bytes apart. `to_width` and
/// `to_height` are the upright raster's; `upright` holds to_width*to_height*to_channels bytes, to_channels 1 or 3.
int tcv_upright(const uint8_t *pixels, int width, int height, int channels, size_t stride, int orientation,
                uint8_t *upright, int to_width, int to_height, int to_channels);

/// Scales a raster by area.
int tcv_resize(const uint8_t *from, int width, int height, int channels, uint8_t *to, int to_width, int to_height);

/// Converts a raster to R, G, B, A pixels with alpha 255, with rows `stride` bytes apart.
int tcv_to_rgba(const uint8_t *from, int width, int height, int channels, uint8_t *rgba, size_t stride);

/// Draws straight lines into an RGB raster. `points` holds x, y of both ends of each of `count` lines; `rgb` is 0xRRGGBB.
int tcv_draw_lines(uint8_t *raster, int width, int height, const int32_t *points, int count, uint32_t rgb,
                   int thickness);

/// Fills a disc in an RGB raster.
int tcv_draw_disc(uint8_t *raster, int width, int height, int x, int y, int radius, uint32_t rgb);

/// The size of the drawn `text` (ASCII): its width, and its extent above and below the base line.
int tcv_text_size(const char *text, double scale, int thickness, int *text_width, int *ascent, int *descent);

/// Writes `text` (ASCII) into an RGB raster with its base line starting at (x, y).
int tcv_draw_text(uint8_t *raster, int width, int height, const char *text, int x, int y, double scale, int thickness,
                  uint32_t rgb);

#ifdef __cplusplus
}
#endif
#endif
