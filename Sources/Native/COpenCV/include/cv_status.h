// The answers every façade function gives.
#ifndef TABLESIGHT_CV_STATUS_H
#define TABLESIGHT_CV_STATUS_H
enum {
    TCV_OK = 0,
    TCV_E_ARGUMENT = -1,  // a size, pointer or channel count that cannot be
    TCV_E_OPENCV = -2,    // OpenCV threw; nothing was written
    TCV_E_MEMORY = -3,
};
#endif
