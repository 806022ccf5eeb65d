// Reads an EAN-13 (or a UPC-A, which is an EAN-13 with a leading zero), an EAN-8 or a UPC-E from bars that are too blurred to
// have edges.
//
// The brightness across the bars is compared with templates of whole numbers: blurred bars of an unknown blur and width,
// under uneven light, on a bent surface. The number whose template explains the brightness best wins; how much better it
// is than the second is its margin. Method: Gallo and Manduchi, "Reading 1D Barcodes with Mobile Phones Using Deformable
// Templates" (2011). Plain arithmetic over memory of the caller: no library, no file, no global state that changes. The
// same patch gives the same result on every processor: no fused multiplication, and sums run in one order.
#ifndef TABLESIGHT_CBARTEMPLATES_H
#define TABLESIGHT_CBARTEMPLATES_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
    TBAR_OK = 0,
    TBAR_NO_BARS = 1,      // the patch does not look like the bars of a code; most patches of print do not
    TBAR_E_ARGUMENT = -1, // a null pointer, a size out of range, ends outside the patch, or too small a workspace
};
enum {
    TBAR_DIGITS = 13,
    TBAR_LEAST_WIDTH = 200, TBAR_MOST_WIDTH = 640,   // pixels of a patch; about four a module are best
    TBAR_LEAST_HEIGHT = 12, TBAR_MOST_HEIGHT = 200,
    TBAR_BANDS = 7,
    TBAR_CHECKED_BANDS = 15,
    TBAR_MOST_READINGS = 6, // one of each pass
};

/// Which attempt gave a reading, in the order in which they run.
typedef enum {
    TBAR_PLAIN = 0,   // this and the next three: an EAN-13
    TBAR_INVERSE = 1, // white bars on black
    TBAR_ADD_ON = 2,  // two or five digits follow the code
    TBAR_BENT = 3,    // the bars are wider at one side than at the other, or in the middle
    TBAR_EAN8 = 4,    // plain
    TBAR_UPCE = 5,
    TBAR_PASSES,
} tbar_pass;

/// With which reading of a pass the passes end: it leaves at most so much unexplained and has at least this margin.
typedef struct { float unexplained, margin; } tbar_limits;

/// The number that explains a patch best, with what an acceptance rule needs.
typedef struct {
    int8_t digits[TBAR_DIGITS], second[TBAR_DIGITS]; // the best and the second number, as printed, from the first
    int32_t count;         // digits of the number: 13, or 8 of an EAN-8 or a UPC-E
    int32_t pass;          // tbar_pass
    int32_t bands;         // bands along the bars, of TBAR_BANDS, in which any number fits
    int32_t agreeing;      // bands that give the best number on their own
    float unexplained;     // share 0…1 of the variance that the template leaves, mean of the bands
    float margin;          // mean over the bands of ln(error of the second number) - ln(error of the best)
    float invalid;         // the same for the best number with a wrong check digit: how much better that fits; 0 if worse
    float quiet;           // standard deviation of the quiet zones, 1 as much as from white to black
    float framed;          // the same beside one line at each end, as of a frame
    float contrast;        // least contrast inside the code, as a share of the largest, median of the bands
    float blur, growth;    // of the best band, modules: Gaussian sigma, and by how much bars are wider than drawn
    float from, to;        // ends of the code in the patch, pixels
} tbar_reading;

/// Bytes of the workspace that tbar_read needs, aligned to 64 bytes.
int64_t tbar_workspace_size(void);

/// Reads a patch of upright bars, rows of 8-bit samples without padding, whose first and last bar are at about `from`
/// and `to` (pixels; a quiet zone of a fifth of the width should be visible beside both).
///
/// Passes run until one gives a reading within its limits, of TBAR_PASSES in `enough`. `readings` holds TBAR_MOST_READINGS;
/// `count` receives how many were written. The work is bounded: about a quarter of a second.
int tbar_read(const uint8_t *patch, int width, int height, float from, float to, const tbar_limits *enough,
              void *workspace, int64_t workspace_size, tbar_reading *readings, int32_t *count);

/// What a patch says about a number that was read there.
typedef struct {
    int32_t bands, rivals;      // bands of TBAR_CHECKED_BANDS, looked at closely, that the number explains; that another does
    float mixture;              // share 0…1 by which two digits look like others, median of these bands
    float band;                 // the largest such share of a band that another number explains
    int32_t is_confirmed;       // 1 if the bands are those of the number
    // If no band shows the number: bands with the bars of twelve digits, how far the edges inside these lie from the
    // number's (modules), and by how much their widths differ, each in the best band.
    int32_t seen;
    float misplacement, unevenness;
    int8_t rival[TBAR_DIGITS];  // the valid number of which most is mixed in; it differs in two digits
} tbar_doubt;

/// Compares a patch with the template of the number that something else read there. Two digits must be damaged for a wrong
/// number with a valid check digit, and damage seldom replaces bars completely: the bars are then a mixture of both.
///
/// Cheap: nothing is searched. Arguments are those of tbar_read, but `from` and `to` are exact to a module or two.
int tbar_check(const uint8_t *patch, int width, int height, float from, float to, const int8_t digits[TBAR_DIGITS],
               void *workspace, int64_t workspace_size, tbar_doubt *doubt);

#ifdef __cplusplus
}
#endif
#endif
