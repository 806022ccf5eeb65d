// A patch of bars, straightened and averaged along the bars; whether it looks like a code, and where that may end.
#include "templates.h"
#include <math.h>
#include <string.h>

/// One row of the patch, moved by shear and fan (bars that converge); `v` is -½…½ from the top to the bottom.
static void move_row(const float *from, int width, double shear, double fan, double v, float *to) {
    const float scale = (float)(1 + fan * v), offset = (float)(width / 2.0 * (1 - scale) + shear * v);
    const float last = (float)width - 1.001f;
    for (int x = 0; x < width; x++) {
        float at = offset + scale * (float)x;
        at = at < 0 ? 0 : at > last ? last : at;
        const int pixel = (int)at;
        to[x] = from[pixel] + (at - (float)pixel) * (from[pixel + 1] - from[pixel]);
    }
}

/// How steep the edges of the mean of all rows are after this shear and fan.
static double sharpness(workspace *work, int rows, int width, double shear, double fan) {
    float *sum = work->scratch[0], *row = work->scratch[1];
    memset(sum, 0, sizeof(float) * (size_t)width);
    for (int r = 0; r < rows; r++) {
        move_row(work->thin[r], width, shear, fan, (r + 0.5) / rows - 0.5, row);
        for (int x = 0; x < width; x++) sum[x] += row[x];
    }
    double result = 0;
    for (int x = width / 8; x + 1 < width - width / 8; x++)
        result += (double)(sum[x + 1] - sum[x]) * (double)(sum[x + 1] - sum[x]);
    return result;
}

static void add_row(float *to, const float *row, int width, float weight) {
    for (int x = 0; x < width; x++) to[x] += weight * row[x];
}

/// Adds the row to those of `count` bands that contain it, weighted for their mean.
static void add_to_bands(float (*bands)[TBAR_MOST_WIDTH], int count, int r, int height, const float *row, int width) {
    for (int band = 0; band < count; band++) {
        const int top = band * height / count, below = (band + 1) * height / count;
        const int bottom = below > top ? below : top + 1;
        if (r >= top && r < bottom) add_row(bands[band], row, width, 1.0f / (float)(bottom - top));
    }
}

/// Finds the shear and fan at which the bars are sharpest, and averages the rows of the patch after them.
void straighten(workspace *work, const uint8_t *patch, int width, int height) {
    const int most = 24, each = (height + most - 1) / most, rows = height / each;
    memset(work->thin, 0, sizeof work->thin);
    for (int r = 0; r < rows * each; r++)
        for (int x = 0; x < width; x++) work->thin[r / each][x] += (float)patch[(int64_t)r * width + x] / (float)each;
    double shear = 0, fan = 0;
    const double reach = fmax(10, 0.11 * height), fan_reach = 0.12;
    static const double scales[] = {1, 0.25, 0.08};
    for (int round = 0; round < 3; round++) {
        double best = -1, chosen = shear;
        for (int i = -6; i <= 6; i++) {
            const double tried = shear + scales[round] * reach * i / 6, sharp = sharpness(work, rows, width, tried, fan);
            if (sharp > best) best = sharp, chosen = tried;
        }
        shear = chosen;
        best = -1, chosen = fan;
        for (int i = -4; i <= 4; i++) {
            const double tried = fan + scales[round] * fan_reach * i / 4, sharp = sharpness(work, rows, width, shear, tried);
            if (sharp > best) best = sharp, chosen = tried;
        }
        fan = chosen;
    }
    work->width = width;
    memset(work->slices, 0, sizeof work->slices);
    memset(work->bands, 0, sizeof work->bands);
    memset(work->parts, 0, sizeof work->parts);
    memset(work->middle, 0, sizeof work->middle);
    float *source = work->scratch[0], *row = work->scratch[1];
    for (int r = 0; r < height; r++) {
        for (int x = 0; x < width; x++) source[x] = patch[(int64_t)r * width + x];
        move_row(source, width, shear, fan, (r + 0.5) / height - 0.5, row);
        add_row(work->slices[0], row, width, 1.0f / (float)height);
        if (r < height / 2) add_row(work->slices[1], row, width, 1.0f / (float)(height / 2));
        if (r >= height / 2) add_row(work->slices[2], row, width, 1.0f / (float)(height - height / 2));
        add_to_bands(work->bands, TBAR_BANDS, r, height, row, width);
        add_to_bands(work->parts, LIKELY_BANDS, r, height, row, width);
        if (r >= height / 3 && r < 2 * height / 3) add_row(work->middle, row, width, 1.0f / (float)(2 * height / 3 - height / 3));
    }
}

/// Differences between neighbours after a blur of one pixel, of length 1 as a vector.
static void edges_in(const float *part, int from, int to, float *result) {
    double norm = 0;
    static const float kernel[] = {0.2420f, 0.3989f, 0.2420f};
    for (int x = from; x + 1 < to; x++) {
        float value = 0;
        for (int k = -1; k <= 1; k++) {
            const int at = x + k < from ? from : x + k, beside = x + 1 + k >= to ? to - 1 : x + 1 + k;
            value += kernel[k + 1] * (part[beside] - part[at]);
        }
        result[x] = value;
        norm += (double)value * value;
    }
    norm = sqrt(norm) + 1e-6;
    for (int x = from; x + 1 < to; x++) result[x] = (float)(result[x] / norm);
}

/// How alike the edges of two neighbouring parts must be, at least twice. Of 250 codes on development photos 98 % have more
/// than .89, of patches of print half have less than .82.
static const float least_alike = 0.8f;
/// Edges of a code, of which blur hides up to two thirds.
static const int fewest_edges = 16, most_edges = 90;

/// True if neighbouring parts have the same edges, as many as a code has. Most patches are print and fail.
int looks_like_bars(workspace *work, double from, double to) {
    const int low = (int)from, high = (int)to;
    float *before = work->scratch[0], *now = work->scratch[1], *mean = work->scratch[2];
    float best = -1, second = -1;
    memset(mean, 0, sizeof(float) * TBAR_MOST_WIDTH);
    for (int part = 0; part < LIKELY_BANDS; part++) {
        add_row(mean, work->parts[part], work->width, 1.0f / LIKELY_BANDS);
        edges_in(work->parts[part], low, high, now);
        float alike = 0;
        for (int x = low; part > 0 && x + 1 < high; x++) alike += before[x] * now[x];
        if (part > 0 && alike > best) {
            second = best;
            best = alike;
        } else if (part > 0 && alike > second) {
            second = alike;
        }
        memcpy(before, now, sizeof(float) * TBAR_MOST_WIDTH);
    }
    if (!(second > least_alike)) return 0;
    // Crossings of the local mean, with hysteresis.
    float most = 0;
    for (int x = low; x < high; x++) {
        float sum = 0;
        for (int k = -30; k <= 30; k++) sum += mean[x + k < low ? low : x + k >= high ? high - 1 : x + k];
        now[x] = mean[x] - sum / 61;
        most = fabsf(now[x]) > most ? fabsf(now[x]) : most;
    }
    int edges = 0, dark = 0;
    for (int x = low; x < high; x++)
        if ((now[x] < -0.15f * most && !dark) || (now[x] > 0.15f * most && dark)) dark = !dark, edges++;
    return edges >= fewest_edges && edges <= most_edges;
}

/// Writes the longest run of edges that no white gap of `gap` pixels interrupts. Returns false for a profile without edges.
static int longest_run(const float *steps, int width, float least, double gap, double run[2]) {
    int start = -1, last = -1;
    run[0] = run[1] = 0;
    for (int x = 0; x <= width; x++) {
        const int is_edge = x < width - 1 && steps[x] > least;
        if (start >= 0 && (x == width || (is_edge && x - last > gap))) {
            if (last - start > run[1] - run[0]) run[0] = start, run[1] = last;
            start = -1;
        }
        if (is_edge) {
            if (start < 0) start = x;
            last = x;
        }
    }
    return run[1] > run[0];
}

/// Where the code may begin and end: as given, and where white gaps cut the patch. Returns how many were written.
int possible_ends(workspace *work, double from, double to, double ends[MOST_ENDS][2]) {
    static const struct { int whole; double gap; } cuts[] = {{0, 0.05}, {0, 0.035}, {1, 0.05}, {0, 0.085}};
    const double length = to - from;
    float *soft = work->scratch[0], *steps = work->scratch[1], *sorted = work->scratch[2];
    int count = 1;
    ends[0][0] = from, ends[0][1] = to;
    for (int cut = 0; cut < 4; cut++) {
        smooth(cuts[cut].whole ? work->slices[0] : work->middle, work->width, 1.5, soft);
        int inside = 0;
        for (int x = 0; x + 1 < work->width; x++) {
            steps[x] = fabsf(soft[x + 1] - soft[x]);
            if (x >= from && x < to) sorted[inside++] = steps[x];
        }
        double run[2];
        const float least = 0.15f * quantile_of(sorted, inside, 0.97);
        if (!longest_run(steps, work->width, least, cuts[cut].gap * length, run)) continue;
        int is_new = run[1] - run[0] > 0.35 * length;
        for (int i = 0; i < count; i++)
            if (fabs(run[0] - ends[i][0]) <= 0.06 * length && fabs(run[1] - ends[i][1]) <= 0.06 * length) is_new = 0;
        if (is_new) ends[count][0] = run[0], ends[count++][1] = run[1];
    }
    return count;
}
