// The passes over a patch: starts, alternating decoding and fitting, and the judgement of the best number.
#include "templates.h"
#include <math.h>
#include <string.h>

/// Starts kept of one search, and solved in one pass.
enum { STARTS_EACH = 6 };
/// A fit that leaves more of the variance is not judged.
static const double most_unexplained = 0.4;
/// If the plain pass starts with a larger error, the others do not run. Codes that a later pass read had at most .036.
static const float most_error_to_go_on = 0.04f;

int64_t tbar_workspace_size(void) { return (int64_t)sizeof(workspace); }

static bar_fit fit_of(const workspace *work, const bar_start *start) {
    const double half = work->code->modules / 2.0, pad = (start->to - start->from) / (2 * half) * QUIET;
    bar_fit fit = {
        .profile = work->turned[start->reversed][start->profile],
        .from = (int)ceil(fmax(0, start->from - pad)), .to = (int)fmin(work->width, start->to + pad + 1),
        .middle = (start->from + start->to) / 2, .half = (start->to - start->from) / 2,
        .place = {half * (1 - start->shift), half * (1 - start->bend), half * start->shift, half * start->bend},
        .blur = 0.6,
        .white = {start->white[0], start->white[1]}, .contrast = {start->contrast[0], start->contrast[1]},
    };
    return fit;
}

/// Alternates decoding and fitting until the number stays. False if no plausible fit was found.
static int settle(workspace *work, bar_fit *fit, number *what, int rounds) {
    bar_fit best = {.unexplained = 1e9};
    number best_what = {{0}}, now = {{-1}};
    for (int round = 0; round < rounds; round++) {
        listed found[BEST];
        measure(work, fit, work->width, &work->one);
        if (!best_numbers(work, &work->one, 1, 1, found) || !memcmp(&found[0].what, &now, sizeof now)) break;
        now = found[0].what;
        refit(work, fit, &now, round < 2 ? 2 : 3, 2);
        if (!is_sound(fit)) return 0;
        if (fit->unexplained < best.unexplained) best = *fit, best_what = now;
    }
    if (best.unexplained >= 1e9) return 0;
    *fit = best;
    *what = best_what;
    return 1;
}

typedef struct {
    bar_fit fits[TBAR_BANDS];
    number numbers[TBAR_BANDS];
    int order[TBAR_BANDS];  // bands by what they leave unexplained
    int bands, used;
} band_fits;

/// Fits each band on its own, from the geometry of the whole; drops the worst third (glare, print beside the bars).
static int fit_bands(workspace *work, const bar_fit *whole, int reversed, band_fits *result) {
    result->bands = 0;
    for (int band = 0; band < TBAR_BANDS; band++) {
        bar_fit fit = *whole;
        number what;
        fit.profile = work->turned[reversed][SLICES + band];
        if (!settle(work, &fit, &what, 3)) continue;
        const int at = result->bands++;
        result->fits[at] = fit;
        result->numbers[at] = what;
        int place = at;
        for (; place > 0 && result->fits[result->order[place - 1]].unexplained > fit.unexplained; place--)
            result->order[place] = result->order[place - 1];
        result->order[place] = at;
    }
    const int two_thirds = (result->bands + 1) * 2 / 3;
    result->used = two_thirds > 3 ? two_thirds : 3;
    return result->bands >= 3;
}

/// A number's mean over the bands of ln(error) and of the error, each band fitted for this number.
static void judge_number(workspace *work, const band_fits *bands, const number *what, double *log_error, double *error) {
    *log_error = *error = 0;
    for (int i = 0; i < bands->used; i++) {
        bar_fit fit = bands->fits[bands->order[i]];
        refit(work, &fit, what, 3, 3);
        *log_error += log(fmax(fit.unexplained, 1e-5)) / bands->used;
        *error += fit.unexplained / bands->used;
    }
}

/// Decodes all bands together and compares the best numbers. False if too few bands fit.
static int judge(workspace *work, const bar_fit *whole, int reversed, tbar_reading *result) {
    band_fits bands;
    if (!fit_bands(work, whole, reversed, &bands)) return 0;
    memset(&work->sum, 0, sizeof work->sum);
    float quiets[TBAR_BANDS], framed[TBAR_BANDS], contrasts[TBAR_BANDS];
    for (int i = 0; i < bands.used; i++) {
        const bar_fit *fit = &bands.fits[bands.order[i]];
        const double noise = fmax(fit->noise, 0.03);
        measure(work, fit, work->width, &work->one);
        add_weighted(&work->sum, &work->one, (float)(1 / (noise * noise)));
        quiets[i] = (float)quiet_spread(work->code, fit, work->width);
        framed[i] = (float)framed_spread(work->code, fit, work->width);
        contrasts[i] = (float)least_contrast(fit);
    }
    listed found[BEST];
    const int count = best_numbers(work, &work->sum, 1, BEST, found);
    if (count < 2) return 0;
    double logs[BEST], errors[BEST];
    int best = 0, second = -1;
    for (int i = 0; i < count; i++) judge_number(work, &bands, &found[i].what, &logs[i], &errors[i]);
    for (int i = 1; i < count; i++)
        if (logs[i] < logs[best]) best = i;
    for (int i = 0; i < count; i++)
        if (i != best && (second < 0 || logs[i] < logs[second])) second = i;
    // A number whose check digit is wrong may fit better still, in this pass or in one before: then one of the digits is
    // not what it seems, or the bars are those of that number.
    listed unchecked[BEST];
    double log_error = logs[best], error;
    if (best_numbers(work, &work->sum, 0, 1, unchecked)) judge_number(work, &bands, &unchecked[0].what, &log_error, &error);
    work->invalid_error = fmin(work->invalid_error, log_error);
    const bar_fit *first = &bands.fits[bands.order[0]];
    memset(result, 0, sizeof *result);
    result->count = printed(work->code, &found[best].what, result->digits);
    printed(work->code, &found[second].what, result->second);
    result->bands = bands.bands;
    result->agreeing = 0;
    for (int i = 0; i < bands.bands; i++)
        result->agreeing += !memcmp(&bands.numbers[i], &found[best].what, sizeof(number));
    result->unexplained = (float)errors[best];
    result->margin = (float)(logs[second] - logs[best]);
    result->invalid = (float)fmax(0, logs[best] - work->invalid_error);
    result->quiet = quantile_of(quiets, bands.used, 0.5);
    result->framed = quantile_of(framed, bands.used, 0.5);
    result->contrast = quantile_of(contrasts, bands.used, 0.5);
    result->blur = (float)first->blur;
    result->growth = (float)first->growth;
    const double from = pixel_of(whole, 0), to = pixel_of(whole, work->code->modules);
    result->from = (float)(reversed ? work->width - 1 - to : from);
    result->to = (float)(reversed ? work->width - 1 - from : to);
    return 1;
}

/// Copies the averaged profiles in both directions; `inverse` swaps black and white.
static void turn_profiles(workspace *work, int inverse) {
    for (int i = 0; i < SLICES + TBAR_BANDS; i++) {
        const float *from = i < SLICES ? work->slices[i] : work->bands[i - SLICES];
        for (int x = 0; x < work->width; x++) {
            const float value = inverse ? 255 - from[x] : from[x];
            work->turned[0][i][x] = value;
            work->turned[1][i][work->width - 1 - x] = value;
        }
    }
}

/// Puts a start among the best; they stay in order.
static void keep_start(bar_start *starts, int *count, const bar_start *one) {
    if (*count == MOST_STARTS && starts[MOST_STARTS - 1].score <= one->score) return;
    int at = *count < MOST_STARTS ? (*count)++ : MOST_STARTS - 1;
    for (; at > 0 && starts[at - 1].score > one->score; at--) starts[at] = starts[at - 1];
    starts[at] = *one;
}

typedef struct { double bend, shift; } warp;

/// One pass. False if nothing fits. `error` receives the least error of a start.
static int run_pass(workspace *work, double ends[MOST_ENDS][2], int end_count, const warp *warps, int warp_count,
                    tbar_reading *result, float *error) {
    bar_start starts[MOST_STARTS], found[STARTS_EACH];
    int count = 0;
    for (int reversed = 0; reversed < 2; reversed++)
        for (int end = 0; end < end_count; end++) {
            const double from = reversed ? work->width - 1 - ends[end][1] : ends[end][0];
            const double to = reversed ? work->width - 1 - ends[end][0] : ends[end][1];
            for (int slice = 0; slice < SLICES; slice++)
                for (int w = 0; w < warp_count; w++) {
                    const int more = find_starts(work, slice, reversed, from, to, warps[w].bend, warps[w].shift, found,
                                                 STARTS_EACH);
                    for (int i = 0; i < more; i++) keep_start(starts, &count, &found[i]);
                }
        }
    *error = count > 0 ? starts[0].score : 1;
    bar_fit best = {.unexplained = most_unexplained};
    int is_reversed = -1;
    for (int i = 0; i < count; i++) {
        bar_fit fit = fit_of(work, &starts[i]);
        number what;
        if (settle(work, &fit, &what, 4) && fit.unexplained < best.unexplained) best = fit, is_reversed = starts[i].reversed;
    }
    return is_reversed >= 0 && judge(work, &best, is_reversed, result);
}

/// The first parts of the likeliest ends: what follows is an add-on of five or two digits whose gap was not seen.
static void ends_without_add_on(double ends[MOST_ENDS][2], int count, double shorter[2][2]) {
    static const double shares[] = {0.63, 0.78};
    const double *whole = ends[count > 1 ? 1 : 0];
    for (int i = 0; i < 2; i++) {
        shorter[i][0] = whole[0];
        shorter[i][1] = whole[0] + shares[i] * (whole[1] - whole[0]);
    }
}

int is_valid(const uint8_t *patch, int width, int height, float from, float to, const void *memory, int64_t size) {
    return patch && memory && width >= TBAR_LEAST_WIDTH && width <= TBAR_MOST_WIDTH &&
           height >= TBAR_LEAST_HEIGHT && height <= TBAR_MOST_HEIGHT && from >= 0 && to <= (float)width &&
           to - from >= 1.2f * MODULES && size >= tbar_workspace_size() && (uintptr_t)memory % 64 == 0;
}

int tbar_read(const uint8_t *patch, int width, int height, float from, float to, const tbar_limits *enough, void *memory,
              int64_t workspace_size, tbar_reading *readings, int32_t *count) {
    if (!readings || !count || !enough || !is_valid(patch, width, height, from, to, memory, workspace_size))
        return TBAR_E_ARGUMENT;
    static const warp flat[] = {{0, 0}}, bent[] = {{0.06, 0}, {0.03, 0.05}, {0.03, -0.05}};
    workspace *work = memory;
    *count = 0;
    work->invalid_error = 1e9;
    fill_normal(&work->normal);
    straighten(work, patch, width, height);
    if (!looks_like_bars(work, from, to)) return TBAR_NO_BARS;
    double ends[MOST_ENDS][2], shorter[2][2];
    const int end_count = possible_ends(work, from, to, ends);
    ends_without_add_on(ends, end_count, shorter);
    float error = 0, first_error = 0;
    for (tbar_pass pass = TBAR_PLAIN; pass < TBAR_PASSES; pass++) {
        tbar_reading *one = &readings[*count];
        if (pass != TBAR_PLAIN && pass <= TBAR_BENT && first_error > most_error_to_go_on) continue;
        const layout *code = pass == TBAR_EAN8 ? &ean8 : pass == TBAR_UPCE ? &upce : &ean13;
        if (pass == TBAR_PLAIN || code != work->code) {
            work->code = code;
            fill_starts(work);
        }
        const int is_beside = pass == TBAR_ADD_ON, is_bent = pass == TBAR_BENT;
        turn_profiles(work, pass == TBAR_INVERSE);
        const int fits = run_pass(work, is_beside ? shorter : ends, is_beside ? 2 : end_count, is_bent ? bent : flat,
                                  is_bent ? 3 : 1, one, &error);
        if (fits) {
            one->pass = pass;
            ++*count;
            if (one->margin >= enough[pass].margin && one->unexplained <= enough[pass].unexplained) break;
        }
        if (pass == TBAR_PLAIN) first_error = error;
    }
    return TBAR_OK;
}
