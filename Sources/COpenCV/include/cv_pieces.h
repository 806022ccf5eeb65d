// OpenCV calls for the pieces of a raster.
#ifndef TABLESIGHT_CV_PIECES_H
#define TABLESIGHT_CV_PIECES_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif
