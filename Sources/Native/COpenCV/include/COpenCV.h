// A C façade over the OpenCV calls of this program. No C++ exception crosses it.
//
// Every function copies between buffers owned by the caller, or returns a handle that the caller frees with the
// function named beside it. Return values: 0 on success, negative on error (see TCV_E…).
// One header per client, so that each stage sees only its own calls:
#ifndef TABLESIGHT_COPENCV_H
#define TABLESIGHT_COPENCV_H
#include "cv_status.h"
#include "cv_raster.h"
#include "cv_barcodes.h"
#include "cv_lines.h"
#include "cv_page.h"
#include "cv_pips.h"
#include "cv_image.h"
#include "cv_strokes.h"
#endif
