// ZXing-C++'s reader, opened at run time. The program also starts and reads barcodes without the library.
//
// The functions combine ZXing's calls into one transaction: picture in, symbols out. Ownership: the caller owns the
// picture during the call, and the symbols until it frees them. A library stays open until the process ends. One
// tzx_symbols must not be used by two threads at once; tzx_scan itself is thread-safe.
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
    const char *text;        ///< UTF-8, null-terminated
    const char *identifier;  ///< AIM symbology identifier, "]C1"; empty if unknown
    int lines;               ///< scan lines that agree; 0 for matrix codes
    bool is_broken;          ///< seen, but its content does not agree with its checks
    int x[4], y[4];          ///< top-left, top-right, bottom-right, bottom-left of the symbol, in pixels of the picture
} tzx_symbol;

typedef struct {
    int count;
    tzx_symbol *symbols;
} tzx_symbols;

/// Options of the reader.
typedef struct {
    bool try_harder;     ///< many more scan lines
    bool try_rotate;     ///< also quarter turns
    bool try_invert;     ///< also white on black
    bool try_downscale;  ///< also smaller pictures
    int row_step;        ///< 2: every second row only, for linear codes; 0 and 1: every row
    int min_lines;       ///< minimum number of agreeing scan lines of a linear code
    bool only_add_ons;   ///< only retail codes with an add-on of two or five digits; it follows the text
    bool with_broken;    ///< also symbols that cannot be decoded
    /// ZXing's names, separated by commas; null for all formats of the library.
    const char *formats;
} tzx_options;

/// Opens the library at `path`, as dlopen(3) takes it. Null if it is missing or lacks a function.
const tzx_library *tzx_open(const char *path);

/// The library's version, "3.1.1". Valid as long as the process runs.
const char *tzx_version(const tzx_library *library);

/// Every symbol in a gray picture of 8-bit samples, rows from the top down without padding. Null for an invalid
/// argument or if memory runs out; else the caller frees it with tzx_symbols_free.
tzx_symbols *tzx_scan(
    const tzx_library *library, const uint8_t *gray, int width, int height, tzx_options options);

void tzx_symbols_free(tzx_symbols *symbols);

#ifdef __cplusplus
}
#endif
#endif
