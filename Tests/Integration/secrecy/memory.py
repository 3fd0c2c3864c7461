"""How often tokens lie in a daemon's memory, which only root can read: the current ones, and no others."""
import time

# Seconds in which a daemon has to have forgotten. It takes milliseconds; a busy machine may take longer.
PATIENCE = 20


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


def wrong(said):
    """What is wrong now, in words. Secrets are in the order in which they came to be; the last ones are current."""
    words = []
    for kind, secrets in said["secrets"].items():
        for number, (secret, times) in enumerate(count(said["pid"], secrets).items()):
            is_last = number == len(secrets) - 1
            is_current = said["holds"] and is_last and kind in ("refresh token", "access token")
            # The refresh token exactly once. Of the access token there may be the answer that was just given.
            fits = times == 1 or times > 1 and kind == "access token" if is_current else times == 0
            if not fits:
                age = "current" if is_last else "old"
                words.append("%s: %s %s found %d times" % (said["after"], age, kind, times))
    return words


def judge(said):
    """What is still wrong when the time is over, and how many seconds it took to be right."""
    began = time.monotonic()
    while True:
        words = wrong(said)
        took = time.monotonic() - began
        if not words or took > PATIENCE:
            return words, took
        time.sleep(0.05)
