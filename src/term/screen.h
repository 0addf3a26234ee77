/* The full-screen board. */
#ifndef TERM_SCREEN_H
#define TERM_SCREEN_H

#include "term/term_game.h"

#include <stdio.h>

typedef enum ScreenTheme { THEME_AUTO, THEME_256, THEME_16, THEME_MONO } ScreenTheme;

typedef struct ScreenSetup {
    TermGameSetup game;
    bool ascii;   /* show pieces as letters and nothing beyond ASCII */
    bool unicode; /* figures also where the terminal is not known to have them */
    ScreenTheme theme;
    FILE *in, *out;            /* the terminal */
    bool (*interrupted)(void); /* asked often; true: leave in order */
} ScreenSetup;

/* Plays until the person leaves. The last line for the shell (result, where the game is) comes in
 * `farewell`. STATUS_REFUSED, before anything was done: this terminal or this build cannot show it,
 * and why. */
Status screen_run(const ScreenSetup *setup, Text *farewell, Message *why);

#endif
