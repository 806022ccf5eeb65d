// The squared error of every number at once, and the numbers with the least.
#include "templates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A blurred edge at samples (i + ½) / SAMPLES modules behind it, i from -SPAN to SPAN.
typedef struct { float rise[2 * SPAN], fall[2 * SPAN]; } edge_response;

static void respond(const normal_table *normal, double blur, double growth, edge_response *result) {
    // Further off an edge is complete.
    const int reach = (int)ceil((NORMAL_REACH * blur + fabs(growth) / 2) * SAMPLES) + 1;
    for (int i = 0; i < 2 * SPAN; i++) {
        if (abs(i - SPAN) > reach) {
            result->rise[i] = result->fall[i] = i < SPAN ? 0 : 1;
            continue;
        }
        const double u = (i - SPAN + 0.5) / SAMPLES;
        float density;
        normal_at(normal, (float)((u + growth / 2) / blur), &result->rise[i], &density);
        normal_at(normal, (float)((u - growth / 2) / blur), &result->fall[i], &density);
    }
}

/// Adds an edge at `offset` samples.
static void add_edge(const edge_response *edge, int rises, int offset, float *to, int count) {
    const float *from = (rises ? edge->rise : edge->fall) + SPAN - offset;
    if (rises) {
        for (int k = 0; k < count; k++) to[k] += from[k];
    } else {
        for (int k = 0; k < count; k++) to[k] -= from[k];
    }
}

/// The shapes of digits and the guards, blurred. A shape is white on both sides, so that all of them add up to a code.
static void draw_shapes(workspace *work, const bar_fit *fit) {
    edge_response edge;
    respond(&work->normal, fit->blur, fit->growth, &edge);
    memset(work->shapes, 0, sizeof work->shapes);
    memset(work->columns, 0, sizeof work->columns);
    memset(work->fixed, 0, sizeof work->fixed);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int module = 0; module <= 7; module++) {
            const int before = module > 0 && shape_bit(shape, module - 1), after = module < 7 && shape_bit(shape, module);
            if (before != after)
                add_edge(&edge, after, (SHAPE_SPAN - 7 * SAMPLES) / 2 + module * SAMPLES, work->shapes[shape], SHAPE_SPAN);
        }
        for (int k = 0; k < SHAPE_SPAN; k++) work->columns[k][shape] = work->shapes[shape][k];
    }
    for (int i = 0; i < work->code->guard_edges; i++)
        add_edge(&edge, i % 2 == 0, (QUIET + work->code->guards_at[i]) * SAMPLES, work->fixed, SPAN);
}

/// result[lane] += sum over k of row[k] * columns[k][lane].
WIDE static void multiply(const float *row, float (*columns)[LANES], int count, float result[LANES]) {
    float sums[LANES];
    for (int lane = 0; lane < LANES; lane++) sums[lane] = result[lane];
    for (int k = 0; k < count; k++)
        for (int lane = 0; lane < LANES; lane++) sums[lane] += row[k] * columns[k][lane];
    for (int lane = 0; lane < LANES; lane++) result[lane] = sums[lane];
}

/// The errors of all numbers against the profile, at the position, blur and light of the fit.
void measure(workspace *work, const bar_fit *fit, int width, energies *result) {
    float norms[LANES] = {0}, twice[SHAPE_SPAN];
    draw_shapes(work, fit);
    sample_blackness(work->code, fit, width, work->blackness);
    for (int k = 0; k < SHAPE_SPAN; k++)
        for (int lane = 0; lane < LANES; lane++) norms[lane] += work->columns[k][lane] * work->columns[k][lane];
    for (int digit = 0; digit < work->code->digits; digit++) {
        const int start = (QUIET + digit_start(work->code, digit)) * SAMPLES - 14;
        for (int k = 0; k < SHAPE_SPAN; k++) twice[k] = -2 * (work->blackness[start + k] - work->fixed[start + k]);
        memcpy(result->digit[digit], norms, sizeof norms);
        multiply(twice, work->columns, SHAPE_SPAN, result->digit[digit]);
    }
    // Neighbours overlap by seven modules, those on both sides of the centre guard by two.
    memset(result->left, 0, sizeof result->left);
    memset(result->centre, 0, sizeof result->centre);
    memset(result->right, 0, sizeof result->right);
    const int apart = 7 * SAMPLES, further = 12 * SAMPLES;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int k = 0; k < SHAPE_SPAN; k++) twice[k] = 2 * work->shapes[shape][k];
        if (shape < 20) {
            multiply(twice + apart, work->columns, SHAPE_SPAN - apart, result->left[shape]);
            multiply(twice + further, work->columns, SHAPE_SPAN - further, result->centre[shape]);
        } else {
            multiply(twice + apart, work->columns, SHAPE_SPAN - apart, result->right[shape - 20]);
        }
    }
}

/// By how much each digit of the number looks like each other one of its parity: 0 not at all, 1 as if it were that.
void mixtures(workspace *work, const bar_fit *fit, int width, const number *what, float shares[DIGITS][10]) {
    float rest[SPAN], norms[LANES] = {0};
    draw_shapes(work, fit);
    sample_blackness(work->code, fit, width, work->blackness);
    for (int k = 0; k < SPAN; k++) rest[k] = work->blackness[k] - work->fixed[k];
    for (int k = 0; k < SHAPE_SPAN; k++)
        for (int lane = 0; lane < LANES; lane++) norms[lane] += work->columns[k][lane] * work->columns[k][lane];
    for (int digit = 0; digit < DIGITS; digit++) {
        float *here = rest + (QUIET + digit_start(work->code, digit)) * SAMPLES - 14;
        const float *drawn = work->shapes[shape_of(work->code, what, digit)];
        for (int k = 0; k < SHAPE_SPAN; k++) here[k] -= drawn[k];
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        const float *here = rest + (QUIET + digit_start(work->code, digit)) * SAMPLES - 14;
        const int own = shape_of(work->code, what, digit), kind = own - what->digits[digit + 1];
        float products[LANES] = {0}, common[LANES] = {0};
        multiply(here, work->columns, SHAPE_SPAN, products);
        multiply(work->shapes[own], work->columns, SHAPE_SPAN, common);
        for (int shape = kind; shape < kind + 10; shape++) {
            const float norm = norms[shape] + norms[own] - 2 * common[shape];
            shares[digit][shape - kind] = shape == own ? 0 : (products[shape] - products[own]) / (norm + 1e-6f);
        }
    }
}

void add_weighted(energies *sum, const energies *one, float weight) {
    const float *from = (const float *)one;
    float *to = (float *)sum;
    for (size_t i = 0; i < sizeof *sum / sizeof(float); i++) to[i] += weight * from[i];
}

static const float none = 1e30f;

static void clear(digit_lists *lists) {
    for (int a = 0; a < 10; a++)
        for (int check = 0; check < 10; check++)
            for (int k = 0; k < BEST; k++) lists->cost[a][check][k] = none;
}

/// Inserts a way into a list of at most `most`; false if it is too expensive, as all further ones are.
static inline int insert(float *costs, int16_t *via, int most, float cost, int from) {
    if (!(cost < costs[most - 1])) return 0;
    int at = most - 1;
    for (; at > 0 && costs[at - 1] > cost; at--) {
        costs[at] = costs[at - 1];
        via[at] = via[at - 1];
    }
    costs[at] = cost;
    via[at] = (int16_t)from;
    return 1;
}

/// The weight of digit 0…11 in the check sum; the first digit of the number weighs 1.
static int weight_of(int digit, int is_checked) { return is_checked ? digit % 2 == 0 ? 3 : 1 : 0; }

/// Extends the lists of a digit to those of the next. `pairs` and `costs` are of the next digit's shapes.
static void extend(const digit_lists *from, digit_lists *to, const float (*pairs)[LANES], int from_shape,
                   const float *costs, int to_shape, int weight, int most) {
    clear(to);
    for (int a = 0; a < 10; a++)
        for (int check = 0; check < 10; check++) {
            if (from->cost[a][check][0] >= none) continue;
            for (int b = 0; b < 10; b++) {
                const float more = pairs[from_shape + a][to_shape + b] + costs[to_shape + b];
                const int sum = (check + weight * b) % 10;
                for (int k = 0; k < most; k++)
                    if (!insert(to->cost[b][sum], to->via[b][sum], most, from->cost[a][check][k] + more,
                                (a * 10 + check) * BEST + k))
                        break;
            }
        }
}

static void begin(digit_lists *lists, const float *costs, int shape, int weight) {
    clear(lists);
    for (int a = 0; a < 10; a++) {
        lists->cost[a][weight * a % 10][0] = costs[shape + a];
        lists->via[a][weight * a % 10][0] = -1;
    }
}

/// The left digits and the right ones of the number that the two ways make.
static number trace(const workspace *work, int first, int left, int right) {
    number what;
    memset(&what, 0, sizeof what);
    what.digits[0] = (int8_t)first;
    const int half = work->code->left;
    for (int digit = half - 1; digit >= 0 && left >= 0; digit--) {
        what.digits[digit + 1] = (int8_t)(left / (10 * BEST));
        left = work->forward[digit].via[left / (10 * BEST)][left / BEST % 10][left % BEST];
    }
    for (int digit = half; digit < work->code->digits && right >= 0; digit++) {
        what.digits[digit + 1] = (int8_t)(right / (10 * BEST));
        right = work->backward[digit - half].via[right / (10 * BEST)][right / BEST % 10][right % BEST];
    }
    return what;
}

/// Puts the number in its place among the cheapest.
static void list(listed best[BEST], int most, float cost, number what) {
    int at = most - 1;
    for (; at > 0 && best[at - 1].cost > cost; at--) best[at] = best[at - 1];
    best[at] = (listed){cost, what};
}

static int count_of(const listed best[BEST], int most) {
    int count = 0;
    while (count < most && best[count].cost < none) count++;
    return count;
}

/// Keeps the number if it is among the cheapest; false if it is not.
static int keep(listed best[BEST], int most, float cost, const workspace *work, int first, int left, int right) {
    if (!(cost < best[most - 1].cost)) return 0;
    list(best, most, cost, trace(work, first, left, right));
    return 1;
}

/// The search of a UPC-E, whose check digit is in the parity and weighs digits by the last one.
typedef struct {
    const energies *of;
    float rest[DIGITS][20];     // the least that the digits after one of this shape cost
    listed *best;
    int most, is_checked, steps;
    int8_t shapes[LEFT];
} descent;

/// Steps after which the search takes what it has. Of bars that are a UPC-E it takes some hundreds.
static const int most_steps = 20000;

/// Lists the number of the shapes, if there is one.
static void end_descent(descent *at, float cost) {
    number what = {{0}};
    int even = 0;
    for (int digit = 0; digit < LEFT; digit++) {
        what.digits[digit + 1] = at->shapes[digit] % 10;
        even |= (at->shapes[digit] / 10) << (LEFT - 1 - digit);
    }
    for (int parity = 0; parity < upce.parity_count; parity++) {
        what.digits[0] = (int8_t)parity;
        if (upce.parities[parity] == even && (!at->is_checked || is_code(&upce, &what))) list(at->best, at->most, cost, what);
    }
}

/// Depth first, the cheapest shapes first, without those that no number of the list can have.
static void descend(descent *at, int digit, float cost) {
    uint32_t tried = 0;
    while (at->steps++ < most_steps) {
        int next = -1;
        float least = at->best[at->most - 1].cost, costs = 0;
        for (int shape = 0; shape < 20; shape++) {
            if (tried >> shape & 1) continue;
            const float own = cost + at->of->digit[digit][shape] + (digit > 0 ? at->of->left[at->shapes[digit - 1]][shape] : 0);
            if (own + at->rest[digit][shape] < least) least = own + at->rest[digit][shape], next = shape, costs = own;
        }
        if (next < 0) return;
        tried |= 1u << next;
        at->shapes[digit] = (int8_t)next;
        if (digit == LEFT - 1) {
            end_descent(at, costs);
        } else {
            descend(at, digit + 1, costs);
        }
    }
}

static void search_upce(const energies *of, int is_checked, int most, listed best[BEST]) {
    descent start = {.of = of, .best = best, .most = most, .is_checked = is_checked};
    for (int digit = LEFT - 2; digit >= 0; digit--)
        for (int a = 0; a < 20; a++) {
            start.rest[digit][a] = none;
            for (int b = 0; b < 20; b++) {
                const float more = of->left[a][b] + of->digit[digit + 1][b] + start.rest[digit + 1][b];
                if (more < start.rest[digit][a]) start.rest[digit][a] = more;
            }
        }
    descend(&start, 0, 0);
}

/// Joins the left halves of numbers with this first digit to the right halves that make their check sums right.
static void join(workspace *work, const energies *of, int first, int is_checked, int most, listed best[BEST]) {
    const int last = work->code->left - 1, shape = is_even(work->code, first, last) ? 10 : 0;
    const digit_lists *left = &work->forward[last], *right = &work->backward[0];
    for (int a = 0; a < 10; a++)
        for (int check = 0; check < 10; check++)
            for (int b = 0; b < 10; b++) {
                const int wanted = is_checked ? (20 - first - check) % 10 : 0;
                const float pair = of->centre[shape + a][20 + b];
                for (int k = 0; k < most && left->cost[a][check][k] < none; k++) {
                    int kept = 0;
                    for (int j = 0; j < most && right->cost[b][wanted][j] < none; j++, kept++)
                        if (!keep(best, most, left->cost[a][check][k] + pair + right->cost[b][wanted][j], work, first,
                                  (a * 10 + check) * BEST + k, (b * 10 + wanted) * BEST + j))
                            break;
                    if (!kept) break;
                }
            }
}

/// The numbers of least error, cheapest first, at most `most`; with a valid check digit, or with any. Returns how many.
int best_numbers(workspace *work, const energies *of, int is_checked, int most, listed best[BEST]) {
    const layout *code = work->code;
    const int half = code->left, last = code->digits - 1;
    for (int k = 0; k < BEST; k++) best[k].cost = none;
    if (last < half) {
        search_upce(of, is_checked, most, best);
        return count_of(best, most);
    }
    // The right digits have one shape each; their lists begin at the last.
    begin(&work->backward[last - half], of->digit[last], 20, weight_of(last, is_checked));
    float turned[10][LANES] = {{0}};
    for (int a = 0; a < 10; a++)
        for (int b = 0; b < 10; b++) turned[b][20 + a] = of->right[a][20 + b];
    for (int digit = last - 1; digit >= half; digit--)
        extend(&work->backward[digit - half + 1], &work->backward[digit - half], turned, 0, of->digit[digit], 20,
               weight_of(digit, is_checked), most);
    // Parities that share their beginnings follow each other: these are extended once.
    for (int i = 0; i < code->parity_count; i++) {
        const int first = code->order[i];
        int shared = 0;
        if (i == 0) begin(&work->forward[0], of->digit[0], 0, weight_of(0, is_checked));
        while (i > 0 && shared < half && is_even(code, first, shared) == is_even(code, code->order[i - 1], shared)) shared++;
        for (int digit = shared > 1 ? shared : 1; digit < half; digit++)
            extend(&work->forward[digit - 1], &work->forward[digit], of->left, is_even(code, first, digit - 1) ? 10 : 0,
                   of->digit[digit], is_even(code, first, digit) ? 10 : 0, weight_of(digit, is_checked), most);
        join(work, of, first, is_checked, most, best);
    }
    return count_of(best, most);
}
