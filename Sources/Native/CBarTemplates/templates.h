// Inside CBarTemplates: the parts of the decoder and the workspace that they share.
#ifndef TABLESIGHT_TEMPLATES_H
#define TABLESIGHT_TEMPLATES_H
#include "CBarTemplates.h"

// Eight lanes where the processor has them; the same sums on every processor.
#if defined(__x86_64__) && defined(__linux__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif
#pragma STDC FP_CONTRACT OFF

enum {
    MODULES = 95,               // of an EAN-13
    DIGITS = 12,                // that have bars of their own; the first digit is the parity of the left six
    LEFT = 6,                   // digits before the centre guard
    EDGES = 60,                 // of 30 bars
    SHAPES = 30,                // of a digit: odd (L) 0…9, even (G) 10…19, right (R) 20…29
    LANES = 32,                 // shapes, rounded up to whole vectors
    QUIET = 4,                  // modules of the quiet zones that the templates contain
    SAMPLES = 4,                // a module, where numbers are compared
    SPAN = (MODULES + 2 * QUIET) * SAMPLES,
    SHAPE_SPAN = 14 * SAMPLES,  // from 3.5 modules before a digit to 3.5 after it
    BEST = 5,                   // numbers that a list holds
    SLICES = 3,                 // whole height, upper and lower half
    LIKELY_BANDS = 6,
    MOST_ENDS = 5,
    MOST_STARTS = 12,
    GRID = 48,                  // positions of either end in the search for starts, at most
    START_SAMPLES = 3,          // a module, in that search
    START_SPAN = (MODULES + 4) * START_SAMPLES,
    NORMAL_STEPS = 64,          // of the table of the normal distribution, a unit
    NORMAL_REACH = 5,
};

/// The first module of digit 0…11.
static inline int digit_start(int digit) { return 3 + 7 * digit + (digit >= LEFT ? 5 : 0); }

/// A number: the digit that is printed before the code, then the twelve that have bars.
typedef struct { int8_t digits[TBAR_DIGITS]; } number;

/// The share of the normal distribution below z, and its density, by a table.
typedef struct { float below[2 * NORMAL_REACH * NORMAL_STEPS + 2], density[2 * NORMAL_REACH * NORMAL_STEPS + 2]; } normal_table;

/// One profile of brightness and the template that was fitted to it. Position t is -1…1 over the code.
///
///     brightness(t) = white(t) - contrast(t) * blurred bars(place(t)) + noise
typedef struct {
    const float *profile;
    int from, to;                   // pixels that the fit sees
    double middle, half;            // t = (pixel - middle) / half
    double place[4];                // cubic: the module at t
    double blur, growth;            // modules
    double white[3], contrast[3];   // quadratics
    double unexplained, noise;      // share of the variance left; root mean square error relative to the contrast
} bar_fit;

/// Squared error of every number, up to a constant: a term for each digit's shape and one for each pair of neighbours.
/// Blurred digits overlap only with their neighbours, so that these terms are exact.
typedef struct {
    float digit[DIGITS][LANES];
    float left[20][LANES], centre[20][LANES], right[10][LANES];  // pairs; of `centre` and `right` columns 20…29
} energies;

typedef struct { float cost; number what; } listed;

/// A place at which to start a fit.
typedef struct {
    float score;                    // squared error a sample
    double from, to;                // pixels
    double bend, shift;             // of the cubic
    int profile, reversed;
    double white[2], contrast[2];   // linear
} bar_start;

/// Lists of the cheapest ways to a digit with a check sum.
typedef struct { float cost[10][10][BEST]; int16_t via[10][10][BEST]; } digit_lists;

/// Templates for the search for starts, without growth and at one blur.
typedef struct {
    float left[7 * START_SAMPLES][LANES], right[7 * START_SAMPLES][LANES / 2];
    float left_norm[LANES], right_norm[LANES / 2];
    float guards[START_SPAN];       // -1 where digits are
} start_templates;

typedef struct {
    normal_table normal;
    start_templates starts;
    int width;
    float slices[SLICES][TBAR_MOST_WIDTH], bands[TBAR_BANDS][TBAR_MOST_WIDTH], parts[LIKELY_BANDS][TBAR_MOST_WIDTH];
    float middle[TBAR_MOST_WIDTH];  // mean of the middle third
    float thin[24][TBAR_MOST_WIDTH];
    float turned[2][SLICES + TBAR_BANDS][TBAR_MOST_WIDTH];  // the slices and bands, as they are and reversed
    float scratch[8][TBAR_MOST_WIDTH];
    double slope[TBAR_MOST_WIDTH][3];
    float grid[GRID][GRID];
    float shapes[SHAPES][SHAPE_SPAN], columns[SHAPE_SPAN][LANES], fixed[SPAN], blackness[SPAN];
    energies one, sum, band[TBAR_BANDS];
    digit_lists forward[LEFT], backward[DIGITS - LEFT];
} workspace;

// ean13.c
int shape_bit(int shape, int module);
int is_even(int first, int digit);
void edges_of(const number *what, float edges[EDGES]);

// normal.c
void fill_normal(normal_table *table);
static inline void normal_at(const normal_table *table, float z, float *below, float *density) {
    const float x = (z + NORMAL_REACH) * NORMAL_STEPS;
    if (!(x > 0)) { *below = *density = 0; return; }
    if (x >= 2 * NORMAL_REACH * NORMAL_STEPS) { *below = 1; *density = 0; return; }
    const int at = (int)x;
    const float rest = x - (float)at;
    *below = table->below[at] + rest * (table->below[at + 1] - table->below[at]);
    *density = table->density[at] + rest * (table->density[at + 1] - table->density[at]);
}

// fit.c
void refit(workspace *work, bar_fit *fit, const number *what, int order, int rounds);
int is_sound(const bar_fit *fit);
double place_of(const bar_fit *fit, double t);
double pixel_of(const bar_fit *fit, double module);
void sample_blackness(const bar_fit *fit, int width, float blackness[SPAN]);
double quiet_spread(const bar_fit *fit, int width);

// numbers.c
void measure(workspace *work, const bar_fit *fit, int width, energies *result);
void mixtures(workspace *work, const bar_fit *fit, int width, const number *what, float shares[DIGITS][10]);
void add_weighted(energies *sum, const energies *one, float weight);
int best_numbers(workspace *work, const energies *of, int is_checked, int most, listed best[BEST]);

// starts.c
void fill_starts(workspace *work);
int find_starts(workspace *work, int profile, int reversed, double from, double to, double bend, double shift,
                bar_start *found, int most);

float quantile_of(float *values, int count, double share);
void smooth(const float *from, int width, double sigma, float *to);

// patch.c
void straighten(workspace *work, const uint8_t *patch, int width, int height);
int looks_like_bars(workspace *work, double from, double to);
int possible_ends(workspace *work, double from, double to, double ends[MOST_ENDS][2]);

// read.c
int is_valid(const uint8_t *patch, int width, int height, float from, float to, const void *memory, int64_t size);

#endif
