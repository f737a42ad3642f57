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
	bool is_json = false;
	const option options[] = {
		OPTION_FLAG("json", &is_json, "print JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status, version = rbl_version();
	if (!parse_options(&command_version, options, argc, argv, &found, &status))
		return status;
	if (is_json)
		printf("{ \"major\": %d, \"minor\": %d, \"patch\": %d }\n", version / 10000,
		       version / 100 % 100, version % 100);
	else
		print_version();
	return STATUS_OK;
}

const command command_version = {
	.name = "version",
	.arguments = "",
	.about = "show the version",
	.run = run,
};
