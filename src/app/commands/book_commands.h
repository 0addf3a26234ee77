/* The longer subcommands of castellan book, each in a file of its own. */
#ifndef APP_BOOK_COMMANDS_H
#define APP_BOOK_COMMANDS_H

#include "app/command.h"

extern const ArgTable book_build_args, book_weigh_args;
int book_build_command(int argc, char **argv); /* cmd_book_build.c */
int book_weigh_command(int argc, char **argv); /* cmd_book_weigh.c */

#endif
