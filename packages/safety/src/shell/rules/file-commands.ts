import type { ShellRule } from "../../rules/rule.js";
import {
  eachCommand,
  hasOption,
  isRoot,
  nameOf,
  operandsOf,
  viewsOf,
} from "../parsing/command-facts.js";

const OPEN_MODE = /^(?:[0-7]?777|(?:a|ugo)?[+=]rwx)$/;
const DISK_TOOLS = new Set([
  "shred",
  "fdisk",
  "sfdisk",
  "cfdisk",
  "gdisk",
  "sgdisk",
  "parted",
  "wipefs",
  "blkdiscard",
  "badblocks",
  "hdparm",
  "nvme",
  "cryptsetup",
  "mkswap",
  "lvremove",
  "vgremove",
  "pvremove",
  "diskutil",
]);
const DD_TARGET = /^of=(?!\/dev\/null$)/;
const VOLUME_TOOLS = new Set(["zfs", "zpool", "btrfs"]);
const VOLUME_LOSS = new Set(["destroy", "delete", "labelclear", "rollback"]);

/** Commands that delete files or make them accessible to everyone (SAFE-043). */
export const FILE_COMMAND_RULES: readonly ShellRule[] = [
  {
    kind: "shell",
    id: "shell_removal",
    title: "recursive or forced removal",
    reason: "It removes complete folders without confirmation.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) =>
      viewsOf(command).some(({ name, words }) => {
        if (name !== "rm") return false;
        const hidesOptions =
          words.includes(undefined) && operandsOf(words).some((path) => isRoot(path));
        return hasOption(words, "rRf", ["recursive", "force"]) || hidesOptions;
      }),
    ),
    examples: {
      match: ["rm -rf build", "\\rm -fr x", "env X=1 rm --recursive x", "find . -exec rm -f {} +"],
      clean: ["rm notes.txt", "git rm file", "grep -rf patterns .", "rmdir empty"],
    },
  },
  {
    kind: "shell",
    id: "shell_find_delete",
    title: "removal of found files",
    reason: "A search that finds more than intended removes more than intended.",
    severity: "high",
    class: "explicit",
    match: eachCommand(
      (command) =>
        (nameOf(command) === "find" && command.arguments.includes("-delete")) ||
        (nameOf(command) === "rsync" &&
          command.arguments.some((word) => word?.startsWith("--del") === true)),
    ),
    examples: {
      match: ["find . -name '*.tmp' -delete", "rsync -a --delete src/ dst/"],
      clean: ["find . -name '*.tmp'", "rsync -a src/ dst/"],
    },
  },
  {
    kind: "shell",
    id: "shell_open_permissions",
    title: "permissions for everyone",
    reason: "Any program of any user can then change the file.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) =>
      viewsOf(command).some(
        ({ name, words }) =>
          name === "chmod" &&
          operandsOf(words).some((mode) => mode !== undefined && OPEN_MODE.test(mode)),
      ),
    ),
    examples: {
      match: ["chmod 777 file", "chmod -R a+rwx ."],
      clean: ["chmod 755 file", "chmod +x run.sh"],
    },
  },
  {
    kind: "shell",
    id: "shell_recursive_owner",
    title: "recursive change of owner",
    reason: "On the wrong folder it locks users and services out of their files.",
    severity: "high",
    class: "explicit",
    match: eachCommand(
      (command) =>
        (nameOf(command) === "chown" || nameOf(command) === "chgrp") &&
        hasOption(command.arguments, "R", ["recursive"]),
    ),
    examples: {
      match: ["chown -R me:me .", "chgrp --recursive www /srv"],
      clean: ["chown me file"],
    },
  },
  {
    kind: "shell",
    id: "shell_disk_tool",
    title: "disk tool",
    reason: "It changes partitions, volumes or the bytes of a disk.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) => {
      const name = nameOf(command);
      if (name === "dd") return command.arguments.some((word) => DD_TARGET.test(word ?? ""));
      if (VOLUME_TOOLS.has(name))
        return command.arguments.some((word) => VOLUME_LOSS.has(word ?? ""));
      return DISK_TOOLS.has(name);
    }),
    examples: {
      match: ["shred -u key.pem", "dd if=a of=b", "zfs destroy tank/data", "parted /dev/sda print"],
      clean: ["dd if=a of=/dev/null", "zfs list", "lsblk"],
    },
  },
];
