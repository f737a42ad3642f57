// SPDX-License-Identifier: MIT
// Elementary functions that give the same bits everywhere. libm's differ from one library to the
// next; these use + - * / sqrt and integers only, in one written order.
//
// Double forms are within 1 ulp of the true value unless said otherwise (tests/base/math.c
// measures it), float forms within 0.51 ulp: they round the double result. Every argument is
// allowed. NaN gives NaN; so do arguments outside a function's domain.
#pragma once

#include <rubble/vec.h>

#define RBL_PI 3.14159265358979323846
#define RBL_PI_F 3.14159265f

/// Sine and cosine of any angle in radians, reduced exactly however large; NaN of an infinity.
double rbl_sin(double x);
double rbl_cos(double x);

/// Both at once, for little more than the price of one.
void rbl_sin_cos(double x, double *sine, double *cosine);

/// The angle of the point (x, y), from -pi to pi. Signs of zeros count as IEEE 754 says: the
/// result has the sign of y, and x = -0 lies on the negative side. Within 1.5 ulp.
double rbl_atan2(double y, double x);

/// Angles in [0, pi] and [-pi/2, pi/2] for x in [-1, 1]. Within 3 ulp.
double rbl_acos(double x);
double rbl_asin(double x);

/// e^x: infinite from 709.79 on, denormal from -708.4 down, zero from -745.14 down.
double rbl_exp(double x);

/// Natural logarithm (rbl_log writes to the log): -inf of zeros, NaN below.
double rbl_ln(double x);

/// Cube root, negative for negative x.
double rbl_cbrt(double x);

float rbl_sinf(float x);
float rbl_cosf(float x);
float rbl_atan2f(float y, float x);
float rbl_lnf(float x);

/// x^y for x >= 0, NaN for negative x. x^0 = 1 and 1^y = 1 for everything else, NaN included.
float rbl_powf(float x, float y);
