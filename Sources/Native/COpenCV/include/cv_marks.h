// Detection of round marks in a photo, such as discs.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_MARKS_H
#define TABLESIGHT_CV_MARKS_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A prepared photo, made by `tcv_marks_open`, owned by the caller, freed with `tcv_marks_close`. Not thread-safe.
typedef struct tcv_marks tcv_marks;

/// An ellipse of one colour on a face of another.
typedef struct {
    double x, y;
    double longer, shorter;   // half axes, pixels
    double contrast;          // maximum channel difference between inside and ring, 0…255
    double unevenness;        // variation of the ring around it, 0…255
    double misfit;            // mean distance of its outline from the ellipse, in radii
    int32_t is_dark;          // 1 if it is darker than its surroundings
    uint8_t inside[4];        // median colour, R G B 0
    uint8_t around[4];        // of the ring beside it
} tcv_round_mark;

/// Copies the raster (`channels` 1 or 3: R, G, B) at a longer side of about `long_side` pixels.
int tcv_marks_open(const uint8_t *pixels, int width, int height, int channels, int long_side, tcv_marks **marks);
void tcv_marks_close(tcv_marks *marks);

/// Discs of up to a tenth of the picture, each once, best fit first. Writes at most `capacity` and returns their
/// number.
int tcv_marks_find(tcv_marks *marks, tcv_round_mark *found, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
