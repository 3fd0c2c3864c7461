/* The argument of `almoner callback`, taken off the command line before anything else runs. */
#pragma once

#include <stddef.h>

/* The most bytes of it that are kept. */
#define CLINUX_ARGUMENT_ROOM 16384

/* How long it was, which may be more than was kept; 0 when there was none. */
size_t clinux_argument_length(void);

/* Copies what was kept, at most `room` bytes, and wipes it. Once. */
void clinux_take_argument(void *into, size_t room);
