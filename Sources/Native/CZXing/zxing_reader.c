#include "CZXing.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Values and handles of ZXing's C interface, version 3.
typedef struct view view;
typedef struct reader_options reader_options;
typedef struct barcode barcode;
typedef struct barcodes barcodes;
typedef int format;
typedef struct { int x, y; } corner;
typedef struct { corner top_left, top_right, bottom_right, bottom_left; } position;
enum { LUMINANCE = 0x01000000, PLAIN_TEXT = 0, REQUIRE_ADD_ON = 2 };

struct tzx_library {
    view *(*view_new)(const uint8_t *, int, int, int, int, int);
    void (*view_delete)(view *);
    reader_options *(*options_new)(void);
    void (*options_delete)(reader_options *);
    void (*set_harder)(reader_options *, bool);
    void (*set_rotate)(reader_options *, bool);
    void (*set_invert)(reader_options *, bool);
    void (*set_downscale)(reader_options *, bool);
    void (*set_formats)(reader_options *, const format *, int);
    void (*set_min_lines)(reader_options *, int);
    void (*set_text_mode)(reader_options *, int);
    void (*set_add_on)(reader_options *, int);
    void (*set_errors)(reader_options *, bool);
    format *(*formats_from)(const char *, int *);
    barcodes *(*read)(const view *, const reader_options *);
    void (*barcodes_delete)(barcodes *);
    int (*size)(const barcodes *);
    const barcode *(*at)(const barcodes *, int);
    bool (*is_valid)(const barcode *);
    format (*format_of)(const barcode *);
    char *(*text)(const barcode *);
    char *(*identifier)(const barcode *);
    position (*place)(const barcode *);
    int (*line_count)(const barcode *);
    char *(*format_name)(format);
    void (*release)(void *);
    const char *(*version)(void);
};

/// Loads one function; false if the library lacks it.
static bool find(void *handle, const char *name, void *function) {
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address);  // only POSIX converts data to function pointers
    return address != NULL;
}

const tzx_library *tzx_open(const char *path) {
    void *handle = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!handle) return NULL;
    tzx_library *l = calloc(1, sizeof *l);
    if (l && find(handle, "ZXing_ImageView_new", &l->view_new) && find(handle, "ZXing_ImageView_delete", &l->view_delete)
        && find(handle, "ZXing_ReaderOptions_new", &l->options_new)
        && find(handle, "ZXing_ReaderOptions_delete", &l->options_delete)
        && find(handle, "ZXing_ReaderOptions_setTryHarder", &l->set_harder)
        && find(handle, "ZXing_ReaderOptions_setTryRotate", &l->set_rotate)
        && find(handle, "ZXing_ReaderOptions_setTryInvert", &l->set_invert)
        && find(handle, "ZXing_ReaderOptions_setTryDownscale", &l->set_downscale)
        && find(handle, "ZXing_ReaderOptions_setFormats", &l->set_formats)
        && find(handle, "ZXing_ReaderOptions_setMinLineCount", &l->set_min_lines)
        && find(handle, "ZXing_ReaderOptions_setTextMode", &l->set_text_mode)
        && find(handle, "ZXing_ReaderOptions_setEanAddOnSymbol", &l->set_add_on)
        && find(handle, "ZXing_ReaderOptions_setReturnErrors", &l->set_errors)
        && find(handle, "ZXing_BarcodeFormatsFromString", &l->formats_from)
        && find(handle, "ZXing_ReadBarcodes", &l->read) && find(handle, "ZXing_Barcodes_delete", &l->barcodes_delete)
        && find(handle, "ZXing_Barcodes_size", &l->size) && find(handle, "ZXing_Barcodes_at", &l->at)
        && find(handle, "ZXing_Barcode_isValid", &l->is_valid) && find(handle, "ZXing_Barcode_format", &l->format_of)
        && find(handle, "ZXing_Barcode_text", &l->text)
        && find(handle, "ZXing_Barcode_symbologyIdentifier", &l->identifier)
        && find(handle, "ZXing_Barcode_position", &l->place) && find(handle, "ZXing_Barcode_lineCount", &l->line_count)
        && find(handle, "ZXing_BarcodeFormatToString", &l->format_name) && find(handle, "ZXing_free", &l->release)
        && find(handle, "ZXing_Version", &l->version) && strncmp(l->version(), "3.", 2) == 0)
        return l;
    free(l);
    dlclose(handle);
    return NULL;
}

const char *tzx_version(const tzx_library *library) { return library ? library->version() : ""; }

/// A copy of the library's text, so that free(3) never sees its allocator's memory.
static const char *taken(const tzx_library *l, char *text) {
    char *copy = text ? strdup(text) : NULL;
    l->release(text);
    return copy;
}

static reader_options *options_for(const tzx_library *l, tzx_options requested) {
    reader_options *options = l->options_new();
    if (!options) return NULL;
    l->set_harder(options, requested.try_harder);
    l->set_rotate(options, requested.try_rotate);
    l->set_invert(options, requested.try_invert);
    l->set_downscale(options, requested.try_downscale);
    l->set_text_mode(options, PLAIN_TEXT);  // without GS1 brackets, which are only printed
    if (requested.only_add_ons) l->set_add_on(options, REQUIRE_ADD_ON);
    l->set_errors(options, requested.with_broken);
    if (requested.min_lines > 0) l->set_min_lines(options, requested.min_lines);
    if (requested.formats) {
        int count = 0;
        format *formats = l->formats_from(requested.formats, &count);
        if (formats && count > 0) l->set_formats(options, formats, count);
        l->release(formats);
    }
    return options;
}

static tzx_symbol symbol_of(const tzx_library *l, const barcode *code, int step) {
    const position at = l->place(code);
    return (tzx_symbol){
        .format = taken(l, l->format_name(l->format_of(code))),
        .text = taken(l, l->text(code)),
        .identifier = taken(l, l->identifier(code)),
        .lines = l->line_count(code),
        .is_broken = !l->is_valid(code),
        .x = {at.top_left.x, at.top_right.x, at.bottom_right.x, at.bottom_left.x},
        .y = {at.top_left.y * step, at.top_right.y * step, at.bottom_right.y * step, at.bottom_left.y * step},
    };
}

tzx_symbols *tzx_scan(const tzx_library *l, const uint8_t *gray, int width, int height, tzx_options requested) {
    if (!l || !gray || width <= 0 || height <= 0) return NULL;
    tzx_symbols *found = calloc(1, sizeof *found);
    const int step = requested.row_step > 1 ? requested.row_step : 1;
    view *picture = l->view_new(gray, width, (height + step - 1) / step, LUMINANCE, width * step, 0);
    reader_options *options = options_for(l, requested);
    barcodes *codes = found && picture && options ? l->read(picture, options) : NULL;
    const int count = codes ? l->size(codes) : 0;
    if (count > 0) found->symbols = calloc((size_t)count, sizeof *found->symbols);
    for (int i = 0; found && found->symbols && i < count; i++) {
        const barcode *code = l->at(codes, i);
        if (!code || (!l->is_valid(code) && !requested.with_broken)) continue;
        const tzx_symbol symbol = symbol_of(l, code, step);
        found->symbols[found->count++] = symbol;
    }
    const bool failed = !picture || !options || !codes;
    if (codes) l->barcodes_delete(codes);
    if (options) l->options_delete(options);
    if (picture) l->view_delete(picture);
    if (failed) {
        tzx_symbols_free(found);
        return NULL;
    }
    return found;
}

void tzx_symbols_free(tzx_symbols *symbols) {
    if (!symbols) return;
    for (int i = 0; i < symbols->count; i++) {
        free((void *)symbols->symbols[i].format);
        free((void *)symbols->symbols[i].text);
        free((void *)symbols->symbols[i].identifier);
    }
    free(symbols->symbols);
    free(symbols);
}
