// Segmentation of flat play pieces on a plain table: background, regions, straight outlines, edges.
// Coordinates are pixels of the given raster, origin at the centre of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIECES_H
#define TABLESIGHT_CV_PIECES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A prepared photo: its own copy of the pixels and of the table's brightness. Made by `tcv_pieces_open`, owned by
/// the caller, freed with `tcv_pieces_close`. Not thread-safe.
typedef struct tcv_pieces tcv_pieces;

/// A region of uniform colour whose outline is a triangle or a convex quadrangle.
typedef struct {
    int32_t corners;      // 3 or 4
    int32_t label;        // palette index of the colour that segmented it, -1 if contrast did
    double xy[8];         // corners clockwise as seen, alternating x and y
    double residual;      // root mean square distance of the region's outline from these sides, pixels
    double support;       // share of the outline within two working pixels of these sides, 0…1
    double fill;          // share of the polygon's interior that belongs to the region, 0…1
    double contrast;      // median difference from the table inside, 0…255
    double spread;        // median difference of the interior from its median colour, 0…255
    uint8_t rgb[4];       // median colour inside, as on a white table in even light; last byte 0
} tcv_piece_shape;

/// An edge point of an expected side in the full picture.
typedef struct {
    double x, y;
    double strength;      // colour step across the side, 0…255
    int32_t side;         // index of the side: from this corner to the next
    int32_t found;        // 0 if no edge was found; x and y are then the expected point
} tcv_piece_edge;

/// Copies the raster (`channels` 1 or 3: R, G, B), and estimates the table and its light on a copy of at most
/// `long_side` pixels. `palette` holds `palette_count` (at most 32) colours, 3 bytes each; 0 for pieces that colour
/// does not distinguish. `white_table` 1 attributes any tint of the table to the light, 0 only a slight one. `tint`
/// receives the table's tint 0…1: the difference between its maximum and minimum channel, divided by the maximum.
int tcv_pieces_open(const uint8_t *pixels, int width, int height, int channels, int long_side,
                    const uint8_t *palette, int palette_count, int white_table, tcv_pieces **prepared, double *tint);

/// The same for a white board in perspective. Shapes are segmented by the palette alone, in a view from above reduced
/// by `step`. Edges are then located in the picture itself. All coordinates are the view's (`view_width` ×
/// `view_height`); `matrix` is the homography view → picture, row by row. `palette_count` is at least 1.
int tcv_pieces_open_through(const uint8_t *pixels, int width, int height, int channels, const double *matrix,
                            int view_width, int view_height, int step, const uint8_t *palette, int palette_count,
                            tcv_pieces **prepared);
void tcv_pieces_close(tcv_pieces *prepared);

/// Regions with straight outlines at all contrast levels, so a piece may occur several times. Writes at most
/// `capacity` and returns their number.
int tcv_pieces_shapes(tcv_pieces *prepared, tcv_piece_shape *shapes, int capacity, int *count);

/// Quadrangles with a steep colour change around them and none inside, independent of the table's colour: shadows,
/// and tiles with low contrast. `contrast` is the colour step in the weakest half of a side; `rgb` is not set. Writes
/// at most `capacity` and returns their number; a piece may occur several times.
int tcv_pieces_enclosed(const tcv_pieces *prepared, tcv_piece_shape *shapes, int capacity, int *count);

/// Mean difference from the table, 0…255, in a grid of `columns` × `rows` cells over the picture, row by row.
int tcv_pieces_coarse(const tcv_pieces *prepared, int columns, int rows, uint8_t *values);

/// The largest region of a palette colour: evenly spaced points of its outline (alternating x and y) and its area in
/// pixels. Writes at most `capacity` points and returns their number; 0 if there is no such region.
int tcv_pieces_region(const tcv_pieces *prepared, int label, double *xy, int capacity, int *count, double *area);

/// If a palette colour's region contains two colours, for example a piece and a hand, keeps only the more similar
/// part. `narrowed` becomes 1 in that case.
int tcv_pieces_narrow(tcv_pieces *prepared, int label, int *narrowed);

/// Shares of a palette colour and of bare table inside a convex polygon, 0…1.
int tcv_pieces_inside(const tcv_pieces *prepared, const double *xy, int corners, int label, double *own, double *bare);

/// Locates each side of a convex polygon (corners clockwise) within `reach` pixels across it, at `samples` places per
/// side. Writes corners*samples edges.
int tcv_pieces_edges(const tcv_pieces *prepared, const double *xy, int corners, double reach, int samples,
                     tcv_piece_edge *edges);

#ifdef __cplusplus
}
#endif
#endif
