// The bars of EAN-13, EAN-8 and UPC-E (ISO/IEC 15420).
#include "templates.h"

/// The odd (L) shapes, seven modules each, the first in the highest bit.
static const uint8_t odd[10] = {0x0D, 0x19, 0x13, 0x3D, 0x23, 0x31, 0x2F, 0x3B, 0x37, 0x0B};

#define FIRST {-2, 5, {0, 0, 0, 1, 0, 1, 0, 0.5f}, 8}
#define CENTRE(module) {module, 5, {1, 0, 1, 0, 1, 0, 1}, 7}
#define LAST(module) {module, 5, {0, 1, 0, 1, 0, 0, 0}, 7}

const layout ean13 = {
    .digits = 12, .left = 6, .modules = 95, .edges = 60, .guard_edges = 12, .parity_count = 10, .guard_count = 3,
    .guards_at = {0, 1, 2, 3, 46, 47, 48, 49, 92, 93, 94, 95},
    .parities = {0x00, 0x0B, 0x0D, 0x0E, 0x13, 0x19, 0x1C, 0x15, 0x16, 0x1A},
    .order = {0, 1, 2, 3, 4, 7, 8, 5, 9, 6},
    .guards = {FIRST, CENTRE(45), LAST(92)},
};
const layout ean8 = {
    .digits = 8, .left = 4, .modules = 67, .edges = 44, .guard_edges = 12, .parity_count = 1, .guard_count = 3,
    .guards_at = {0, 1, 2, 3, 32, 33, 34, 35, 64, 65, 66, 67},
    .guards = {FIRST, CENTRE(31), LAST(64)},
};
// Number system 0 alone. The parities of system 1 are those of an EAN-13, so that the left half of every tenth EAN-13 would be
// one; it is hardly used.
const layout upce = {
    .digits = 6, .left = 6, .modules = 51, .edges = 34, .guard_edges = 10, .parity_count = 10, .guard_count = 2,
    .guards_at = {0, 1, 2, 3, 46, 47, 48, 49, 50, 51},
    .parities = {0x38, 0x34, 0x32, 0x31, 0x2C, 0x26, 0x23, 0x2A, 0x29, 0x25},
    .guards = {FIRST, {45, 8, {1, 0, 1, 0, 1, 0, 1, 0, 0, 0}, 10}},
};

/// 1 where the shape is black. A right shape (R) inverts the odd one, an even one (G) is the right one reversed.
int shape_bit(int shape, int module) {
    const int bits = odd[shape % 10];
    if (shape < 10) return bits >> (6 - module) & 1;
    return !(bits >> (shape < 20 ? module : 6 - module) & 1);
}

/// 1 for the black modules.
void bits_of(const layout *code, const number *what, uint8_t bits[MODULES]) {
    for (int module = 0; module < MODULES; module++) bits[module] = 0;
    for (int edge = 0; edge < code->guard_edges; edge += 2) bits[code->guards_at[edge]] = 1;
    for (int digit = 0; digit < code->digits; digit++)
        for (int module = 0; module < 7; module++)
            bits[digit_start(code, digit) + module] = (uint8_t)shape_bit(shape_of(code, what, digit), module);
}

/// The modules at which bars begin and end, in turn.
void edges_of(const layout *code, const number *what, float edges[EDGES]) {
    uint8_t bits[MODULES];
    bits_of(code, what, bits);
    int count = 0, before = 0;
    for (int module = 0; module <= code->modules; module++) {
        const int black = module < code->modules && bits[module];
        if (black != before && count < EDGES) edges[count++] = (float)module;
        before = black;
    }
}

/// The check digit of the UPC-A that a UPC-E abbreviates (GS1 General Specifications, 5.2.2.4).
static int check_of(const int8_t digits[6]) {
    static const int8_t weights[10][6] = {
        {1, 3, 3, 1, 3, 1}, {1, 3, 3, 1, 3, 1}, {1, 3, 3, 1, 3, 1}, {1, 3, 1, 1, 3, 0}, {1, 3, 1, 3, 3, 0},
        {1, 3, 1, 3, 1, 3}, {1, 3, 1, 3, 1, 3}, {1, 3, 1, 3, 1, 3}, {1, 3, 1, 3, 1, 3}, {1, 3, 1, 3, 1, 3},
    };
    int sum = 0;
    for (int i = 0; i < 6; i++) sum += weights[digits[5]][i] * digits[i];
    return (10 - sum % 10) % 10;
}

/// True if the check digit is that of the other digits.
int is_code(const layout *code, const number *what) {
    if (code == &upce) return check_of(what->digits + 1) == what->digits[0];
    int sum = what->digits[0];
    for (int digit = 0; digit < code->digits; digit++) sum += what->digits[digit + 1] * (digit % 2 ? 1 : 3);
    return sum % 10 == 0;
}

/// The digits as they are printed; returns how many. The parity of a UPC-E is its check digit.
int printed(const layout *code, const number *what, int8_t digits[TBAR_DIGITS]) {
    int count = 0;
    if (code == &ean13) digits[count++] = what->digits[0];
    if (code == &upce) digits[count++] = 0;
    for (int digit = 0; digit < code->digits; digit++) digits[count++] = what->digits[digit + 1];
    if (code == &upce) digits[count++] = what->digits[0];
    return count;
}
