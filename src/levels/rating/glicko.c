#include "levels/rating/glicko.h"

#include <math.h>

/* Names as in the paper: mu and phi are rating and deviation on the inner scale, sigma is the
 * volatility. */
static const double SCALE = 173.7178, CENTRE = 1500, TAU = 0.5, PRECISION = 1e-6;
static const double FIRST_DEVIATION = 350, FIRST_VOLATILITY = 0.06, PI = 3.14159265358979323846;

Glicko glicko_start(double guess)
{
    return (Glicko){guess, FIRST_DEVIATION, FIRST_VOLATILITY};
}

/* How much less a game says against somebody whose own rating is unsure. */
static double damp(double phi)
{
    return 1 / sqrt(1 + 3 * phi * phi / (PI * PI));
}

/* What changes with the logarithm x of the squared volatility; its root is looked for. */
static double slope(double x, double delta2, double phi2, double v, double a)
{
    double e = exp(x), sum = phi2 + v + e;
    return e * (delta2 - sum) / (2 * sum * sum) - (x - a) / (TAU * TAU);
}

/* The Illinois method of the paper's fifth step. */
static double new_volatility(double sigma, double delta, double phi, double v)
{
    double delta2 = delta * delta, phi2 = phi * phi, a = log(sigma * sigma);
    double low = a, high;
    if (delta2 > phi2 + v) {
        high = log(delta2 - phi2 - v);
    } else {
        high = a - TAU;
        while (slope(high, delta2, phi2, v, a) < 0)
            high -= TAU;
    }
    double at_low = slope(low, delta2, phi2, v, a), at_high = slope(high, delta2, phi2, v, a);
    while (fabs(high - low) > PRECISION) {
        double next = low + (low - high) * at_low / (at_high - at_low);
        double at_next = slope(next, delta2, phi2, v, a);
        if (at_next * at_high <= 0) {
            low = high;
            at_low = at_high;
        } else {
            at_low /= 2;
        }
        high = next;
        at_high = at_next;
    }
    return exp(low / 2);
}

Glicko glicko_update(Glicko g, const GlickoGame *games, int count)
{
    double mu = (g.rating - CENTRE) / SCALE, phi = g.deviation / SCALE;
    double information = 0, surprise = 0;
    for (int i = 0; i < count; i++) {
        double weight = damp(games[i].deviation / SCALE);
        double expected = 1 / (1 + exp(-weight * (mu - (games[i].rating - CENTRE) / SCALE)));
        information += weight * weight * expected * (1 - expected);
        surprise += weight * (games[i].score - expected);
    }
    double sigma = g.volatility;
    if (information > 0)
        sigma = new_volatility(sigma, surprise / information, phi, 1 / information);
    phi = 1 / sqrt(1 / (phi * phi + sigma * sigma) + information);
    mu += phi * phi * surprise;
    double deviation = phi * SCALE;
    return (Glicko){fmax(CENTRE + mu * SCALE, GLICKO_FLOOR),
                    deviation < FIRST_DEVIATION ? deviation : FIRST_DEVIATION, sigma};
}
