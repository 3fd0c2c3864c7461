/* libcurl, with its variadic calls given types: Swift can call no variadic C function.
   One function for each kind of argument; which option takes which is in curl_easy_setopt(3). */
#pragma once
#include <curl/curl.h>

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return (curl_easy_setopt)(handle, option, value);
}
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return (curl_easy_setopt)(handle, option, value);
}
/* Copied by libcurl. NULL means "none", where the option's default is something. */
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return (curl_easy_setopt)(handle, option, value);
}
/* Not copied: it must stay until the transfer has ended. */
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return (curl_easy_setopt)(handle, option, value);
}
/* CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION. */
static inline CURLcode ccurl_on_data(CURL *handle, CURLoption option, curl_write_callback callback) {
  return (curl_easy_setopt)(handle, option, callback);
}
static inline CURLcode ccurl_on_prereq(CURL *handle, curl_prereq_callback callback) {
  return (curl_easy_setopt)(handle, CURLOPT_PREREQFUNCTION, callback);
}
static inline CURLcode ccurl_on_open_socket(CURL *handle, curl_opensocket_callback callback) {
  return (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode ccurl_get_number(CURL *handle, CURLINFO info, long *value) {
  return (curl_easy_getinfo)(handle, info, value);
}
