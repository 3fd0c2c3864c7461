/* What Glibc's Swift module hides behind _GNU_SOURCE, and the few calls Swift cannot make itself (variadic ones).
   One header a subject; a new subject is a new file and one line here. */
#pragma once
#include "CLinux/argument.h"
#include "CLinux/child.h"
#include "CLinux/confine.h"
#include "CLinux/diagnosis.h"
#include "CLinux/errors.h"
#include "CLinux/events.h"
#include "CLinux/filesystem.h"
#include "CLinux/launch.h"
#include "CLinux/lock.h"
#include "CLinux/memory.h"
#include "CLinux/parent.h"
#include "CLinux/process.h"
#include "CLinux/sockets.h"
#include "CLinux/terminal.h"
#include "CLinux/threads.h"
