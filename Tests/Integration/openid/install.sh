#!/bin/sh
# A virtual environment with the programs of strangers that the tests use: an issuer, and a client of our socket.
#
# usage: install.sh VENV
set -eu
python3 -m venv "$1"
"$1/bin/pip" install --quiet --disable-pip-version-check \
  django-oauth-toolkit==3.4.1 oauthlib==3.3.1 varlink==31.0.0
