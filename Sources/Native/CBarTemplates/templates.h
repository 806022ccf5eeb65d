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
    MODULES = 95,               // of an EAN-13; the other codes have fewer modules, digits and edges
    DIGITS = 12,                // that have bars of their own; the first digit is the parity of the left six
    LEFT = 6,                   // digits before the centre guard
    EDGES = 60,                 // of 30 bars
    PARITIES = 10,
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
    ROW = 16,                   // numbers of a pixel that a fit multiplies with each other
    NORMAL_STEPS = 64,          // of the table of the normal distribution, a unit
    NORMAL_REACH = 5,
    NORMAL_MOST = 12,
};

/// A number: the index of its parity, which is the first digit of an EAN-13, then the digits that have bars.
typedef struct { int8_t digits[TBAR_DIGITS]; } number;

/// Where the bars of one kind of code are.
typedef struct {
    int digits, left;           // digits that have bars; of these, those before the centre guard
    int modules, edges, guard_edges, parity_count, guard_count;
    int guards_at[12];          // modules at which bars of the guards begin and end, in turn
    uint8_t parities[PARITIES]; // left digits that are even (G), the first in the highest of six bits
    uint8_t order[PARITIES];    // parities in an order in which they share their beginnings
    struct { int first, length; float bits[10]; int count; } guards[3];  // with a module before, for the search for starts
} layout;

/// The first module of a digit.
static inline int digit_start(const layout *code, int digit) { return 3 + 7 * digit + (digit >= code->left ? 5 : 0); }

/// True if a left digit is even under this parity.
static inline int is_even(const layout *code, int parity, int digit) {
    return code->parities[parity] >> (LEFT - 1 - digit) & 1;
}

/// The shape of a digit of the number, 0…29.
static inline int shape_of(const layout *code, const number *what, int digit) {
    return what->digits[digit + 1] + (digit >= code->left ? 20 : is_even(code, what->digits[0], digit) ? 10 : 0);
}

/// The share of the normal distribution below z, and its density, by a table of values and differences to the next.
typedef struct { struct { float below, more, density, change; } at[2 * NORMAL_REACH * NORMAL_STEPS + 1]; } normal_table;

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
    double error;                   // mean square error
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
    float guards[START_SPAN];       // 0 where digits are
} start_templates;

typedef struct {
    const layout *code;             // the kind of code that is looked for
    normal_table normal;
    start_templates starts;
    int width;
    float slices[SLICES][TBAR_MOST_WIDTH], bands[TBAR_BANDS][TBAR_MOST_WIDTH], parts[LIKELY_BANDS][TBAR_MOST_WIDTH];
    float middle[TBAR_MOST_WIDTH];  // mean of the middle third
    float thin[24][TBAR_MOST_WIDTH];
    float turned[2][SLICES + TBAR_BANDS][TBAR_MOST_WIDTH];  // the slices and bands, as they are and reversed
    float scratch[8][TBAR_MOST_WIDTH];
    float slope[3][TBAR_MOST_WIDTH];  // of the bars by place, blur and growth
    double t[TBAR_MOST_WIDTH], rows[TBAR_MOST_WIDTH][ROW];
    float grid[GRID][GRID];
    float shapes[SHAPES][SHAPE_SPAN], columns[SHAPE_SPAN][LANES], fixed[SPAN], blackness[SPAN];
    energies one, sum, band[TBAR_BANDS];
    double invalid_error;  // least mean ln(error) of a number with a wrong check digit, of all passes so far
    digit_lists forward[LEFT], backward[DIGITS - LEFT];
} workspace;

// layouts.c
extern const layout ean13, ean8, upce;
int shape_bit(int shape, int module);
void bits_of(const layout *code, const number *what, uint8_t bits[MODULES]);
void edges_of(const layout *code, const number *what, float edges[EDGES]);
int is_code(const layout *code, const number *what);
int printed(const layout *code, const number *what, int8_t digits[TBAR_DIGITS]);

// normal.c
void fill_normal(normal_table *table);
static inline void normal_at(const normal_table *table, float z, float *below, float *density) {
    const float x = (z + NORMAL_REACH) * NORMAL_STEPS;
    if (!(x > 0)) { *below = *density = 0; return; }
    if (x >= 2 * NORMAL_REACH * NORMAL_STEPS) { *below = 1; *density = 0; return; }
    const int at = (int)x;
    const float rest = x - (float)at;
    *below = table->at[at].below + rest * table->at[at].more;
    *density = table->at[at].density + rest * table->at[at].change;
}

// fit.c
void solve(double *matrix, int stride, int size, const double *right, double *x);
void refit(workspace *work, bar_fit *fit, const number *what, int order, int rounds);
void refine(workspace *work, bar_fit *fit, const number *what, int order, int rounds);
int is_sound(const bar_fit *fit);
double place_of(const bar_fit *fit, double t);
double pixel_of(const bar_fit *fit, double module);
double least_contrast(const bar_fit *fit);
void sample_blackness(const layout *code, const bar_fit *fit, int width, float blackness[SPAN]);
double quiet_spread(const layout *code, const bar_fit *fit, int width);
double framed_spread(const layout *code, const bar_fit *fit, int width);

// numbers.c
void measure(workspace *work, const bar_fit *fit, int width, energies *result);
void mixtures(workspace *work, const bar_fit *fit, int width, const number *what, float shares[DIGITS][10]);
void add_weighted(energies *sum, const energies *one, float weight);
int best_numbers(workspace *work, const energies *of, int is_checked, int most, listed best[BEST]);

// starts.c
void fill_starts(workspace *work);
int find_starts(workspace *work, int profile, int reversed, double from, double to, double bend, double shift,
                bar_start *found, int most);

void envelope(const float *from, int width, int reach, float sign, float *to);
float quantile_of(float *values, int count, double share);
void smooth(const float *from, int width, double sigma, float *to);

// patch.c
void straighten(workspace *work, const uint8_t *patch, int width, int height);
int looks_like_bars(workspace *work, double from, double to);
int possible_ends(workspace *work, double from, double to, double ends[MOST_ENDS][2]);

// read.c
int is_valid(const uint8_t *patch, int width, int height, float from, float to, const void *memory, int64_t size);

#endif
