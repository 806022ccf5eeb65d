// Where a code may begin and end: a grid over both ends, each digit taken for itself.
#include "templates.h"
#include <math.h>
#include <string.h>

/// Blur of the templates, modules, and of the profile.
static const double template_blur = 0.75, profile_blur = 0.35;
/// How far the ends may lie outside and inside of where they are expected, shares of the length.
static const double outside = 0.08, inside = 0.12;
/// A place is given up as soon as its error is this many times the least so far.
static const float hopeless = 1.3f;
/// Squared error a sample beyond which nothing starts. Of 197 codes read on development photos and 52 blurred by script,
/// none had more than .031; print and other symbologies have .044 at the median.
static const float most_error = 0.05f;

/// The bits as bars blurred, at u modules from the first; the outer bits go on for ever.
static float blurred(const normal_table *normal, const float *bits, int count, double u) {
    float value = bits[0];
    for (int k = 1; k < count; k++) {
        float below, density;
        if (bits[k] == bits[k - 1]) continue;
        normal_at(normal, (float)((u - k) / template_blur), &below, &density);
        value += (bits[k] - bits[k - 1]) * below;
    }
    return value;
}

/// Fills the templates. Of the neighbours of a digit one module is known; further ones are half black.
void fill_starts(workspace *work) {
    start_templates *to = &work->starts;
    memset(to, 0, sizeof *to);
    for (int shape = 0; shape < SHAPES; shape++) {
        float bits[11] = {0.5f, shape < 20 ? 1.0f : 0.0f};
        for (int module = 0; module < 7; module++) bits[2 + module] = (float)shape_bit(shape, module);
        bits[9] = shape < 20 ? 0.0f : 1.0f;
        bits[10] = 0.5f;
        for (int k = 0; k < 7 * START_SAMPLES; k++) {
            const float value = blurred(&work->normal, bits, 11, 2 + (k + 0.5) / START_SAMPLES);
            if (shape < 20) {
                to->left[k][shape] = value;
                to->left_norm[shape] += value * value;
            } else {
                to->right[k][shape - 20] = value;
                to->right_norm[shape - 20] += value * value;
            }
        }
    }
    for (int shape = 20; shape < LANES; shape++) to->left_norm[shape] = 1e9f;
    for (int shape = 10; shape < LANES / 2; shape++) to->right_norm[shape] = 1e9f;
    for (int guard = 0; guard < work->code->guard_count; guard++)
        for (int k = 0; k < work->code->guards[guard].length * START_SAMPLES; k++)
            to->guards[(work->code->guards[guard].first + 2) * START_SAMPLES + k] = blurred(
                &work->normal, work->code->guards[guard].bits, work->code->guards[guard].count,
                1 + (k + 0.5) / START_SAMPLES);
}

/// The least squared error of a digit, up to the sum of the row's squares.
WIDE static float least_left(const float *row, const start_templates *templates) {
    float sums[LANES];
    for (int lane = 0; lane < LANES; lane++) sums[lane] = templates->left_norm[lane];
    for (int k = 0; k < 7 * START_SAMPLES; k++) {
        const float twice = 2 * row[k];
        for (int lane = 0; lane < LANES; lane++) sums[lane] -= twice * templates->left[k][lane];
    }
    float least = sums[0];
    for (int lane = 1; lane < LANES; lane++) least = sums[lane] < least ? sums[lane] : least;
    return least;
}

WIDE static float least_right(const float *row, const start_templates *templates) {
    float sums[LANES / 2];
    for (int lane = 0; lane < LANES / 2; lane++) sums[lane] = templates->right_norm[lane];
    for (int k = 0; k < 7 * START_SAMPLES; k++) {
        const float twice = 2 * row[k];
        for (int lane = 0; lane < LANES / 2; lane++) sums[lane] -= twice * templates->right[k][lane];
    }
    float least = sums[0];
    for (int lane = 1; lane < LANES / 2; lane++) least = sums[lane] < least ? sums[lane] : least;
    return least;
}

/// A profile between two ends, at the places of a warp.
typedef struct { const float *black, *warp; float from, length, last; } stretch;

static inline float sample(const stretch *row, int k) {
    float x = row->from + row->length * row->warp[k];
    x = x < 0 ? 0 : x > row->last ? row->last : x;
    const int at = (int)x;
    return row->black[at] + (x - (float)at) * (row->black[at + 1] - row->black[at]);
}

/// The squared error of a code between the ends, a sample; more than `most` if it was given up. Most places are given up
/// after the guards.
static float error_at(const workspace *work, const stretch *row, float most) {
    const start_templates *templates = &work->starts;
    const layout *code = work->code;
    const float samples = (float)((code->modules + 4) * START_SAMPLES);
    float part[7 * START_SAMPLES], total = 0;
    for (int guard = 0; guard < code->guard_count; guard++) {
        const int first = (code->guards[guard].first + 2) * START_SAMPLES;
        for (int k = first; k < first + code->guards[guard].length * START_SAMPLES; k++) {
            const float rest = sample(row, k) - templates->guards[k];
            total += rest * rest;
        }
    }
    for (int digit = 0; digit < code->digits && total <= most * samples; digit++) {
        const int first = (digit_start(code, digit) + 2) * START_SAMPLES;
        float squares = 0;
        for (int k = 0; k < 7 * START_SAMPLES; k++) part[k] = sample(row, first + k);
        for (int k = 0; k < 7 * START_SAMPLES; k++) squares += part[k] * part[k];
        total += squares + (digit < code->left ? least_left(part, templates) : least_right(part, templates));
    }
    return total / samples;
}

/// Copies a row with its ends repeated on both sides.
static void pad(const float *from, int width, int reach, float sign, float *to) {
    for (int x = -reach; x < width + reach; x++) to[x + reach] = sign * from[x < 0 ? 0 : x >= width ? width - 1 : x];
}

/// The extreme of each window of at most TBAR_MOST_WIDTH / 12 samples on either side, averaged over the same window.
void envelope(const float *from, int width, int reach, float sign, float *to) {
    enum { MOST_PADDED = TBAR_MOST_WIDTH + TBAR_MOST_WIDTH / 6 };
    float row[MOST_PADDED];
    const int window = 2 * reach + 1;
    int done = 1;
    pad(from, width, reach, sign, row);
    // Windows of twice the length, until two of them overlap to the wanted one.
    for (; 2 * done <= window; done *= 2)
        for (int x = 0; x + 2 * done <= width + 2 * reach; x++) row[x] = row[x] > row[x + done] ? row[x] : row[x + done];
    for (int x = 0; x < width; x++) to[x] = fmaxf(row[x], row[x + window - done]);
    pad(to, width, reach, sign, row);
    double sum = 0;
    for (int x = 0; x < window - 1; x++) sum += row[x];
    for (int x = 0; x < width; x++) {
        sum += row[x + window - 1];
        to[x] = (float)(sum / window);
        sum -= row[x];
    }
}

void smooth(const float *from, int width, double sigma, float *to) {
    float kernel[33];
    int reach = (int)ceil(3 * sigma);
    reach = reach < 1 ? 1 : reach > 16 ? 16 : reach;
    float sum = 0;
    for (int k = -reach; k <= reach; k++) sum += kernel[k + reach] = (float)exp(-0.5 * k * k / (sigma * sigma));
    for (int x = 0; x < width; x++) {
        float value = 0;
        for (int k = -reach; k <= reach; k++) {
            const int at = x + k;
            value += kernel[k + reach] * from[at < 0 ? 0 : at >= width ? width - 1 : at];
        }
        to[x] = value / sum;
    }
}

/// Intercept and slope of the values between two pixels, over t = (pixel - middle) / half.
static void line_of(const float *values, int from, int to, double middle, double half, double line[2]) {
    double n = 0, st = 0, stt = 0, sv = 0, stv = 0;
    for (int x = from; x < to; x++) {
        const double t = (x - middle) / half;
        n++, st += t, stt += t * t, sv += values[x], stv += t * values[x];
    }
    const double det = n * stt - st * st;
    line[1] = fabs(det) > 1e-9 ? (n * stv - st * sv) / det : 0;
    line[0] = n > 0 ? (sv - line[1] * st) / n : 0;
}

/// The value below which a share of the values lies; the values are put in order.
float quantile_of(float *values, int count, double share) {
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            const float value = values[i];
            int at = i;
            for (; at >= gap && value < values[at - gap]; at -= gap) values[at] = values[at - gap];
            values[at] = value;
        }
    const int at = (int)(share * count);
    return count > 0 ? values[at < count ? at : count - 1] : 0;
}

/// The best places near the ends for a code in this profile, at most `most`.
int find_starts(workspace *work, int profile, int reversed, double from, double to, double bend, double shift,
                bar_start *found, int most) {
    const int width = work->width;
    const float *y = work->turned[reversed][profile];
    float *white = work->scratch[2], *contrast = work->scratch[3], *black = work->scratch[4];
    const int modules = work->code->modules, span = (modules + 4) * START_SAMPLES;
    const double length = to - from, step = 0.5 * length / modules, least_length = 1.2 * MODULES;
    if (!(length >= least_length)) return 0;
    int reach = (int)(length / 12);
    reach = reach < 1 ? 1 : reach;
    envelope(y, width, reach, 1, white);
    envelope(y, width, reach, -1, contrast);
    for (int x = 0; x < width; x++) black[x] = contrast[x] = white[x] - contrast[x];
    const float least = 0.3f * quantile_of(black, width, 0.9) + 1e-3f;
    for (int x = 0; x < width; x++) contrast[x] = contrast[x] > least ? contrast[x] : least;
    for (int x = 0; x < width; x++) work->scratch[5][x] = (white[x] - y[x]) / contrast[x];
    smooth(work->scratch[5], width, profile_blur * length / modules, black);

    float warp[START_SPAN];
    for (int k = 0; k < span; k++) {
        double t = 2 * (-2 + (k + 0.5) / START_SAMPLES) / modules - 1;
        t += bend * (t - t * t * t) + shift * (1 - t * t);
        warp[k] = (float)((t + 1) / 2);
    }
    const int count = (int)ceil((outside + inside) * length / step - 1e-9);
    const int size = count < GRID ? count : GRID;
    const double first = from - outside * length, second = to - inside * length;
    float best = most_error / hopeless;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            const double a = first + i * step, b = second + j * step;
            const stretch row = {black, warp, (float)a, (float)(b - a), (float)width - 1.001f};
            const int fits = b - a >= least_length && a >= -4 && b <= width + 3;
            work->grid[i][j] = fits ? error_at(work, &row, hopeless * best) : 1e18f;
            if (work->grid[i][j] < best) best = work->grid[i][j];
        }
    int kept = 0;
    while (kept < most) {
        int at = -1, beside = -1;
        float score = most_error;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                if (work->grid[i][j] < score) score = work->grid[i][j], at = i, beside = j;
        if (at < 0) break;
        for (int i = at > 0 ? at - 1 : 0; i <= at + 1 && i < size; i++)
            for (int j = beside > 0 ? beside - 1 : 0; j <= beside + 1 && j < size; j++) work->grid[i][j] = 1e18f;
        bar_start *one = &found[kept++];
        *one = (bar_start){.score = score, .from = first + at * step, .to = second + beside * step, .bend = bend,
                           .shift = shift, .profile = profile, .reversed = reversed};
        const double middle = (one->from + one->to) / 2, half = (one->to - one->from) / 2;
        const double pad = 2 * half / modules * QUIET;
        const int low = (int)ceil(fmax(0, one->from - pad)), high = (int)fmin(width, one->to + pad + 1);
        line_of(white, low, high, middle, half, one->white);
        line_of(contrast, low, high, middle, half, one->contrast);
    }
    return kept;
}
