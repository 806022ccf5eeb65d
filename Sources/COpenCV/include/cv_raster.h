// Raster work for Imaging and for overlays: channel order, size, turning, drawing.
// Rasters are rows of 8-bit samples, top-left origin, no padding: `channels` 1 (gray) or 3 (R, G, B).
#ifndef TABLESIGHT_CV_RASTER_H
#define TABLESIGHT_CV_RASTER_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// Luma of an RGB raster (Rec. 601). `rgb` holds width*height*3 bytes, `gray` width*height.
int tcv_rgb_to_gray(const uint8_t *rgb, int width, int height, uint8_t *gray);

#ifdef __cplusplus
}
#endif
#endif
