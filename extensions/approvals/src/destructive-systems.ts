import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import { type CommandView, type DestructiveRule, nameOf } from "./destructive-rule.js";
import { isGiven, readWords, type Words } from "./parsed-arguments.js";

const GIT_VALUES = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
const CONTAINERS = /^(?:docker|podman|nerdctl)(?:-compose)?$/;
const CLUSTERS = /^(?:kubectl|oc|k3s)$/;
const SQL_CLIENT =
  /^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|sqlplus|duckdb|clickhouse-client|cockroach|bq)$/;
// The name of the table is matched as a whole, so that nothing is tried twice.
const SQL_LOSS =
  /\bdrop\s+(?:table|database|schema|user|role|view|index)\b|\btruncate\s+(?:table\s+)?[\w."`]|\bdelete\s+from\s+(?=([\w."`[\]]+))\1(?![\w\s]*\bwhere\b)/i;
const DOWNLOADERS = /^(?:curl|wget|fetch|aria2c|https?|lynx|lwp-request)$/;
const SHELL = /^(?:ba|da|z|k|mk|fi|c|tc|a|ya)?sh$/;
const RUN_LEVEL = /^[016sS]$/;
const END_OF_MACHINE = /^(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate)$/;

/** Commands that destroy other people's work, data, or the running machine. */
export const DESTRUCTIVE_SYSTEM_RULES: readonly DestructiveRule[] = [
  {
    id: "git-loss",
    reason: "discards commits or uncommitted work",
    matches: losesWork,
  },
  {
    id: "container-removal",
    reason: "removes containers, images, volumes or parts of a cluster",
    matches: ({ name, words }) => {
      const operands = readWords(words).operands.map((word) => word ?? "");
      if (CLUSTERS.test(name)) return operands.some((word) => /^(?:delete|drain)$/.test(word));
      return (
        CONTAINERS.test(name) &&
        operands.slice(0, 3).some((word) => /^(?:rm|rmi|prune|delete)$/.test(word))
      );
    },
  },
  {
    id: "database-loss",
    reason: "removes tables or rows of a database",
    matches: ({ name, words, parsed, index, command }) => {
      if (name === "dropdb" || name === "dropuser") return true;
      if (!SQL_CLIENT.test(name)) return false;
      const held = command.redirections.map(({ target }) => target);
      const read = sourcesOf(parsed, index).flatMap((source) => [
        ...source.arguments,
        ...source.redirections.map(({ target }) => target),
      ]);
      return [...words, ...held, ...read].some((text) => SQL_LOSS.test(text ?? ""));
    },
  },
  {
    id: "machine-stop",
    reason: "stops or restarts the machine",
    matches: ({ name, words }) => {
      if (name === "init" || name === "telinit") return RUN_LEVEL.test(words[0] ?? "");
      if (name === "systemctl") return words.some((word) => END_OF_MACHINE.test(word ?? ""));
      return /^(?:shutdown|reboot|poweroff|halt)$/.test(name);
    },
  },
  {
    id: "kill-all",
    reason: "ends every process, or process 1, without a chance to save data",
    matches: ({ name, words }) =>
      name === "killall5" ||
      (name === "kill" &&
        words.some((word, at) => word === "1" || (word === "-1" && at > 0) || word === undefined)),
  },
  {
    id: "crontab-removal",
    reason: "removes all scheduled tasks",
    matches: ({ name, words }) => name === "crontab" && isGiven(readWords(words), "r"),
  },
  {
    id: "password",
    reason: "changes who can log in",
    matches: ({ name }) => name === "passwd" || name === "chpasswd",
  },
  {
    id: "download-run",
    reason: "runs downloaded code without review",
    matches: runsDownload,
  },
];

function losesWork({ name, words }: CommandView): boolean {
  if (name !== "git") return false;
  let start = 0;
  while (words[start]?.startsWith("-") === true) {
    start += GIT_VALUES.test(words[start] ?? "") ? 2 : 1;
  }
  const [subcommand, ...rest] = words.slice(start);
  const given = readWords(rest);
  // A word that is computed when the command runs may be the destructive one.
  const isComputed = rest.includes(undefined);
  switch (subcommand) {
    case undefined:
      return words.includes(undefined);
    case "push":
      return (
        isGiven(given, "fd", ["force", "force-with-lease", "mirror", "delete", "prune"]) ||
        isComputed ||
        rest.some((word) => /^[+:]./.test(word ?? ""))
      );
    case "reset":
      return isComputed || isGiven(given, "", ["hard"]);
    case "clean":
      return isComputed || (isGiven(given, "f", ["force"]) && !isGiven(given, "n", ["dry-run"]));
    case "filter-branch":
    case "filter-repo":
      return true;
    default:
      return false;
  }
}

/**
 * Returns whether a shell reads the output of a downloader through a pipe, a substitution or
 * `<(…)`.
 */
function runsDownload({ name, words, command, parsed, index }: CommandView): boolean {
  const isCode = command.program === undefined && SHELL.test(command.wrappers.at(-1) ?? "");
  const reads =
    isCode ||
    name === "source" ||
    name === "." ||
    name === "eval" ||
    command.wrappers.includes("eval") ||
    (SHELL.test(name) && readsInput(words));
  return reads && sourcesOf(parsed, index).some(({ program }) => DOWNLOADERS.test(nameOf(program)));
}

function readsInput(words: Words): boolean {
  const [first] = words.filter((word) => word === undefined || !/^-[^c]*$/.test(word));
  return first === undefined;
}

/**
 * Returns the commands whose output reaches a command through pipes or substitutions, directly or
 * indirectly.
 */
function sourcesOf({ commands }: ParsedCommand, index: number) {
  const found = new Set<number>();
  const queue = [index];
  for (const next of queue) {
    const { input = [], substitutions = [] } = commands[next] ?? {};
    for (const source of [...input, ...substitutions]) {
      if (found.has(source)) continue;
      found.add(source);
      queue.push(source);
    }
  }
  return commands.filter((_, at) => found.has(at));
}
