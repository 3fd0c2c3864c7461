# Sourced from the top of the tree by test.sh and the campaigns: where tests run, as whom, and how a step is counted.
#
# A campaign that another script started works in that one's place, with what is built and installed there.
set -u

user=$(id -un)

# Whatever a test left running ends here, and nothing of the run stays.
clean_up() {
  [ "$user" = "$(id -un)" ] || pkill -KILL -u "$user" 2>/dev/null
  rm -rf "$place"
  [ "$user" = "$(id -un)" ] || userdel --force "$user" 2>/dev/null
}

# Root makes a user for this run, and never runs a program of ours itself. Anybody else is the unprivileged user.
make_user() {
  # Those of runs that were killed.
  for left in $(getent passwd | sed -n 's/^\(almoner-test-[0-9]*\):.*/\1/p'); do
    [ -d "/proc/${left##*-}" ] || userdel --force "$left" 2>/dev/null || :
  done
  user=almoner-test-$$
  useradd --system --no-create-home --home-dir "$place/home" --shell /bin/sh "$user"
  install -d -o "$user" -g "$user" -m 700 "$place/home"
}

if [ -n "${ALMONER_TEST_PLACE-}" ]; then
  place=$ALMONER_TEST_PLACE
  user=$ALMONER_TEST_USER
else
  sh Tests/Run/setup.sh || exit 1
  place=$(mktemp -d /tmp/almoner-test-XXXXXX)
  chmod 755 "$place"
  trap clean_up EXIT
  trap 'exit 130' INT TERM HUP
  if [ "$(id -u)" = 0 ]; then make_user || exit 1; fi
  mkdir "$place/tree"
  cp -R Tests systemd dbus PROTOCOL.md "$place/tree/"
  for part in AlmonerClient/Examples Configuration/Presets Commands/Callback; do
    mkdir -p "$place/tree/Sources/${part%/*}"
    cp -R "Sources/$part" "$place/tree/Sources/${part%/*}/"
  done
  chmod -R a+rX "$place/tree"
fi
passed=0
failed=0
words=
names=

wanted() {
  names="$names  $1
"
  [ -n "$words" ] || return 0
  for word in $words; do case $1 in *"$word"*) return 0 ;; esac; done
  return 1
}

# Shows what a step prints of itself only: its figures, what it could not do, and everything when it fails.
step() { # NAME COMMAND...
  name=$1
  shift
  wanted "$name" || return 0
  began=$(date +%s)
  echo "== $name"
  if "$@" >"$place/log" 2>&1; then
    passed=$((passed + 1))
    grep -E '^(Ran |[0-9]+ passed|measured:|not done here:)' "$place/log" || :
    tests=$(sed -n 's/.*Test run with \([0-9]*\) tests.*passed.*/\1/p' "$place/log" | awk '{n += $1} END {print n}')
    [ -z "$tests" ] || echo "   $tests tests passed"
    echo "   ok, $(($(date +%s) - began)) s"
  else
    failed=$((failed + 1))
    tail -n 60 "$place/log"
    echo "   FAILED: $name"
  fi
}

# The same for what a person watches: nothing is held back.
shown() { # NAME COMMAND...
  name=$1
  shift
  wanted "$name" || return 0
  began=$(date +%s)
  echo "== $name"
  if "$@"; then
    passed=$((passed + 1))
    echo "   ok, $(($(date +%s) - began)) s"
  else
    failed=$((failed + 1))
    echo "   FAILED: $name"
  fi
}

# Another script of this directory, in this place.
campaign() { # NAME ARGUMENT...
  script=$1
  shift
  wanted "$script" || return 0
  if ALMONER_TEST_PLACE=$place ALMONER_TEST_USER=$user sh "Tests/Run/$script.sh" "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# The last line of a script: says how it went, and fails when anything failed or nothing ran.
verdict() {
  if [ -n "$words" ] && [ $((passed + failed)) = 0 ]; then
    printf 'no step that runs here has a name with one of: %s\nThe steps:\n%s' "$words" "$names" >&2
    return 2
  fi
  echo
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# Runs a command as the unprivileged user with an environment of its own. `bin` and `faults` are where programs lie.
as_user() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs env -i HOME="$place/home" \
      PATH="$PATH" LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no ALMONER_BIN="${bin-}" ALMONER_FAULTS_BIN="${faults-}" \
      ALMONER_VENV="$place/venv" "$@"
  else
    env ALMONER_BIN="${bin-}" ALMONER_FAULTS_BIN="${faults-}" ALMONER_VENV="$place/venv" SWIFT_BACKTRACE=enable=no "$@"
  fi
}

# Builds a kind and copies its programs to where the user can read them, once.
publish() { # KIND
  [ ! -x "$place/$1/almonerd" ] || return 0
  directory=$(sh Tests/Run/build.sh "$1" | tail -n 1) || return 1
  mkdir -p "$place/$1"
  find "$directory" -maxdepth 1 -type f -perm -u+x \( -name 'almoner*' \) -exec cp {} "$place/$1/" \;
  chmod -R a+rX "$place/$1"
  [ -x "$place/$1/almonerd" ]
}

# Runs what needs builds, or the programs of strangers. Mostly they are there: a step may also be all that was chosen.
with() { # NEED,... COMMAND...
  needs=$1
  shift
  for need in $(echo "$needs" | tr , ' '); do
    case $need in
    strangers) strangers ;;
    *) publish "$need" ;;
    esac || return 1
  done
  "$@"
}

# An issuer and a client of our socket that nobody of this project wrote, once.
strangers() {
  [ ! -e "$place/venv/complete" ] || return 0
  rm -rf "$place/venv"
  mkdir "$place/venv" || return 1
  [ "$(id -u)" != 0 ] || chown "$user" "$place/venv" || return 1
  as_user sh "$place/tree/Tests/Integration/openid/install.sh" "$place/venv" && touch "$place/venv/complete"
}

python_tests() { # DIRECTORY
  as_user python3 -m unittest discover -s "$place/tree/Tests/Integration/$1" -p 'test_*.py'
}
