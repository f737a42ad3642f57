// SPDX-License-Identifier: MIT
// rubble version: the version of the program, which is that of the library it is linked with.

#include "commands.h"

#include <rubble/base.h>

#include <stdio.h>

void print_version(void)
{
	int version = rbl_version();
	printf("rubble %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
}

static int run(int argc, char **argv)
{
	positional_arguments found;
	int status;
	if (parse_options(&command_version, NULL, argc, argv, &found, &status))
		print_version();
	return status;
}

const command command_version = {
	.name = "version",
	.arguments = "",
	.about = "show the version",
	.run = run,
};
