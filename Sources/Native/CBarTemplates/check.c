// Whether bars on which the decoders agree are a mixture of two numbers.
#include "templates.h"
#include <math.h>
#include <string.h>

/// A band that leaves more of its variance does not show the code: print, glare, or the end of the bars.
static const double most_unexplained = 0.1;
/// The same of the middle band, with which the others start.
static const double most_at_first = 0.15;
/// A digit that looks like another by more than this is misfitted.
static const float most_share = 1.3f;
/// What a band may leave unexplained in which two digits are those of another number, and how much less that must leave.
static const double most_of_rival = 0.5, better = 0.7;

/// How the bars may lie between the ends, as in fit_of of read.c.
typedef struct { double from, to, bend, shift, score; } likely;

/// Places between the ends at which the bars are compared with the profile.
enum { PLACES = 128 };

/// A profile between two ends, without its mean and of length 1.
static void sample_profile(const float *profile, const likely *at, float sampled[PLACES]) {
    float mean = 0, squares = 1e-6f;
    for (int k = 0; k < PLACES; k++) {
        sampled[k] = profile[(int)(at->from + (at->to - at->from) * (k + 0.5) / PLACES)];
        mean += sampled[k] / PLACES;
    }
    for (int k = 0; k < PLACES; k++) sampled[k] -= mean, squares += sampled[k] * sampled[k];
    for (int k = 0; k < PLACES; k++) sampled[k] /= sqrtf(squares);
}

/// The same of the unblurred bars, white bright.
static void sample_bars(const uint8_t bits[MODULES], const likely *at, float sampled[PLACES]) {
    float black = 0;
    for (int k = 0; k < PLACES; k++) {
        const double t = 2 * (k + 0.5) / PLACES - 1;
        const int module = (int)(MODULES / 2.0 * (1 + t - (1 - t * t) * (at->shift + at->bend * t)));
        sampled[k] = module >= 0 && module < MODULES ? bits[module] : 0;
        black += sampled[k];
    }
    const float share = black / PLACES, length = sqrtf(fmaxf(1e-6f, black * (1 - share)));
    for (int k = 0; k < PLACES; k++) sampled[k] = (share - sampled[k]) / length;
}

/// Sums in eight lanes, so that they are the same on every processor.
static float product(const float one[PLACES], const float other[PLACES]) {
    float lanes[8] = {0};
    for (int k = 0; k < PLACES; k += 8)
        for (int lane = 0; lane < 8; lane++) lanes[lane] += one[k + lane] * other[k + lane];
    return lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
}

/// Where the bars of a number lie most likely: the code may be bent, and the ends may be a module off.
static likely lie(const float *profile, int width, const uint8_t bits[MODULES], double from, double to) {
    float profiles[9][PLACES], bars[PLACES];
    likely ends[9], best = {.score = -2};
    const double module = (to - from) / MODULES;
    for (int i = 0; i < 9; i++) {
        ends[i] = (likely){.from = fmax(0, from + (i / 3 - 1) * module), .to = fmin(width - 1, to + (i % 3 - 1) * module)};
        sample_profile(profile, &ends[i], profiles[i]);
    }
    for (int shift = -5; shift <= 5; shift++)
        for (int bend = -1; bend <= 4; bend++) {
            const likely way = {.bend = 0.03 * bend, .shift = 0.03 * shift};
            sample_bars(bits, &way, bars);
            for (int i = 0; i < 9; i++) {
                const double score = product(profiles[i], bars);
                if (score > best.score) best = (likely){ends[i].from, ends[i].to, way.bend, way.shift, score};
            }
        }
    return best;
}

static bar_fit start_fit(const workspace *work, const float *profile, const likely *at) {
    const double pad = (at->to - at->from) / MODULES * QUIET, half = MODULES / 2.0;
    return (bar_fit){
        .profile = profile, .from = (int)ceil(fmax(0, at->from - pad)), .to = (int)fmin(work->width, at->to + pad + 1),
        .middle = (at->from + at->to) / 2, .half = (at->to - at->from) / 2,
        .place = {half * (1 - at->shift), half * (1 - at->bend), half * at->shift, half * at->bend}, .blur = 0.5,
    };
}

/// The largest share with which two digits both look like others of a valid number.
static float mixed(const number *what, float shares[DIGITS][10], number *rival) {
    float best = 0;
    for (int i = 0; i < DIGITS; i++)
        for (int a = 0; a < 10; a++) {
            if (a == what->digits[i + 1] || shares[i][a] <= best) continue;
            for (int j = i + 1; j < DIGITS; j++)
                for (int b = 0; b < 10; b++) {
                    const float share = fminf(shares[i][a], shares[j][b]);
                    if (b == what->digits[j + 1] || share <= best) continue;
                    number other = *what;
                    other.digits[i + 1] = (int8_t)a, other.digits[j + 1] = (int8_t)b;
                    if (!is_code(&ean13, &other)) continue;
                    best = share;
                    *rival = other;
                }
        }
    return best;
}

/// The mean of the rows of a band, reversed if `back`.
static const float *average_band(workspace *work, const uint8_t *patch, int height, int band, int back) {
    float *to = work->turned[back][0], *sum = back ? work->scratch[4] : to;
    const int width = work->width, top = band * height / TBAR_CHECKED_BANDS, below = (band + 1) * height / TBAR_CHECKED_BANDS;
    const int bottom = below > top ? below : top + 1;
    memset(to, 0, sizeof(float) * TBAR_MOST_WIDTH);
    memset(sum, 0, sizeof(float) * TBAR_MOST_WIDTH);
    for (int r = top; r < bottom; r++)
        for (int x = 0; x < width; x++) sum[x] += patch[(int64_t)r * width + x];
    for (int x = 0; x < width; x++) sum[x] /= (float)(bottom - top);
    for (int x = 0; back && x < width; x++) to[x] = sum[width - 1 - x];
    return to;
}

/// White modules beside a code.
static const float least_quiet = 4;

/// True if the bars of the three guards are equally far apart, within what perspective makes.
static int has_guards(const float edges[EDGES]) {
    static const int8_t firsts[] = {0, 1, 27, 28, 29, 30, 56, 57};
    static const float most_ratio = 1.6f;
    float least = 1e9f, most = 0;
    for (int i = 0; i < 8; i++) {
        const float apart = edges[firsts[i] + 2] - edges[firsts[i]];
        least = fminf(least, apart), most = fmaxf(most, apart);
    }
    return most < most_ratio * least;
}

/// Edges that are further off were not rounded to the number's, modules: then other bars are seen.
static const double most_rounded = 0.5;

/// How much the widths of the digits differ: the standard deviation of their logarithms about a parabola, which
/// perspective and a round packet make. A digit is measured to the next digit's first edge: ink that spreads moves both.
static float unevenness(const float *at) {
    double sums[9] = {0}, right[3] = {0}, line[3], squares = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        const int start = digit < LEFT ? 3 + 4 * digit : 8 + 4 * digit;
        const double wide = log(fmaxf(at[start + 4] - at[start], 0.1f));
        const double t = (at[start + 4] + at[start] - at[EDGES - 1] - at[0]) / (at[EDGES - 1] - at[0]), row[3] = {1, t, t * t};
        for (int p = 0; p < 3; p++) {
            right[p] += row[p] * wide;
            for (int q = 0; q < 3; q++) sums[3 * p + q] += row[p] * row[q];
        }
        squares += wide * wide;
    }
    solve(sums, 3, 3, right, line);
    for (int p = 0; p < 3; p++) squares -= line[p] * right[p];
    return (float)sqrt(fmax(0, squares / DIGITS));
}

/// How far the edges inside the digits lie from those of the number, in a profile that shows all bars of an EAN-13: root
/// mean square, modules. Negative if other bars are seen. `uneven` receives by how much the digits differ in width.
///
/// Decoders round each digit to the nearest one, whatever its width. Bars that are no digits lie anywhere between the
/// modules. A digit is measured from its first edge to the next digit's, so that neither perspective nor creases count.
static float misplacement(workspace *work, const float *profile, const float wanted[EDGES], float *uneven) {
    enum { MOST_EDGES = 128, INSIDE = 3 };
    const int width = work->width, reach = width / 14;
    float *white = work->scratch[2], *black = work->scratch[3], edges[MOST_EDGES], before = 1, most_contrast = 0;
    envelope(profile, width, reach, 1, white);
    envelope(profile, width, reach, -1, black);
    for (int x = 0; x < width; x++) most_contrast = fmaxf(most_contrast, white[x] - black[x]);
    int count = 0, is_dark = 0;
    for (int x = 0; x < width && count < MOST_EDGES; x++) {
        const float now = profile[x] - white[x] + fmaxf(white[x] - black[x], most_contrast / 2) / 2;
        if ((now < 0) != is_dark) edges[count++] = (float)x - now / (now - before), is_dark = !is_dark;
        before = now;
    }
    for (int first = 0; first + EDGES <= count; first += 2) {
        const float *at = edges + first, unit = (at[EDGES - 1] - at[0]) / MODULES;
        if (first > 0 && at[0] - at[-1] < least_quiet * unit) continue;
        if (first + EDGES < count && at[EDGES] - at[EDGES - 1] < least_quiet * unit) continue;
        if (!has_guards(at)) continue;
        // Ink that spreads moves both ends of a digit and the edge in its middle alike, and the two others against them.
        double rests[DIGITS * INSIDE], growth = 0, squares = 0;
        for (int i = 0; i < DIGITS * INSIDE; i++) {
            const int digit = i / INSIDE, inside = i % INSIDE + 1, start = digit < LEFT ? 3 + 4 * digit : 8 + 4 * digit;
            const float wide = fmaxf(at[start + 4] - at[start], 0.1f);
            rests[i] = 7 * (at[start + inside] - at[start]) / wide - (wanted[start + inside] - wanted[start]);
            if (inside != 2) growth += (digit < LEFT ? 1 : -1) * rests[i] / (DIGITS * (INSIDE - 1));
        }
        for (int i = 0; i < DIGITS * INSIDE; i++) {
            const double spread = i % INSIDE == 1 ? 0 : i < LEFT * INSIDE ? growth : -growth;
            squares += (rests[i] - spread) * (rests[i] - spread);
        }
        const double rest = sqrt(squares / (DIGITS * INSIDE));
        if (rest >= most_rounded) continue;
        *uneven = unevenness(at);
        return (float)rest;
    }
    return -1;
}

/// The least misplacement and unevenness of all bands, read in either direction.
static void place_edges(workspace *work, const uint8_t *patch, int height, const number *what, tbar_doubt *doubt) {
    float wanted[EDGES], uneven[2] = {0};
    edges_of(work->code, what, wanted);
    for (int band = 0; band < TBAR_CHECKED_BANDS; band++) {
        float rest[2];
        for (int back = 0; back < 2; back++)
            rest[back] = misplacement(work, average_band(work, patch, height, band, back), wanted, &uneven[back]);
        const int back = rest[0] < 0 || (rest[1] >= 0 && rest[1] < rest[0]);
        if (rest[back] < 0) continue;
        doubt->misplacement = doubt->seen > 0 ? fminf(doubt->misplacement, rest[back]) : rest[back];
        doubt->unevenness = doubt->seen > 0 ? fminf(doubt->unevenness, uneven[back]) : uneven[back];
        doubt->seen++;
    }
}

static float largest(float shares[DIGITS][10]) {
    float most = 0;
    for (int i = 0; i < DIGITS * 10; i++) most = fmaxf(most, shares[i / 10][i % 10]);
    return most;
}

/// The median of each share. A mean would be that of the bands at both ends, which are half print.
static void medians(float shares[][DIGITS][10], int bands, float result[DIGITS][10]) {
    float values[TBAR_CHECKED_BANDS];
    for (int i = 0; i < DIGITS * 10; i++) {
        for (int band = 0; band < bands; band++) values[band] = shares[band][i / 10][i % 10];
        const float above = quantile_of(values, bands, 0.5);
        result[i / 10][i % 10] = (above + values[(bands - 1) / 2]) / 2;
    }
}

/// What the middle band must leave unexplained for the search of the start to go on, after two steps of the fit.
static const double hopeless = 0.7;

/// Fits the middle band: as the ends say, then as the bars lie most likely; the direction that looks right first.
static bar_fit fit_middle(workspace *work, const uint8_t *patch, int height, double from, double to, const number *what,
                          int *is_back) {
    uint8_t bits[MODULES];
    float bars[PLACES], sampled[PLACES];
    bits_of(work->code, what, bits);
    bar_fit first = {.unexplained = 1e9};
    double scores[2];
    likely plain[2] = {{.from = from, .to = to}, {.from = work->width - 1 - to, .to = work->width - 1 - from}};
    sample_bars(bits, &plain[0], bars);
    for (int back = 0; back < 2; back++) {
        sample_profile(average_band(work, patch, height, TBAR_CHECKED_BANDS / 2, back), &plain[back], sampled);
        scores[back] = product(sampled, bars);
    }
    const int likelier = scores[1] > scores[0];
    for (int i = 0; i < 4 && first.unexplained > most_at_first; i++) {
        const int back = i % 2 == 0 ? likelier : !likelier;
        const float *profile = work->turned[back][0];
        const likely at = i < 2 ? plain[back] : lie(profile, work->width, bits, plain[back].from, plain[back].to);
        bar_fit fit = start_fit(work, profile, &at);
        refit(work, &fit, what, 3, 2);
        if (fit.unexplained > hopeless) continue;
        refine(work, &fit, what, 3, 3);
        if (is_sound(&fit) && fit.unexplained < first.unexplained) first = fit, *is_back = back;
    }
    return first;
}

/// Every so many bands one is looked at closely; between them bars that are drawn where the bands before point need only
/// leave so little unexplained. Two digits of another number leave .15 or more.
enum { SPACING = 3 };
static const double most_between = 0.05;
/// What a band leaves unexplained, as drawn, that shows other bars or none.
static const double most_at_all = 0.85;
/// Most mixture of a number that so many bands confirm. Fewer bands are noisier, and damage may cover all of them.
static const float most_confirmed = 0.075f, many_bands = 8;
/// Least mixture in one band that counts as another number.
static const float least_in_band = 0.3f;

/// The bands that were looked at closely.
typedef struct { float shares[TBAR_CHECKED_BANDS][DIGITS][10]; tbar_doubt *doubt; number rival; } looks;

/// Fits one band closely, after it was drawn, and notes which digits look like others. False if the bars of the number are
/// not there.
static int look(workspace *work, const number *what, bar_fit *fit, looks *at) {
    float (*shares)[10] = at->shares[at->doubt->bands];
    refine(work, fit, what, 3, 2);
    if (!is_sound(fit) || fit->unexplained > most_of_rival) return 0;
    mixtures(work, fit, work->width, what, shares);
    const float share = mixed(what, shares, &at->rival);
    bar_fit other = *fit;
    if (share > 0.2f) refit(work, &other, &at->rival, 3, 2);
    if (other.unexplained < better * fit->unexplained && other.unexplained <= most_unexplained && is_sound(&other)) {
        at->doubt->rivals++;
        at->doubt->band = fmaxf(at->doubt->band, share);
    }
    if (fit->unexplained > most_unexplained || largest(shares) > most_share) return 0;
    at->doubt->bands++;
    return 1;
}

/// The median mixture of all bands, and whether it confirms the number.
static void conclude(const number *what, looks *at) {
    float usual[DIGITS][10];
    tbar_doubt *doubt = at->doubt;
    if (doubt->bands == 0) return;
    medians(at->shares, doubt->bands, usual);
    doubt->mixture = mixed(what, usual, &at->rival);
    const float most = most_confirmed * sqrtf(fminf(1, (float)doubt->bands / many_bands));
    doubt->is_confirmed = doubt->mixture < most && doubt->band < least_in_band;
}

/// Compares the bands from the middle to both ends; bars may lean, so a band starts where the two before it point. If the
/// bands that are looked at closely do not confirm the number, the others are looked at too.
static void compare_bands(workspace *work, const uint8_t *patch, int height, const number *what, const bar_fit *first,
                          int is_back, tbar_doubt *doubt) {
    enum { HALF = TBAR_CHECKED_BANDS / 2 };
    looks at = {.doubt = doubt, .rival = *what};
    bar_fit middle = *first, last = *first, before = *first, passed[TBAR_CHECKED_BANDS];
    int is_passed[TBAR_CHECKED_BANDS] = {0};
    for (int i = 0; i < TBAR_CHECKED_BANDS; i++) {
        const int band = i <= HALF ? HALF + i : TBAR_CHECKED_BANDS - 1 - i;
        average_band(work, patch, height, band, is_back);
        if (i == 0 || i == HALF + 1) before = last = i == 0 ? *first : middle;
        bar_fit fit = last;
        fit.profile = work->turned[is_back][0];
        for (int k = 0; k < 4; k++) fit.place[k] += last.place[k] - before.place[k];
        refit(work, &fit, what, 3, 0);
        if (i > 0 && fit.unexplained > most_at_all) continue;
        is_passed[band] = (band - HALF) % SPACING != 0 && fit.unexplained <= most_between && is_sound(&fit);
        if (is_passed[band]) passed[band] = fit;
        if (!is_passed[band] && !look(work, what, &fit, &at)) continue;
        before = i == 0 ? fit : last, last = fit;
        if (i == 0) middle = fit;
    }
    conclude(what, &at);
    for (int band = 0; band < TBAR_CHECKED_BANDS && !doubt->is_confirmed; band++) {
        if (!is_passed[band]) continue;
        average_band(work, patch, height, band, is_back);
        refit(work, &passed[band], what, 3, 0);
        look(work, what, &passed[band], &at);
    }
    if (!doubt->is_confirmed) conclude(what, &at);
    memcpy(doubt->rival, at.rival.digits, sizeof doubt->rival);
}

int tbar_check(const uint8_t *patch, int width, int height, float from, float to, const int8_t digits[TBAR_DIGITS],
               void *memory, int64_t workspace_size, tbar_doubt *doubt) {
    if (!digits || !doubt || !is_valid(patch, width, height, from, to, memory, workspace_size)) return TBAR_E_ARGUMENT;
    workspace *work = memory;
    number what;
    for (int i = 0; i < TBAR_DIGITS; i++) {
        if (digits[i] < 0 || digits[i] > 9) return TBAR_E_ARGUMENT;
        what.digits[i] = digits[i];
    }
    memset(doubt, 0, sizeof *doubt);
    memcpy(doubt->rival, what.digits, sizeof doubt->rival);
    work->code = &ean13;
    work->width = width;
    fill_normal(&work->normal);
    int is_back = 0;
    const bar_fit first = fit_middle(work, patch, height, from, to, &what, &is_back);
    const int is_seen = first.unexplained <= most_at_first;
    if (is_seen) compare_bands(work, patch, height, &what, &first, is_back, doubt);
    if (doubt->bands == 0) place_edges(work, patch, height, &what, doubt);
    return is_seen ? TBAR_OK : TBAR_NO_BARS;
}
