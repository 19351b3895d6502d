#!/bin/bash
# A machine of a test's own, made of this one's files: systemd is the first process of new namespaces, below an overlay that
# takes what is written and goes with it. Only the network is shared. Nothing but systemd itself and its journal is started.
# machine.sh FOLDER prints the number of its first process, and ends the machine when standard input ends.
set -eu
folder=$1

inside() {
  mount --make-rprivate /
  mount -t tmpfs -o mode=755 machine "$folder"
  cd "$folder"
  mkdir upper work root
  mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work machine root
  cd root
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  for place in dev run tmp; do mount -t tmpfs -o mode=755 tmpfs $place; done
  chmod 1777 tmp
  for node in null zero full random urandom tty; do
    touch dev/$node
    mount --bind /dev/$node dev/$node
  done
  mkdir dev/pts dev/shm dev/mqueue dev/hugepages before
  mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
  ln -s pts/ptmx dev/ptmx
  : > etc/fstab
  rm -rf etc/systemd/system/* {usr/,}lib/systemd/system/*.wants var/log/journal
  mkdir etc/systemd/system/basic.target.wants
  ln -s /lib/systemd/system/systemd-journald.socket etc/systemd/system/basic.target.wants/
  pivot_root . before
  umount -l /before
  mount --make-rshared /
  container=test exec /lib/systemd/systemd --system --unit=basic.target < /dev/null > /dev/null 2>&1
}

outside() {
  mkdir "$folder/cgroups"
  mount -t cgroup2 cgroup2 "$folder/cgroups"
  own=$folder/cgroups/riskcli-$$
  mkdir "$own"
  (
    echo $BASHPID > "$own/cgroup.procs"
    exec unshare --pid --fork --kill-child --cgroup --uts --ipc --mount bash "$0" inside "$folder" < /dev/null > /dev/null
  ) &
  starter=$!
  first() { cat /proc/$starter/task/$starter/children 2> /dev/null | tr -d ' '; }
  until [ -n "$(first)" ] || ! kill -0 $starter; do sleep 0.1; done
  first
  cat > /dev/null
  kill -KILL "$(first)" $starter 2> /dev/null || true
  wait $starter || true
  # The system lets go of a cgroup a moment after its last process.
  for _ in {1..100}; do
    if find "$own" -depth -type d -exec rmdir {} + 2> /dev/null; then break; fi
    sleep 0.1
  done
}

if [ "$1" = inside ]; then
  folder=$2
  inside
else
  export folder
  [ "${APART:-}" ] || APART=yes exec unshare --mount bash "$0" "$folder"
  outside
fi
