/* Included before every source file by the Makefile: turns functions that overflow, hide errors or
 * keep static state into compile errors. Each has a safe replacement: snprintf, strtol through
 * base/text.h, strtok_r's work through base/text.h. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* For a parameter that the function's type has and the function does not need. */
#define UNUSED __attribute__((unused))

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atoll atof
#pragma GCC poison asctime ctime gmtime localtime tmpnam tempnam mktemp rand srand setjmp longjmp

#endif
