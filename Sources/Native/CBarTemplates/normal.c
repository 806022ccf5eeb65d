// The normal distribution by a table: blurred edges are made of it.
#include "templates.h"
#include <math.h>

static float below(double z) { return (float)(0.5 * erfc(-z * 0.70710678118654752)); }

static float density(double z) { return (float)(0.39894228040143268 * exp(-0.5 * z * z)); }

void fill_normal(normal_table *table) {
    const int count = 2 * NORMAL_REACH * NORMAL_STEPS + 1;
    float next = below(-NORMAL_REACH), next_density = density(-NORMAL_REACH);
    for (int i = 0; i < count; i++) {
        const double z = (i + 1.0) / NORMAL_STEPS - NORMAL_REACH;
        const float here = next, here_density = next_density;
        next = below(z), next_density = density(z);
        table->at[i].below = here, table->at[i].more = next - here;
        table->at[i].density = here_density, table->at[i].change = next_density - here_density;
    }
}
