/* Subcommands of castellan data that have a file of their own. */
#ifndef APP_COMMANDS_DATA_COMMANDS_H
#define APP_COMMANDS_DATA_COMMANDS_H

#include "app/args.h"

extern const ArgTable data_positions_table;
int data_positions_run(int argc, char **argv);

#endif
