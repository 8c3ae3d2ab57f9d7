#!/usr/bin/busybox sh
# The first process: makes a root that can be changed for another one (the kernel's first root cannot), runs every step
# in /machine/steps, and turns the machine off.
export PATH=/usr/sbin:/usr/bin

if [ "$1" != steps ]; then
    mount -o bind / /mnt
    cd /mnt
    mount -o move . /
    exec chroot . /usr/bin/busybox sh /init steps
fi

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t securityfs securityfs /sys/kernel/security
mount -t devtmpfs devtmpfs /dev
mkdir /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
ifconfig lo 127.0.0.1 up
hostname machine
mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
for module in /machine/modules/"$(uname -r)":*; do
    # Those of the sound card are loaded by the step that needs them.
    case $module in *-snd* | *-soundcore*) continue ;; esac
    insmod "$module"
done
# Homes are on a disk as a card has it, mounted as Raspberry Pi OS does, so that what is written can be counted.
if [ -b /dev/vda ]; then
    mkfs.ext4 -q -i 32768 -E lazy_itable_init=0,lazy_journal_init=0 /dev/vda
    mount -t ext4 -o noatime /dev/vda /home
    mkdir /home/.srv
    mount -o bind /home/.srv /srv
else
    mount -t tmpfs -o mode=0755,size=768m tmpfs /home
    mount -t tmpfs -o mode=0755,size=768m tmpfs /srv
fi
mkdir -m 0700 /home/person /home/bot
chown person:person /home/person
chown bot:bot /home/bot

# It also ends on its own, should nobody be there any more who ends it.
(sleep 3000; poweroff -f) &

for step in /machine/steps/*; do
    number=${step##*/}
    # Of the kernel's command line.
    case ",$steps," in *",$number,"*) ;; *) continue ;; esac
    read -r _ limit _ <"$step"
    echo "@machine begin $number"
    /usr/bin/timeout -k 5 "$limit" /usr/bin/dash "$step" </dev/null 2>&1
    echo "@machine end $number $?"
done
echo "@machine over"
poweroff -f
