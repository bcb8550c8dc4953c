import type { Wrapper } from "./wrapper.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Options of a shell; the command is the first word after them if `-c` is given. */
export const SHELL: Wrapper = {
  flags: LETTERS,
  detached: "oO",
  longFlags: [
    "debugger",
    "dump-po-strings",
    "dump-strings",
    "help",
    "interactive",
    "login",
    "noediting",
    "noprofile",
    "norc",
    "no-config",
    "posix",
    "pretty-print",
    "private",
    "restricted",
    "verbose",
    "version",
  ],
  longValues: ["command", "init-command", "init-file", "rcfile"],
  loneDash: true,
  plus: true,
  code: ["command", "init-command"],
};

/** Options of `su` and `runuser`; the words after the user are for the user's shell. */
export const SU: Wrapper = {
  flags: "flmpPVh",
  values: "cgGsTwu",
  longFlags: ["fast", "login", "preserve-environment", "pty", "no-pty", "version", "help"],
  longValues: [
    "command",
    "session-command",
    "group",
    "supp-group",
    "shell",
    "user",
    "whitelist-environment",
  ],
  loneDash: true,
  operands: 1,
  lateOptions: true,
  code: ["c", "command", "session-command"],
};

/** Common options of GNU parallel; arguments follow `:::`. */
export const PARALLEL: Wrapper = {
  flags: "0kmqrtuvXxz",
  values: "aCdDEIjJlLnNPsSU",
  longFlags: [
    "bar",
    "dry-run",
    "dryrun",
    "eta",
    "group",
    "keep-order",
    "line-buffer",
    "no-notice",
    "no-run-if-empty",
    "null",
    "progress",
    "quote",
    "tag",
    "ungroup",
    "verbose",
    "will-cite",
    "xargs",
  ],
  longValues: [
    "arg-file",
    "colsep",
    "delay",
    "delimiter",
    "env",
    "halt",
    "jobs",
    "joblog",
    "max-args",
    "max-procs",
    "memfree",
    "replace",
    "results",
    "retries",
    "sshlogin",
    "timeout",
    "workdir",
  ],
};
