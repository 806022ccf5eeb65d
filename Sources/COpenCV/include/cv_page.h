// OpenCV calls for the page of a raster.
#ifndef TABLESIGHT_CV_PAGE_H
#define TABLESIGHT_CV_PAGE_H
#include "cv_status.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif
