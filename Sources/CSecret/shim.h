/* The calls that name objects by D-Bus path and carry one secret. libsecret calls them unstable, yet exports them
   unchanged since 0.2; the stable ones raise prompts by themselves. */
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>
