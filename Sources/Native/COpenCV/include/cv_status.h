// The return values of every façade function.
#ifndef TABLESIGHT_CV_STATUS_H
#define TABLESIGHT_CV_STATUS_H
enum {
    TCV_OK = 0,
    TCV_E_ARGUMENT = -1,  // an invalid size, pointer or channel count
    TCV_E_OPENCV = -2,    // OpenCV threw; nothing was written
    TCV_E_MEMORY = -3,
};
#endif
