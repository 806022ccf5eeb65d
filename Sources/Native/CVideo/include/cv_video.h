// Frames of a video file or a camera, through OpenCV's videoio, which is opened at run time and need not be installed:
// linking it would load some hundred and forty libraries at every start.
#ifndef TABLESIGHT_CV_VIDEO_H
#define TABLESIGHT_CV_VIDEO_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// 1 where OpenCV's videoio can be opened, 0 where it cannot.
int tcv_video_present(void);

/// An open source. Made by `tcv_video_open`, owned by the caller, freed with `tcv_video_close`. For one thread.
typedef struct tcv_video tcv_video;

/// Opens a file, or the camera of this number where `path` is null. NULL where it cannot be; `reason`, of at least 256
/// bytes, then says why. `fps` is what the source says of itself, 0 where it does not.
tcv_video *tcv_video_open(const char *path, int camera, double *fps, char *reason);

/// The next frame: `width` × `height` pixels of B, G, R, rows `stride` bytes apart; `milliseconds` since the beginning, as the
/// file says. The pixels belong to the source and are good until the next call. 0 at the end.
int tcv_video_next(tcv_video *video, const uint8_t **pixels, int *width, int *height, int *stride, double *milliseconds);

void tcv_video_close(tcv_video *video);

#ifdef __cplusplus
}
#endif
#endif
