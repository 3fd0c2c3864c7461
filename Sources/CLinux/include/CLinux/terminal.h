/* Reading from a terminal without showing what is typed. */
#pragma once

/* Turns the echo of the terminal `fd` off. Until `clinux_show_typing` a signal that would end or stop the program
   turns it on again first. 0, or -1 with errno. For single-threaded programs, one terminal at a time. */
int clinux_hide_typing(int fd);

/* Turns it on again, and drops what was typed ahead. */
void clinux_show_typing(void);

/* Columns and rows of the terminal `fd`. 0, or -1 with errno when it is none. */
int clinux_terminal_size(int fd, int *columns, int *rows);
