// The normal distribution by a table: blurred edges are made of it.
#include "templates.h"
#include <math.h>

void fill_normal(normal_table *table) {
    const int count = 2 * NORMAL_REACH * NORMAL_STEPS + 2;
    for (int i = 0; i < count; i++) {
        const double z = (double)i / NORMAL_STEPS - NORMAL_REACH;
        table->below[i] = (float)(0.5 * erfc(-z * 0.70710678118654752));
        table->density[i] = (float)(0.39894228040143268 * exp(-0.5 * z * z));
    }
}
