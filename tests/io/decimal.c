// SPDX-License-Identifier: MIT
// Decimal numbers: exactly rounded in, shortest out.

#include "../../io/decimal.h"

#include "test.h"

#include "base/random.h"

static double parse(const char *text)
{
	const char *at = text;
	double value = -1.0;
	return rbl_io_parse_double(&at, text + strlen(text), &value) && !*at ? value : (double)NAN;
}

static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

// The system's strtod is the judge.
static void any_decimal_gives_the_nearest_double(test *t)
{
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < 200000; ++i) {
		char text[1200];
		int length = 0, digits = 1 + (int)(rbl_random_u32(&random) % (i % 100 ? 25 : 1000));
		int point = (int)(rbl_random_u32(&random) % (unsigned)(digits + 1));
		if (rbl_random_u32(&random) & 1)
			text[length++] = '-';
		for (int k = 0; k < digits; ++k) {
			if (k == point)
				text[length++] = '.';
			text[length++] =
				(char)('0' + (rbl_random_u32(&random) % 4 ? rbl_random_u32(&random) % 10 : 0));
		}
		if (rbl_random_u32(&random) & 1) {
			int range = i % 3 ? 30 : 350;
			sprintf(text + length, "e%d",
			        (int)(rbl_random_u32(&random) % (unsigned)(2 * range)) - range);
		} else {
			text[length] = 0;
		}
		CHECK(t, same_bits(parse(text), strtod(text, NULL)));
	}
}

static void midpoints_go_to_the_even_neighbour(test *t)
{
	CHECK(t, parse("9007199254740993") == 9007199254740992.0);
	CHECK(t, parse("9007199254740993.00000000000000000000001") == 9007199254740994.0);
	CHECK(t, parse("9007199254740995") == 9007199254740996.0);
	CHECK(t, parse("2.4703282292062327e-324") == 0.0);
	CHECK(t, parse("2.4703282292062328e-324") == 4.9406564584124654e-324);
	CHECK(t, parse("2.2250738585072011e-308") == 2.2250738585072011e-308);
	CHECK(t, parse("1.7976931348623158e308") == 1.7976931348623157e308);
	CHECK(t, parse("1.7976931348623159e308") == (double)INFINITY);
	CHECK(t, parse("1e400") == (double)INFINITY && parse("1e-400") == 0.0);
	CHECK(t, parse("0e999999999999999999999") == 0.0);
	CHECK(t, parse("0.000000000000000000000000000e5") == 0.0);
	CHECK(t, same_bits(parse("-0"), -0.0));
}

static void what_is_no_number_is_refused(test *t)
{
	static const char *const texts[] = { "", "-", "+", ".", "e5", "-.e1", "nan", "inf", "x1" };
	for (int i = 0; i < 9; ++i) {
		const char *at = texts[i];
		double value;
		CHECK(t, !rbl_io_parse_double(&at, at + strlen(at), &value) && at == texts[i]);
	}
	const char *text = "1e+x", *at = text; // the exponent has no digits: not part of the number
	double value = 0.0;
	CHECK(t, rbl_io_parse_double(&at, text + 4, &value) && value == 1.0 && at == text + 1);
	int64_t n;
	at = text = "-";
	CHECK(t, !rbl_io_parse_int(&at, text + 1, &n));
	at = text = "-99999999999999999999";
	CHECK(t, rbl_io_parse_int(&at, text + 21, &n) && n == -INT64_MAX && at == text + 21);
}

// Written numbers are read back with the same bits, and no shorter decimal would do.
static void the_shortest_decimal_is_written(test *t)
{
	rbl_random random = rbl_random_from_seed(2);
	for (int i = 0; i < 100000; ++i) {
		uint64_t bits = (uint64_t)rbl_random_u32(&random) << 32 | rbl_random_u32(&random);
		double value;
		if (i % 3 == 0)
			memcpy(&value, &bits, sizeof value);
		else if (i % 3 == 1)
			value = (double)(int64_t)bits / 1e15;
		else
			value = (double)(int)(bits % 2000000) / 1e6 - 1.0;
		if (!(value - value == 0.0))
			continue;
		char text[RBL_IO_NUMBER_LENGTH + 1], judge[64];
		text[rbl_io_format_double(value, text)] = 0;
		CHECK(t, same_bits(parse(text), value) && same_bits(strtod(text, NULL), value));
		int shortest = 1, digits = 0, zeros = 0;
		for (; snprintf(judge, sizeof judge, "%.*e", shortest - 1, value),
		       strtod(judge, NULL) != value;)
			++shortest;
		for (const char *c = text; *c && *c != 'e'; ++c) {
			if (*c >= '0' && *c <= '9' && (digits > 0 || *c != '0')) {
				digits++;
				zeros = *c == '0' ? zeros + 1 : 0;
			}
		}
		CHECK(t, digits - zeros <= shortest);
		float single = (float)value;
		if (!(single - single == 0.0f))
			continue;
		text[rbl_io_format_float(single, text)] = 0;
		CHECK(t, (float)parse(text) == single && strlen(text) <= 18);
	}
}

static void layouts_are_plain_where_that_is_short(test *t)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = { { 0.0, "0" },         { -0.0, "-0" },         { 1.0, "1" },
		          { 0.1, "0.1" },       { -1234.5, "-1234.5" }, { 100000.0, "100000" },
		          { 1e22, "1e22" },     { 1e-7, "1e-7" },       { 0.0001, "0.0001" },
		          { 5e-324, "5e-324" }, { 1.5e300, "1.5e300" } };
	for (int i = 0; i < 11; ++i) {
		char text[RBL_IO_NUMBER_LENGTH + 1];
		text[rbl_io_format_double(cases[i].value, text)] = 0;
		CHECK(t, strcmp(text, cases[i].text) == 0);
	}
	char text[RBL_IO_NUMBER_LENGTH + 1];
	text[rbl_io_format_float(0.1f, text)] = 0;
	CHECK(t, strcmp(text, "0.1") == 0);
	text[rbl_io_format_int(INT64_MIN, text)] = 0;
	CHECK(t, strcmp(text, "-9223372036854775808") == 0);
}

TEST_MAIN(TEST(any_decimal_gives_the_nearest_double), TEST(midpoints_go_to_the_even_neighbour),
          TEST(what_is_no_number_is_refused), TEST(the_shortest_decimal_is_written),
          TEST(layouts_are_plain_where_that_is_short))
