#include "CLinux/errors.h"

#include <string.h>

const char *clinux_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text != NULL ? text : "unknown error";
}
