// Pixel work for the recognition of flat play pieces on a plain table: background, blobs, straight outlines, edges.
// Coordinates are pixels of the given raster, origin at the middle of the top-left pixel, x right, y down.
#ifndef TABLESIGHT_CV_PIECES_H
#define TABLESIGHT_CV_PIECES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// One photo prepared for the search: its own copy of the pixels and of the table's brightness.
/// Made by `tcv_pieces_open`, owned by the caller, freed with `tcv_pieces_close`. Not for two threads at once.
typedef struct tcv_pieces tcv_pieces;

/// A region of even colour whose outline is a triangle or a convex quadrangle.
typedef struct {
    int32_t corners;      // 3 or 4
    int32_t label;        // number of the palette colour that it was cut out by, -1 where it was cut out by contrast
    double xy[8];         // corners clockwise as seen, x and y in turns
    double residual;      // root mean square distance of the region's outline from these sides, pixels
    double support;       // share of the outline within two working pixels of these sides, 0…1
    double fill;          // share of the polygon's inside that belongs to the region, 0…1
    double contrast;      // median difference from the table inside, 0…255
    double spread;        // median difference of the inside from its median colour, 0…255
    uint8_t rgb[4];       // median colour inside as it would be on a white table in even light; last byte 0
} tcv_piece_shape;

/// A place where an expected side was found in the full picture.
typedef struct {
    double x, y;
    double strength;      // colour step across the side, 0…255
    int32_t side;         // number of the side: from this corner to the next
    int32_t found;        // 0 where no edge was found; x and y are then those expected
} tcv_piece_edge;

/// Copies the raster (`channels` 1 or 3: R, G, B), finds the table and its light on a copy of at most `long_side` pixels.
/// `palette` holds `palette_count` (at most 32) colours, 3 bytes each; 0 for pieces that colour does not tell apart.
/// `white_table` 1 takes any tint of the table for the light's, 0 only a slight one. `tint` is the table's: the difference of
/// its brightest and dullest channel over the brightest, 0…1.
int tcv_pieces_open(const uint8_t *pixels, int width, int height, int channels, int long_side,
                    const uint8_t *palette, int palette_count, int white_table, tcv_pieces **sheet, double *tint);

/// The same for a white board that the picture shows from anywhere: shapes are cut out by the palette alone, of a view from above
/// at a `step`th of its size, and edges are then found in the picture itself. All places are the view's (`view_width` ×
/// `view_height`); `matrix` is the homography view → picture, row by row. `palette_count` is 1 at least.
int tcv_pieces_open_through(const uint8_t *pixels, int width, int height, int channels, const double *matrix,
                            int view_width, int view_height, int step, const uint8_t *palette, int palette_count,
                            tcv_pieces **sheet);
void tcv_pieces_close(tcv_pieces *sheet);

/// Regions with straight outlines at all contrast levels, so the same piece comes several times.
/// Writes at most `capacity` and answers how many.
int tcv_pieces_shapes(tcv_pieces *sheet, tcv_piece_shape *shapes, int capacity, int *count);

/// Quadrangles that no steep change of colour crosses and one surrounds, whatever the table around them looks like: shadows, and
/// tiles hardly unlike the table. `contrast` is the colour step in the weakest half of a side, `rgb` is not told.
/// Writes at most `capacity` and answers how many; the same piece comes several times.
int tcv_pieces_enclosed(const tcv_pieces *sheet, tcv_piece_shape *shapes, int capacity, int *count);

/// Mean difference from the table, 0…255, with the picture cut into `columns` × `rows` parts, row by row.
int tcv_pieces_coarse(const tcv_pieces *sheet, int columns, int rows, uint8_t *values);

/// The largest region of a palette colour: points of its outline (x and y in turns, evenly taken) and its area in pixels.
/// Writes at most `capacity` points and answers how many; 0 where the colour is nowhere.
int tcv_pieces_region(const tcv_pieces *sheet, int label, double *xy, int capacity, int *count, double *area);

/// Leaves a palette colour only those of its places that are nearer to it, where what was taken for it has two colours: a piece and a
/// hand. `narrowed` becomes 1 where that is so.
int tcv_pieces_narrow(tcv_pieces *sheet, int label, int *narrowed);

/// What a convex polygon shows inside: the shares of a palette colour and of bare table, 0…1.
int tcv_pieces_inside(const tcv_pieces *sheet, const double *xy, int corners, int label, double *own, double *bare);

/// Looks for each side of a convex polygon (corners clockwise) within `reach` pixels across it, at `samples` places a side.
/// Writes corners*samples edges.
int tcv_pieces_edges(const tcv_pieces *sheet, const double *xy, int corners, double reach, int samples,
                     tcv_piece_edge *edges);

#ifdef __cplusplus
}
#endif
#endif
