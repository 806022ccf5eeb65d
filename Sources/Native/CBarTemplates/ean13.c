// The bars of an EAN-13 (ISO/IEC 15420).
#include "templates.h"

/// The odd (L) shapes, seven modules each, the first in the highest bit.
static const uint8_t odd[10] = {0x0D, 0x19, 0x13, 0x3D, 0x23, 0x31, 0x2F, 0x3B, 0x37, 0x0B};
/// For each first digit the left digits that are even (G), the first in the highest of six bits.
static const uint8_t parities[10] = {0x00, 0x0B, 0x0D, 0x0E, 0x13, 0x19, 0x1C, 0x15, 0x16, 0x1A};

/// 1 where the shape is black. A right shape (R) inverts the odd one, an even one (G) is the right one reversed.
int shape_bit(int shape, int module) {
    const int bits = odd[shape % 10];
    if (shape < 10) return bits >> (6 - module) & 1;
    return !(bits >> (shape < 20 ? module : 6 - module) & 1);
}

/// True if the left digit 0…5 of a number with this first digit is even.
int is_even(int first, int digit) { return parities[first] >> (LEFT - 1 - digit) & 1; }

/// The modules at which bars begin and end, in turn.
void edges_of(const number *what, float edges[EDGES]) {
    int count = 0, before = 0;
    for (int module = 0; module <= MODULES; module++) {
        int black = 0;
        if (module < 3 || (module >= 92 && module < MODULES)) {
            black = module % 2 == 0;
        } else if (module >= 45 && module < 50) {
            black = module % 2 == 0;
        } else if (module < MODULES) {
            const int inside = module < 45 ? module - 3 : module - 8, digit = inside / 7, value = what->digits[digit + 1];
            const int kind = digit >= LEFT ? 20 : is_even(what->digits[0], digit) ? 10 : 0;
            black = shape_bit(kind + value, inside % 7);
        }
        if (black != before && count < EDGES) edges[count++] = (float)module;
        before = black;
    }
    while (count < EDGES) edges[count++] = MODULES;
}
