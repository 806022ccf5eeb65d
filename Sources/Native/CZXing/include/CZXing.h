// ZXing-C++'s reader, opened at run time: the program starts, and reads barcodes, where the library is absent.
//
// Nothing here is ZXing's: these are the few calls that are used, gathered into one transaction (picture in, symbols out).
// Ownership: the caller owns the picture during the call, and the symbols until it frees them; a library stays open until
// the process ends. No call may be made on two threads at once with one tzx_symbols; tzx_scan itself may.
#ifndef TABLESIGHT_CZXING_H
#define TABLESIGHT_CZXING_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A loaded library and its functions.
typedef struct tzx_library tzx_library;

/// One symbol of a scan.
typedef struct {
    const char *format;      ///< ZXing's name of the symbology
    const char *text;        ///< UTF-8, ends with 0
    const char *identifier;  ///< AIM symbology identifier, "]C1"; empty where unknown
    int lines;               ///< scan lines that agree; 0 for matrix codes
    int x[4], y[4];          ///< top-left, top-right, bottom-right, bottom-left of the symbol, in pixels of the picture
} tzx_symbol;

typedef struct {
    int count;
    tzx_symbol *symbols;
} tzx_symbols;

/// What the reader spends its time on.
typedef struct {
    bool try_harder;     ///< many more scan lines
    bool try_rotate;     ///< quarter turns too
    bool try_invert;     ///< white on black too
    bool try_downscale;  ///< smaller pictures too
    int min_lines;       ///< scan lines of a linear code that must agree
    bool only_add_ons;   ///< retail codes with two or five digits beside them alone; these follow the text
    /// ZXing's names, separated by commas; null for all that the library was built with.
    const char *formats;
} tzx_options;

/// Opens the library at `path`, as dlopen(3) takes it. Null where it is absent, or lacks a function that is used.
const tzx_library *tzx_open(const char *path);

/// The library's version, "3.1.1". Lives as long as the process.
const char *tzx_version(const tzx_library *library);

/// Every valid symbol in a gray picture of 8-bit samples, rows from the top down without padding. Null for a wrong argument
/// or where memory ran out; else to be freed with tzx_symbols_free.
tzx_symbols *tzx_scan(
    const tzx_library *library, const uint8_t *gray, int width, int height, tzx_options options);

void tzx_symbols_free(tzx_symbols *symbols);

#ifdef __cplusplus
}
#endif
#endif
