/* Who this program is, as every protocol and command tells it. */
#ifndef ENGINE_ABOUT_H
#define ENGINE_ABOUT_H

#define ABOUT_NAME "Castellan"
#define ABOUT_VERSION "0.1"
#define ABOUT_AUTHORS "the Castellan authors"

#endif
