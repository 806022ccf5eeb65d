// Frames of a video file or a camera through OpenCV's videoio, which is opened at run time and optional. Linking it
// would load some hundred and forty libraries at every start.
#ifndef TABLESIGHT_CV_VIDEO_H
#define TABLESIGHT_CV_VIDEO_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// 1 if OpenCV's videoio can be opened, else 0.
int tcv_video_present(void);

/// An open source. Made by `tcv_video_open`, owned by the caller, freed with `tcv_video_close`. For one thread.
typedef struct tcv_video tcv_video;

/// Opens a file, or the camera of this number if `path` is null. Returns NULL on failure; `reason`, of at least 256
/// bytes, then explains it. `fps` receives the declared frame rate, 0 if there is none.
tcv_video *tcv_video_open(const char *path, int camera, double *fps, char *reason);

/// Reads the next frame: `width` × `height` pixels of B, G, R, with rows `stride` bytes apart. `milliseconds` is the
/// file's time since its beginning. The pixels belong to the source and are valid until the next call. Returns 0 at
/// the end.
int tcv_video_next(tcv_video *video, const uint8_t **pixels, int *width, int *height, int *stride, double *milliseconds);

void tcv_video_close(tcv_video *video);

#ifdef __cplusplus
}
#endif
#endif
