// Line geometry for text: the input of a line detector, lines from its map, and rectified line images.
// Rasters are rows of 8-bit samples, top-left origin, no padding, `channels` 1 (gray) or 3 (R, G, B). A point is x, y
// in pixels; the centre of the top-left pixel is (0.5, 0.5).
#ifndef TABLESIGHT_CV_LINES_H
#define TABLESIGHT_CV_LINES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TCV_SPINE_POINTS = 33 };

/// A line extracted from the detector's map.
typedef struct {
    double score;       ///< mean of the map inside the line's contour, 0…1
    int32_t is_bent;    ///< 1: `spine` and `height` give its shape; 0: `corners` do
    double corners[8];  ///< of the enclosing rectangle, enlarged as the detector needs it; clockwise, any first corner
    double spine[2 * TCV_SPINE_POINTS]; ///< centre line of a curved line, from left to right (down, if steep)
    double height;      ///< of a curved line, across the spine
} tcv_text_line;

/// The raster scaled to to_width×to_height by linear interpolation, as in the detector's training; same channels.
int tcv_lines_picture(const uint8_t *samples, int width, int height, int channels, int to_width, int to_height,
                      uint8_t *picture);

/// The networks' input: the window (x, y, window_width×window_height) of a raster, as blue, green and red planes,
/// each value (v / 255 - 0.5) / 0.5. `planes` holds 3*window_width*window_height floats.
int tcv_lines_input(const uint8_t *samples, int width, int height, int channels, int x, int y, int window_width,
                    int window_height, float *planes);

/// Extracts lines from a detector's map of map_width×map_height probabilities. Regions above `threshold` are kept if
/// the mean inside their contour is at least `least_score`. They grow by `unclip` (area × unclip ÷ perimeter on each
/// side). Coordinates are pixels of a page of page_width×page_height. Writes at most `capacity` lines and returns
/// their number.
int tcv_lines_find(const float *map, int map_width, int map_height, double threshold, double least_score, double unclip,
                   int page_width, int page_height, tcv_text_line *lines, int capacity, int *count);

/// Rectifies the quadrangle (clockwise from the text's top-left) to to_width×to_height with the raster's channels.
int tcv_lines_straighten(const uint8_t *samples, int width, int height, int channels, const double corners[8],
                         int to_width, int to_height, uint8_t *image);

/// How a text is printed.
typedef struct {
    uint8_t ink[3];    ///< mean R, G, B of the half of its pixels that differ most from the ground
    uint8_t ground[3]; ///< mean R, G, B around the letters
    float stroke;      ///< four times the mean depth of the letters' pixels, as a share of the box's height: about the
                       ///< strokes' width and a sixteenth; 0 if there is no contrast
} tcv_ink;

/// The ink of `count` texts, each inside a quadrangle (8 numbers, clockwise from the text's top-left). The two classes of
/// brightness (Otsu 1979) are ink and ground; the ground is what more of the box's rim shows.
int tcv_lines_ink(const uint8_t *samples, int width, int height, int channels, const double *quadrangles, int count,
                  tcv_ink *inks);

/// Rectifies the band of `band` pixels around a spine of `points` points to to_width×to_height.
int tcv_lines_unbend(const uint8_t *samples, int width, int height, int channels, const double *spine, int points,
                     double band, int to_width, int to_height, uint8_t *image);

#ifdef __cplusplus
}
#endif
#endif
