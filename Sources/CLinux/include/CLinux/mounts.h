/* What kind of file system something lies on. */
#pragma once

/* 1 when it is served over a network (locks and fsync may not mean what they say), 0 when not, -1 with errno. */
int clinux_is_networked(int descriptor);
