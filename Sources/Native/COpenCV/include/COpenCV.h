// A C façade over the few OpenCV calls this program uses; C++ exceptions stop here.
//
// Every function copies in and out of buffers that the caller owns, or fills a handle that the caller frees with
// the function named beside it. Return values: 0 done, negative an error (see TCV_E…). Nothing throws.
// One header for each user, so that a stage sees what it may call:
#ifndef TABLESIGHT_COPENCV_H
#define TABLESIGHT_COPENCV_H
#include "cv_status.h"
#include "cv_raster.h"
#include "cv_barcodes.h"
#include "cv_lines.h"
#include "cv_page.h"
#include "cv_pieces.h"
#include "cv_pieces_board.h"
#include "cv_marks.h"
#include "cv_pips.h"
#include "cv_grid.h"
#include "cv_checkered.h"
#include "cv_tiles.h"
#include "cv_faces.h"
#include "cv_bars.h"
#include "cv_lattice.h"
#include "cv_teach.h"
#endif
