# A real terminal with a shell in it (bash, or SHELL), worked by a script: `terminal.py STEPS [SHELL ARG...]` with STEPS as JSON, an array of
# ["wait", TEXT]: until TEXT has come since the last wait; ["raw"]: until the terminal does not echo; ["type", TEXT];
# ["signal", NAME]: to the job in the foreground, once it has read what was typed; ["signal", NAME, "child"]: to what the job's
# process has started, and to nothing else. Prints all that came out as JSON; exit 1 when a wait was in vain.
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

steps = json.loads(sys.argv[1])
master, slave = pty.openpty()
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for stream in 0, 1, 2:
        os.dup2(slave, stream)
    os.closerange(3, 64)
    shell = sys.argv[2:] or ["bash", "--norc", "--noprofile", "--noediting", "-i"]
    os.execvp(shell[0], shell)

out = b""
seen = 0
# Less than a test has, so that what was waited for is said.
deadline = time.monotonic() + 100

def read(timeout):
    global out
    if select.select([master], [], [], timeout)[0]:
        try:
            out += os.read(master, 65536)
        except OSError:
            return False
    return True

def until(condition, what):
    while not condition():
        if time.monotonic() > deadline or not read(0.02):
            sys.stderr.write("waited in vain for %r after %r\n" % (what, out.decode("utf-8", "replace")))
            os.kill(pid, signal.SIGKILL)
            sys.exit(1)

def echoes():
    return bool(termios.tcgetattr(master)[3] & termios.ECHO)

def unread():
    return struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))[0]

for name, *args in steps:
    if name == "wait":
        text = args[0].encode()
        until(lambda: text in out[seen:], args[0])
        seen = out.index(text, seen) + len(text)
    elif name == "type":
        os.write(master, args[0].encode())
    elif name == "signal":
        # What was typed takes a moment to arrive, so that nothing unread has to be seen several times.
        for _ in range(5):
            time.sleep(0.02)
            until(lambda: unread() == 0, "what was typed to be read")
        job, number = os.tcgetpgrp(master), getattr(signal, args[0])
        if "child" in args:
            os.kill(int(open("/proc/%d/task/%d/children" % (job, job)).read()), number)
        else:
            os.killpg(job, number)
    elif name == "raw":
        until(lambda: not echoes(), "a raw terminal")
os.kill(pid, signal.SIGHUP)
print(json.dumps(out.decode("utf-8", "replace")))
