// SPDX-License-Identifier: MIT
// rubble help: the list of commands, or the help of one.

#include "commands.h"

static int run(int argc, char **argv)
{
	positional_arguments found;
	int status;
	if (!parse_options(&command_help, NULL, argc, argv, &found, &status))
		return status;
	if (found.count == 0) {
		print_program_help();
		return STATUS_OK;
	}
	const command *about = find_command(found.items[0]);
	if (!about)
		return refuse_command(found.items[0]);
	char help[] = "--help";
	char *arguments[] = { help };
	return about->run(1, arguments);
}

const command command_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.about = "list the commands, or show the help of one",
	.max_arguments = 1,
	.run = run,
};
