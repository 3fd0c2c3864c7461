/* Words for an errno, from a table: not translated, safe on any thread. */
#pragma once

const char *clinux_error_text(int error);
