#include "CRoleNetwork.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Eight lanes where the processor has them; the same sums on every processor.
#if defined(__x86_64__) && defined(__linux__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif
#define INLINE __attribute__((always_inline)) inline
#pragma STDC FP_CONTRACT OFF

enum { MOST_SIZE = 512 };

/// A layer: `outputs` rows of `inputs` weights, then the biases.
typedef struct {
    const float *weights, *bias;
    int inputs, outputs;
} layer;

static int64_t layer_count(int64_t inputs, int64_t outputs) { return (inputs + 1) * outputs; }

static layer take_layer(const float **weights, int inputs, int outputs) {
    const layer one = {*weights, *weights + (int64_t)inputs * outputs, inputs, outputs};
    *weights += layer_count(inputs, outputs);
    return one;
}

int64_t trole_weight_count(const trole_sizes *s) {
    if (!s || s->features < 1 || s->features > MOST_SIZE || s->width < 1 || s->width > MOST_SIZE || s->layers < 1 ||
        s->layers > 16 || s->heads < 1 || s->heads > 16 || s->width % s->heads || s->relations < 1 ||
        s->relations > MOST_SIZE || s->roles < 1 || s->roles > MOST_SIZE)
        return -1;
    const int64_t w = s->width, norm = 2 * w;
    const int64_t each = 2 * norm + layer_count(w, 3 * w) + layer_count(w, w) +
                         layer_count((int64_t)s->relations * s->heads, w) + layer_count(w, 2 * w) + layer_count(2 * w, w);
    return 2 * s->features + layer_count(s->features, w) + layer_count(w, w) + layer_count(TROLE_RELATIONS, s->relations) +
           layer_count(s->relations, (int64_t)s->layers * s->heads) + s->layers * each + norm + layer_count(w, s->roles);
}

/// A block of `size` outputs of one row; its sums stay in registers.
INLINE static void multiply_block(const float *columns, const float *bias, int inputs, int outputs, const float *in,
                                  float *out, int first, int size, int adds) {
    float sums[32];
    for (int o = 0; o < size; o++) sums[o] = bias[first + o] + (adds ? out[first + o] : 0);
    for (int i = 0; i < inputs; i++) {
        const float value = in[i], *column = columns + (int64_t)i * outputs + first;
        for (int o = 0; o < size; o++) sums[o] += value * column[o];
    }
    for (int o = 0; o < size; o++) out[first + o] = sums[o];
}

/// output = weights · input + bias, or what it was plus that if `adds`, for each of `rows` rows. `columns` holds the
/// weights by input and then output, so that outputs lie beside each other.
WIDE static void multiply(const float *columns, const float *bias, int inputs, int outputs, const float *input, int rows,
                          float *output, int adds) {
    for (int row = 0; row < rows; row++) {
        const float *in = input + (int64_t)row * inputs;
        float *out = output + (int64_t)row * outputs;
        int first = 0;
        for (; first + 32 <= outputs; first += 32)
            multiply_block(columns, bias, inputs, outputs, in, out, first, 32, adds);
        for (; first + 4 <= outputs; first += 4)
            multiply_block(columns, bias, inputs, outputs, in, out, first, 4, adds);
        for (; first < outputs; first++) multiply_block(columns, bias, inputs, outputs, in, out, first, 1, adds);
    }
}

/// The weights of a layer by input and then output.
static void turn(layer one, float *columns) {
    for (int o = 0; o < one.outputs; o++)
        for (int i = 0; i < one.inputs; i++)
            columns[(int64_t)i * one.outputs + o] = one.weights[(int64_t)o * one.inputs + i];
}

/// `low` for a number that is none: coordinates of a reading may be too large to subtract.
INLINE static float clamped(float value, float low, float high) {
    return value > low ? value < high ? value : high : low;
}

/// exp without the C library: its last bits differ from one version to the next. Relative error 2e-7.
INLINE static float power(float x) {
    x = clamped(x, -87, 88);
    const float scaled = x * 1.44269504f;
    const int32_t whole = (int32_t)(scaled + 128.5f) - 128;
    const float rest = x - (float)whole * 0.693359375f + (float)whole * 2.12194440e-4f;
    float sum = 1.9875691500e-4f;
    sum = sum * rest + 1.3981999507e-3f;
    sum = sum * rest + 8.3334519073e-3f;
    sum = sum * rest + 4.1665795894e-2f;
    sum = sum * rest + 1.6666665459e-1f;
    sum = sum * rest + 5.0000001201e-1f;
    sum = sum * rest * rest + rest + 1;
    const union {
        int32_t bits;
        float value;
    } two = {(whole + 127) << 23};
    return sum * two.value;
}

/// tanh of each value.
WIDE static void squash(float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const float y = power(2 * clamped(values[i], -9, 9));
        values[i] = (y - 1) / (y + 1);
    }
}

/// x · Φ(x), with the error function of Abramowitz and Stegun 7.1.26 (1.5e-7).
WIDE static void gate(float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const float x = values[i], z = fabsf(x) * 0.70710678f, t = 1 / (1 + 0.3275911f * z);
        const float tail = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t +
                            0.254829592f) * t * power(-z * z);
        values[i] = x < 0 ? 0.5f * x * tail : x - 0.5f * x * tail;
    }
}

static void normalise(const float *norm, int width, int rows, const float *input, float *output) {
    for (int row = 0; row < rows; row++) {
        const float *in = input + (int64_t)row * width;
        float mean = 0, spread = 0;
        for (int i = 0; i < width; i++) mean += in[i];
        mean /= (float)width;
        for (int i = 0; i < width; i++) spread += (in[i] - mean) * (in[i] - mean);
        const float factor = 1 / sqrtf(spread / (float)width + 1e-5f);
        for (int i = 0; i < width; i++)
            output[(int64_t)row * width + i] = (in[i] - mean) * factor * norm[i] + norm[width + i];
    }
}

static float distance(const float *one, const float *other) {
    float sum = 1e-6f;
    for (int k = 0; k < 3; k++) sum += (other[k] - one[k]) * (other[k] - one[k]);
    return sqrtf(sum);
}

INLINE static float least(float a, float b) { return a < b ? a : b; }
INLINE static float most(float a, float b) { return a > b ? a : b; }

enum { SQUASHED = 15, PLAIN = TROLE_RELATIONS - TROLE_LINKS - SQUASHED };

/// What text `j` is to text `i`: offsets of edges and rows in heights of the smaller one, overlap, sizes, print, links.
/// `soft` are those whose tanh counts.
static void relate(const float *places, const int32_t *links, int i, int j, float soft[SQUASHED], float *rest) {
    const float *a = places + i * TROLE_PLACE, *b = places + j * TROLE_PLACE;
    const float height = most(0.05f, least(a[3], b[3]));
    const float left = (b[0] - a[0]) / height, right = (b[1] - a[1]) / height, down = (b[2] - a[2]) / height;
    const float centre = (left + right) / 2;
    const float narrow = least(most(0.1f, a[1] - a[0]), most(0.1f, b[1] - b[0]));
    const float overlap = (least(a[1], b[1]) - most(a[0], b[0])) / narrow;
    const float size = logf(most(0.05f, b[3])) - logf(most(0.05f, a[3]));
    const float known = a[11] * b[11];
    const float ink = distance(a + 4, b + 4) * known, ground = distance(a + 7, b + 7) * known;
    const float stroke = (b[10] - a[10]) * known;
    const float first[SQUASHED] = {left, left / 6, right / 3, centre, centre / 6, down, down / 3, down / 8, down / 30,
                                   fabsf(down) / 2, 3 * size, fabsf(left), fabsf(centre), 2 * ink, 3 * stroke};
    const float second[PLAIN] = {fabsf(down) < 0.6f, clamped(overlap, -3, 1), overlap > 0, least(3 * fabsf(size), 2),
                                 fabsf(left) < 0.4f, least(ink, 3), least(ground, 2), least(fabsf(stroke), 1), known,
                                 (ink < 0.35f) * known, i == j};
    memcpy(soft, first, sizeof first);
    memcpy(rest, second, sizeof second);
    for (int k = 0; k < TROLE_LINKS; k++) rest[PLAIN + k] = links[i * TROLE_LINKS + k] == j;
}

/// One head: for each text the mean of all texts' values and relations, by attention.
WIDE static void attend(int count, int size, int stride, int relations, const float *mixed, const float *related,
                        const float *biases, int bias_stride, float *values, int value_stride, float *seen,
                        int seen_stride) {
    const float root = 1 / sqrtf((float)size);
    for (int i = 0; i < count; i++) {
        float weights[TROLE_MOST_TEXTS], top = -1e30f, sum = 0;
        const float *query = mixed + (int64_t)i * 3 * stride;
        for (int j = 0; j < count; j++) {
            const float *key = mixed + (int64_t)j * 3 * stride + stride;
            // Four sums beside each other, added in one order.
            float products[4] = {0, 0, 0, 0};
            int k = 0;
            for (; k + 4 <= size; k += 4)
                for (int lane = 0; lane < 4; lane++) products[lane] += query[k + lane] * key[k + lane];
            for (; k < size; k++) products[0] += query[k] * key[k];
            const float product = (products[0] + products[1]) + (products[2] + products[3]);
            weights[j] = product * root + biases[((int64_t)i * count + j) * bias_stride];
            top = most(top, weights[j]);
        }
        for (int j = 0; j < count; j++) weights[j] = power(weights[j] - top);
        for (int j = 0; j < count; j++) sum += weights[j];
        float *value = values + (int64_t)i * value_stride, *all = seen + (int64_t)i * seen_stride;
        memset(value, 0, sizeof(float) * (size_t)size);
        memset(all, 0, sizeof(float) * (size_t)relations);
        for (int j = 0; j < count; j++) {
            const float share = weights[j] / sum;
            const float *other = mixed + (int64_t)j * 3 * stride + 2 * stride;
            const float *relation = related + ((int64_t)i * count + j) * relations;
            for (int k = 0; k < size; k++) value[k] += share * other[k];
            for (int k = 0; k < relations; k++) all[k] += share * relation[k];
        }
    }
}

/// Buffers of one run, in one block.
typedef struct {
    float *columns, *table, *state, *normal, *mixed, *value, *seen, *wide, *related, *biases;
} buffers;

static void forward(const trole_sizes *s, const float *weights, int n, const float *features, const float *places,
                    const int32_t *links, const buffers *b, float *probabilities) {
    const int w = s->width, h = s->heads, r = s->relations;
    const float *mean = weights, *scale = weights + s->features;
    weights += 2 * s->features;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->features; k++)
            b->table[i * s->features + k] = clamped((features[i * s->features + k] - mean[k]) / scale[k], -5, 5);
#define APPLY(input, rows, output, adds, inputs, outputs)                                                              \
    do {                                                                                                               \
        const layer one = take_layer(&weights, inputs, outputs);                                                       \
        turn(one, b->columns);                                                                                         \
        multiply(b->columns, one.bias, inputs, outputs, input, rows, output, adds);                                                               \
    } while (0)
    APPLY(b->table, n, b->normal, 0, s->features, w);
    gate(b->normal, (int64_t)n * w);
    APPLY(b->normal, n, b->state, 0, w, w);

    const layer relation = take_layer(&weights, TROLE_RELATIONS, r);
    turn(relation, b->columns);
    for (int i = 0; i < n; i++) {
        float soft[TROLE_MOST_TEXTS * SQUASHED];
        for (int j = 0; j < n; j++) relate(places, links, i, j, soft + j * SQUASHED, b->wide + j * TROLE_RELATIONS + SQUASHED);
        squash(soft, (int64_t)n * SQUASHED);
        for (int j = 0; j < n; j++)
            memcpy(b->wide + j * TROLE_RELATIONS, soft + j * SQUASHED, sizeof(float) * SQUASHED);
        multiply(b->columns, relation.bias, TROLE_RELATIONS, r, b->wide, n, b->related + (int64_t)i * n * r, 0);
    }
    gate(b->related, (int64_t)n * n * r);
    APPLY(b->related, n * n, b->biases, 0, r, s->layers * h);

    for (int k = 0; k < s->layers; k++) {
        normalise(weights, w, n, b->state, b->normal);
        weights += 2 * w;
        APPLY(b->normal, n, b->mixed, 0, w, 3 * w);
        for (int head = 0; head < h; head++) {
            const int size = w / h;
            attend(n, size, w, r, b->mixed + head * size, b->related, b->biases + k * h + head, s->layers * h,
                   b->value + head * size, w, b->seen + head * r, h * r);
        }
        APPLY(b->value, n, b->state, 1, w, w);
        APPLY(b->seen, n, b->state, 1, h * r, w);
        normalise(weights, w, n, b->state, b->normal);
        weights += 2 * w;
        APPLY(b->normal, n, b->wide, 0, w, 2 * w);
        gate(b->wide, (int64_t)n * 2 * w);
        APPLY(b->wide, n, b->state, 1, 2 * w, w);
    }
    normalise(weights, w, n, b->state, b->normal);
    weights += 2 * w;
    APPLY(b->normal, n, probabilities, 0, w, s->roles);
#undef APPLY
    for (int i = 0; i < n; i++) {
        float *row = probabilities + (int64_t)i * s->roles, top = row[0], sum = 0;
        for (int k = 1; k < s->roles; k++) top = most(top, row[k]);
        for (int k = 0; k < s->roles; k++) sum += row[k] = power(row[k] - top);
        for (int k = 0; k < s->roles; k++) row[k] /= sum;
    }
}

int trole_run(const trole_sizes *s, const float *weights, int64_t weight_count, int32_t n, const float *features,
              const float *places, const int32_t *links, float *probabilities) {
    if (!weights || !features || !places || !links || !probabilities || n < 1 || n > TROLE_MOST_TEXTS ||
        weight_count < 0 || trole_weight_count(s) != weight_count)
        return TROLE_E_ARGUMENT;
    const size_t count = (size_t)n, w = (size_t)s->width, r = (size_t)s->relations, h = (size_t)s->heads;
    size_t largest = (size_t)s->features * w;
    const size_t others[] = {3 * w * w, r * h * w, 2 * w * w, TROLE_RELATIONS * r, r * (size_t)s->layers * h,
                             w * (size_t)s->roles};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k] > largest) largest = others[k];
    const size_t wide = 2 * w > TROLE_RELATIONS ? 2 * w : TROLE_RELATIONS;
    const size_t sizes[] = {largest,       count * (size_t)s->features, count * w, count * w,
                            count * 3 * w, count * w,                   count * h * r, count * wide,
                            count * count * r, count * count * (size_t)s->layers * h};
    size_t total = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) total += sizes[k];
    float *block = malloc(total * sizeof(float));
    if (!block) return TROLE_E_MEMORY;
    float *at[sizeof sizes / sizeof *sizes], *next = block;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; next += sizes[k++]) at[k] = next;
    const buffers b = {at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], at[9]};
    forward(s, weights, n, features, places, links, &b, probabilities);
    free(block);
    return TROLE_OK;
}
