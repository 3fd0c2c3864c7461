"""How often tokens lie in the daemon's memory, which only root can read: the current ones, and no others.

usage: memory.py USER BINDIR    root starts it; everything of ours runs as USER
"""
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def memory(pid):
    """Everything readable, mapping by mapping."""
    with open("/proc/%d/maps" % pid) as maps, open("/proc/%d/mem" % pid, "rb", 0) as file:
        for line in maps:
            span, rights = line.split()[:2]
            start, end = (int(text, 16) for text in span.split("-"))
            if "r" not in rights or "[v" in line:
                continue
            file.seek(start)
            try:
                yield file.read(end - start)
            except OSError:
                # A guard page.
                continue


def count(pid, secrets):
    found = dict.fromkeys(secrets, 0)
    for part in memory(pid):
        for secret in secrets:
            found[secret] += part.count(secret.encode())
    return found


def judge(said):
    """What is wrong, in words; empty when nothing is. Counts again for two seconds: wiping is not what is waited for."""
    until = time.monotonic() + 2
    while True:
        wrong = []
        for kind, secrets in said["secrets"].items():
            found = count(said["pid"], secrets)
            for number, secret in enumerate(secrets):
                is_current = said["holds"] and kind.endswith("token") and number == len(secrets) - 1
                if (found[secret] > 0) != is_current:
                    age = "current" if number == len(secrets) - 1 else "old"
                    wrong.append("%s: %s %s found %d times" % (said["after"], age, kind, found[secret]))
        if not wrong or time.monotonic() > until:
            return wrong
        time.sleep(0.1)


def main(user, programs):
    if os.getuid() != 0:
        sys.exit("memory.py: root must start it")
    who = pwd.getpwnam(user)
    # USER may not be able to read the tree that root works in.
    copy = tempfile.mkdtemp(prefix="almoner-memory-")
    try:
        os.chmod(copy, 0o755)
        for name in ("secrecy", "lib", "sandbox"):
            shutil.copytree(os.path.join(HERE, "..", name), os.path.join(copy, name))
        subprocess.run(["chmod", "-R", "a+rX", copy], check=True)
        holder = subprocess.Popen(
            ["setpriv", "--reuid", user, "--regid", str(who.pw_gid), "--clear-groups", "--no-new-privs", "env", "-i",
             "HOME=" + who.pw_dir, "PATH=" + os.environ["PATH"], "LANG=C.UTF-8", "ALMONER_BIN=" + programs,
             "python3", os.path.join(copy, "secrecy/holder.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
        wrong, steps = [], 0
        for line in holder.stdout:
            wrong += judge(json.loads(line))
            steps += 1
            holder.stdin.write("\n")
            holder.stdin.flush()
        status = holder.wait()
    finally:
        shutil.rmtree(copy)
    print("\n".join(wrong) or "measured: only current tokens are in memory, at %d moments" % steps)
    return 0 if status == 0 and steps == 6 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
