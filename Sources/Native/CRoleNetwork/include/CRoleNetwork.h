// The forward pass of the network that gives texts of a page their roles. Plain arithmetic over arrays of the caller:
// no library, no file, no global state that changes. The same numbers give the same result on every processor: no fused
// multiplication, and sums run in one order.
#ifndef TABLESIGHT_CROLENETWORK_H
#define TABLESIGHT_CROLENETWORK_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
    TROLE_OK = 0,
    TROLE_E_ARGUMENT = -1, // a null pointer, a size out of range, or a number of weights that does not fit
    TROLE_E_MEMORY = -2,
};
enum {
    TROLE_PLACE = 12,      // numbers of a text's place: left, right, middle, height; ink (3), ground (3), stroke, 1 if measured
    TROLE_LINKS = 6,       // up, down, two up, two down, left, right
    TROLE_RELATIONS = 32,  // numbers that compare two texts
    TROLE_MOST_TEXTS = 256,
};

/// Sizes of a network. `width` is divisible by `heads`; all are at most 512.
typedef struct {
    int32_t features, width, layers, heads, relations, roles;
} trole_sizes;

/// How many weights a network of these sizes has; -1 if they are out of range.
int64_t trole_weight_count(const trole_sizes *sizes);

/// Role probabilities of `count` texts (1…TROLE_MOST_TEXTS).
///
/// `weights`, in this order, matrices by output and then input: mean and scale of the features; two layers of the
/// embedding; the relations' layer; the attention's bias of all layers and heads; for each layer: norm (scale, bias),
/// query-key-value, output, relations' output, norm, two layers; at the end norm and output. Each matrix is followed by
/// its bias.
/// `features`: count × features. `places`: count × TROLE_PLACE. `links`: count × TROLE_LINKS indices, -1 for none.
/// `probabilities`: count × roles, written.
int trole_run(const trole_sizes *sizes, const float *weights, int64_t weight_count, int32_t count,
              const float *features, const float *places, const int32_t *links, float *probabilities);

#ifdef __cplusplus
}
#endif
#endif
