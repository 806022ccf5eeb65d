// The fit of one number's template to one profile, by Gauss-Newton: position, blur, growth, white and contrast.
#include "templates.h"
#include <math.h>
#include <string.h>

enum { LIGHT = 6, UNKNOWNS = 12, BLUR = 4, GROWTH = 5, REST = 15 };

static const double least_blur = 0.25, most_blur = 1.4, most_growth = 0.6;  // modules
static const double usual_blur = 0.6;
/// Weights of the usual values against the profile's noise.
static const double blur_weight = 20, growth_weight = 40, bend_weight = 4;
/// Weights that keep white and contrast even, relative to one sample.
static const double light_weights[LIGHT] = {0, 0.02, 0.2, 0, 0.2, 1};
/// Most by which one round moves the position, and blur and growth, modules.
static const double most_move = 0.7, most_change = 0.2;

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

double place_of(const bar_fit *fit, double t) {
    return fit->place[0] + t * (fit->place[1] + t * (fit->place[2] + t * fit->place[3]));
}

/// Solves matrix · x = right, for a symmetric positive matrix of which the lower half is used and overwritten.
void solve(double *matrix, int stride, int size, const double *right, double *x) {
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
            double value = matrix[i * stride + j];
            for (int k = 0; k < j; k++) value -= matrix[i * stride + k] * matrix[j * stride + k];
            matrix[i * stride + j] = i == j ? sqrt(value > 1e-12 ? value : 1e-12) : value / matrix[j * stride + j];
        }
    for (int i = 0; i < size; i++) {
        double value = right[i];
        for (int k = 0; k < i; k++) value -= matrix[i * stride + k] * x[k];
        x[i] = value / matrix[i * stride + i];
    }
    for (int i = size - 1; i >= 0; i--) {
        double value = x[i];
        for (int k = i + 1; k < size; k++) value -= matrix[k * stride + i] * x[k];
        x[i] = value / matrix[i * stride + i];
    }
}

/// Pixels that are drawn at once.
enum { AT_ONCE = 8 };
typedef float eight __attribute__((vector_size(4 * AT_ONCE), aligned(4)));
typedef int32_t eight_whole __attribute__((vector_size(4 * AT_ONCE)));

/// `one` where the mask is set, `other` elsewhere.
#define PICK(mask, one, other) ((eight)(((eight_whole)(one) & (mask)) | ((eight_whole)(other) & ~(mask))))

/// The share of the normal distribution below z, and its density, to six digits (Abramowitz and Stegun, 26.2.17).
__attribute__((always_inline)) static inline void normal_of(const eight *at, eight *below, eight *density) {
    // The exponential by a power of two and a polynomial of the rest; the sum rounds to a whole number.
    const float round = 12582912;
    const eight z = *at;
    const eight power = z * z * -0.72134752f, whole = (power + round) - round, rest = power - whole;
    const eight part = 1 + rest * (0.69314718f + rest * (0.24022651f + rest * (0.05550411f + rest * (0.00961813f + rest * 0.00133336f))));
    const eight_whole exponent = (__builtin_convertvector(whole, eight_whole) + 127) << 23;
    const eight d = (eight)exponent * part * 0.39894228f;
    const eight size = (eight)((eight_whole)z & 0x7fffffff), k = 1 / (1 + 0.2316419f * size);
    const eight above = d * k * (0.31938153f + k * (-0.35656378f + k * (1.78147794f + k * (-1.82125598f + k * 1.33027443f))));
    *below = PICK(z < 0, above, 1 - above);
    *density = d;
}

/// The blurred bars at every pixel, 0 white to 1 black, and their derivatives by place, blur and growth.
WIDE static void draw(workspace *work, const bar_fit *fit, const float edges[EDGES]) {
    const int count = work->code->edges, from = fit->from, to = fit->to;
    const float scale = (float)(1 / fit->blur), half_growth = (float)(fit->growth / 2);
    // An edge further back than this is complete. Edges alternate between +1 and -1.
    const float reach = NORMAL_REACH * (float)fit->blur;
    float places[TBAR_MOST_WIDTH + AT_ONCE];
    const double zero = fit->place[0], one = fit->place[1], two = fit->place[2], three = fit->place[3];
    for (int x = from; x < to; x++) {
        const double t = work->t[x];
        places[x - from] = (float)(zero + t * (one + t * (two + t * three)));
    }
    for (int k = 0; k < AT_ONCE; k++) places[to - from + k] = places[to - from - 1];
    int first = 0;
    for (int x = from; x < to; x += AT_ONCE) {
        const float *start = places + x - from;
        float low = start[0], high = start[0];
        for (int k = 1; k < AT_ONCE; k++) low = fminf(low, start[k]), high = fmaxf(high, start[k]);
        while (first < count && low - edges[first] - half_growth > reach) first++;
        while (first > 0 && low - edges[first - 1] - half_growth <= reach) first--;
        const eight place = *(const eight *)start;
        const eight most = (eight){0} + (float)NORMAL_MOST;
        eight value = {0}, by_place = {0}, by_blur = {0}, by_growth = {0};
        value += (float)(first % 2);
        for (int e = first; e < count && high - edges[e] + half_growth >= -reach; e++) {
            const float sign = e % 2 ? -1.0f : 1.0f;
            eight z = (place - edges[e] + sign * half_growth) * scale, below, density;
            // Further off the exponential is nothing that a float holds.
            z = PICK(z > most, most, z);
            z = PICK(z < -most, -most, z);
            normal_of(&z, &below, &density);
            density *= scale;
            value += sign * below;
            by_place += sign * density;
            by_blur -= sign * density * z;
            by_growth += 0.5f * density;
        }
        const size_t size = sizeof(float) * (size_t)(to - x < AT_ONCE ? to - x : AT_ONCE);
        memcpy(work->scratch[0] + x, &value, size);
        memcpy(work->slope[0] + x, &by_place, size);
        memcpy(work->slope[1] + x, &by_blur, size);
        memcpy(work->slope[2] + x, &by_growth, size);
    }
}

typedef double four __attribute__((vector_size(32), aligned(8)));

/// The sums, over all pixels, of the products of some numbers of a row with the first numbers, four a lane.
__attribute__((always_inline)) static inline void sum_products(
    double (*rows)[ROW], int count, int first, int last, int lanes, double *sums) {
    for (int p = first; p <= last; p++) {
        four parts[ROW / 4] = {0};
        for (int i = 0; i < count; i++)
            for (int lane = 0; lane < lanes; lane++) parts[lane] += rows[i][p] * *(const four *)&rows[i][4 * lane];
        memcpy(sums + p * ROW, parts, sizeof parts);
    }
}

WIDE static void sum_light(double (*rows)[ROW], int count, double *sums) {
    sum_products(rows, count, 0, 3, 1, sums);
    sum_products(rows, count, 4, LIGHT, 2, sums);
}

/// The lower half of the sums, and the row of the rest.
WIDE static void sum_all(double (*rows)[ROW], int count, double *sums) {
    sum_products(rows, count, 0, 3, 1, sums);
    sum_products(rows, count, 4, 7, 2, sums);
    sum_products(rows, count, 8, UNKNOWNS - 1, 3, sums);
    sum_products(rows, count, REST, REST, 3, sums);
}

/// White and contrast, which are linear, solved exactly.
static void fit_light(workspace *work, bar_fit *fit) {
    double sums[(LIGHT + 1) * ROW], right[LIGHT], light[LIGHT];
    const float *bars = work->scratch[0];
    for (int x = fit->from; x < fit->to; x++) {
        const double t = work->t[x], v = bars[x];
        double *row = work->rows[x - fit->from];
        row[0] = 1, row[1] = t, row[2] = t * t;
        row[3] = -v, row[4] = -v * t, row[5] = -v * t * t;
        row[6] = fit->profile[x], row[7] = 0;
    }
    sum_light(work->rows, fit->to - fit->from, sums);
    for (int p = 0; p < LIGHT; p++) {
        right[p] = sums[LIGHT * ROW + p];
        sums[p * ROW + p] += 1e-6 * (fit->to - fit->from) * (1e-3 + light_weights[p]);
    }
    solve(sums, ROW, LIGHT, right, light);
    memcpy(fit->white, light, sizeof fit->white);
    memcpy(fit->contrast, light + 3, sizeof fit->contrast);
}

static double contrast_at(const bar_fit *fit, double t) {
    return fit->contrast[0] + t * (fit->contrast[1] + t * fit->contrast[2]);
}

static double white_at(const bar_fit *fit, double t) {
    return fit->white[0] + t * (fit->white[1] + t * fit->white[2]);
}

/// The errors of the fit. Returns the mean square error, at least what the contrast makes of rounding.
static double judge_fit(workspace *work, bar_fit *fit) {
    const float *bars = work->scratch[0];
    float *rest = work->scratch[1];
    double all = 0, inside = 0, mean = 0, variance = 1e-9;
    int count = 0;
    for (int x = fit->from; x < fit->to; x++) {
        const double t = work->t[x];
        const double r = fit->profile[x] - white_at(fit, t) + bars[x] * contrast_at(fit, t);
        rest[x] = (float)r;
        all += r * r;
        if (t < -1 || t > 1) continue;
        inside += r * r;
        mean += fit->profile[x];
        count++;
    }
    mean /= count > 0 ? count : 1;
    for (int x = fit->from; x < fit->to; x++) {
        const double t = work->t[x];
        if (t >= -1 && t <= 1) variance += (fit->profile[x] - mean) * (fit->profile[x] - mean);
    }
    all /= fit->to - fit->from;
    fit->unexplained = inside / variance;
    fit->noise = sqrt(all) / fmax(1e-6, fabs(fit->contrast[0]));
    return fmax(all, 1e-4 * fit->contrast[0] * fit->contrast[0]);
}

/// One step of position, blur and growth.
static void move(workspace *work, bar_fit *fit, double noise, int order) {
    double sums[(REST + 1) * ROW], right[UNKNOWNS], step[UNKNOWNS];
    const float *bars = work->scratch[0], *rest = work->scratch[1];
    const bar_fit at = *fit;
    for (int x = at.from; x < at.to; x++) {
        const double t = work->t[x], contrast = contrast_at(&at, t), v = bars[x];
        double *row = work->rows[x - at.from];
        const double by_place = -contrast * work->slope[0][x];
        row[0] = by_place, row[1] = by_place * t, row[2] = row[1] * t, row[3] = order == 3 ? row[2] * t : 0;
        row[BLUR] = -contrast * work->slope[1][x], row[GROWTH] = -contrast * work->slope[2][x];
        row[6] = 1, row[7] = t, row[8] = t * t;
        row[9] = -v, row[10] = -v * t, row[11] = -v * t * t;
        row[12] = row[13] = row[14] = 0, row[REST] = rest[x];
    }
    sum_all(work->rows, fit->to - fit->from, sums);
    for (int p = 0; p < UNKNOWNS; p++) {
        const double weight = p < 3 ? 1 : p == 3 ? bend_weight : p == BLUR ? blur_weight : p == GROWTH ? growth_weight : 1e-6;
        right[p] = sums[REST * ROW + p];
        sums[p * ROW + p] += noise * weight + 1e-9 * (1 + sums[p * ROW + p]);
    }
    right[BLUR] += noise * blur_weight * (usual_blur - fit->blur);
    right[GROWTH] -= noise * growth_weight * fit->growth;
    solve(sums, ROW, UNKNOWNS, right, step);
    for (int q = 0; q < (order == 3 ? 4 : 3); q++) fit->place[q] += clamp(step[q], -most_move, most_move);
    fit->blur = clamp(fit->blur + clamp(step[BLUR], -most_change, most_change), least_blur, most_blur);
    fit->growth = clamp(fit->growth + clamp(step[GROWTH], -most_change, most_change), -most_growth, most_growth);
}

/// The bars as the fit has them, with the light that suits them best.
static void redraw(workspace *work, bar_fit *fit, const float edges[EDGES]) {
    draw(work, fit, edges);
    fit_light(work, fit);
    fit->error = judge_fit(work, fit);
}

/// Fits everything but the number, in so many more steps, after `refit` of the same; `order` 2 leaves the cubic term.
void refine(workspace *work, bar_fit *fit, const number *what, int order, int rounds) {
    float edges[EDGES];
    edges_of(work->code, what, edges);
    for (int round = 0; round < rounds && fit->contrast[0] > 0; round++) {
        move(work, fit, fit->error, order);
        redraw(work, fit, edges);
    }
}

/// The same from the beginning.
void refit(workspace *work, bar_fit *fit, const number *what, int order, int rounds) {
    float edges[EDGES];
    edges_of(work->code, what, edges);
    for (int x = fit->from; x < fit->to; x++) work->t[x] = (x - fit->middle) / fit->half;
    redraw(work, fit, edges);
    refine(work, fit, what, order, rounds);
}

/// True if the bars are darker than the paper and no module is stretched by more than a third.
int is_sound(const bar_fit *fit) {
    if (!(fit->contrast[0] > 0) || !(fit->place[1] > 0)) return 0;
    for (int x = fit->from; x < fit->to; x++) {
        const double t = (x - fit->middle) / fit->half;
        const double bend = t * (2 * fit->place[2] + 3 * t * fit->place[3]);
        if (!(fabs(bend) <= 0.35 * fit->place[1])) return 0;
    }
    return 1;
}

/// The t of each of `count` ascending modules, searched from -reach to reach.
static void invert(const bar_fit *fit, double first, double step, int count, double reach, double *result) {
    enum { PIECES = 800 };
    double before = place_of(fit, -reach), after = before;
    int piece = 0;
    for (int k = 0; k < count; k++) {
        const double goal = first + k * step;
        while (piece < PIECES && after < goal) {
            before = after;
            after = fmax(before, place_of(fit, reach * (2.0 * ++piece / PIECES - 1)));
        }
        const double share = after > before ? clamp((goal - before) / (after - before), 0, 1) : 0;
        result[k] = reach * (2 * (fmax(0, piece - 1) + share) / PIECES - 1);
    }
}

static double at_pixel(const float *profile, double x, int width) {
    const double inside = clamp(x, 0, width - 1);
    const int at = inside < width - 2 ? (int)inside : width - 2;
    return profile[at] + (inside - at) * (profile[at + 1] - profile[at]);
}

double pixel_of(const bar_fit *fit, double module) {
    double t;
    invert(fit, module, 1, 1, 1.3, &t);
    return fit->middle + fit->half * t;
}

/// The profile as blackness, 0 white to 1 black, SAMPLES a module from the quiet zone before the code.
void sample_blackness(const layout *code, const bar_fit *fit, int width, float blackness[SPAN]) {
    double ts[SPAN];
    const int span = (code->modules + 2 * QUIET) * SAMPLES;
    invert(fit, -QUIET + 0.5 / SAMPLES, 1.0 / SAMPLES, span, 1.25, ts);
    for (int k = 0; k < span; k++) {
        const double t = ts[k], least = 0.25 * fmax(1e-6, fit->contrast[0]);
        const double value = at_pixel(fit->profile, fit->middle + fit->half * t, width);
        blackness[k] = (float)((white_at(fit, t) - value) / fmax(contrast_at(fit, t), least));
    }
}

/// The least contrast inside the code, as a share of the largest: negative where the bars would be brighter than the paper.
double least_contrast(const bar_fit *fit) {
    double least = 1e9, most = 1e-6;
    for (int k = -8; k <= 8; k++) {
        const double contrast = contrast_at(fit, k / 8.0);
        least = fmin(least, contrast), most = fmax(most, contrast);
    }
    return least / most;
}

/// Samples a module of the quiet zones.
enum { BESIDE = 4 };

/// Blackness beside the code, from the bars outwards.
static void sample_beside(const layout *code, const bar_fit *fit, int width, int side, int count, double *blackness) {
    enum { MOST = 64 };
    double ts[MOST];
    invert(fit, side ? code->modules : -(double)count / BESIDE, 1.0 / BESIDE, count + 1, 1.45, ts);
    for (int k = 0; k < count; k++) {
        const double t = ts[side ? k : count - k], inside = clamp(t, -1, 1), least = 0.25 * fmax(1e-6, fit->contrast[0]);
        const double value = at_pixel(fit->profile, fit->middle + fit->half * t, width);
        blackness[k] = (white_at(fit, inside) - value) / fmax(contrast_at(fit, inside), least);
    }
}

static double deviation(const double *values, int count) {
    double sum = 0, squares = 0;
    for (int k = 0; k < count; k++) sum += values[k], squares += values[k] * values[k];
    return count > 0 ? sqrt(fmax(0, squares / count - (sum / count) * (sum / count))) : 0;
}

/// The larger standard deviation of the two quiet zones, five modules each and one module away from the bars.
double quiet_spread(const layout *code, const bar_fit *fit, int width) {
    double worst = 0, black[6 * BESIDE + 1];
    for (int side = 0; side < 2; side++) {
        sample_beside(code, fit, width, side, 6 * BESIDE + 1, black);
        worst = fmax(worst, deviation(black + BESIDE, 5 * BESIDE + 1));
    }
    return worst;
}

/// Blackness from which a sample may be that of a line, and on its slopes.
static const double line_black = 0.35, slope_black = 0.15;
/// Modules beside a code in which a frame may begin, its most width with slopes, and the white behind it.
enum { NEAR = 7, THICK = 6, BEHIND = 2 };

/// The larger standard deviation of both sides, without one dark line at each: that of a frame around the code.
double framed_spread(const layout *code, const bar_fit *fit, int width) {
    enum { COUNT = (NEAR + THICK + BEHIND) * BESIDE };
    double worst = 0, black[COUNT], rest[COUNT];
    for (int side = 0; side < 2; side++) {
        sample_beside(code, fit, width, side, COUNT, black);
        int line = 0, count = 0;
        // The slope of the last bar is no line.
        int first = 0;
        while (first < BESIDE && black[first] > slope_black) first++;
        for (line = first; line < NEAR * BESIDE && black[line] < line_black; line++) {}
        int from = line, to = line;
        while (from > first && black[from - 1] > slope_black) from--;
        while (to < COUNT && black[to] > slope_black) to++;
        if (to - from > THICK * BESIDE) return 1;
        const int end = line < NEAR * BESIDE ? to + BEHIND * BESIDE : NEAR * BESIDE;
        for (int k = first; k < end && k < COUNT; k++)
            if (k < from || k >= to) rest[count++] = black[k];
        worst = fmax(worst, deviation(rest, count));
    }
    return worst;
}
