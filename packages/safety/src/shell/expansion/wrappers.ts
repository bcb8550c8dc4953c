import { NotExpandable } from "./expanded-command.js";

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/su;
const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

/** Command inside programs that only run another one. */
export interface UnwrappedCommand {
  readonly words: readonly string[];
  /** Variables that `env` sets. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Removes programs around a command that change neither its words nor its result; the time limit of `timeout` is left to
 * the call.
 * @param given - words of the command
 * @throws NotExpandable when such a program has an option that is not known here
 */
export function unwrapped(given: readonly string[]): UnwrappedCommand {
  let words = [...given];
  const variables: Record<string, string> = {};
  for (;;) {
    const [first = "", ...rest] = words;
    const name = first.replace(/^\/(?:usr\/)?bin\//, "");
    switch (name) {
      case "command":
        if (/^-[vV]$/.test(rest[0] ?? "")) return { words: ["which", ...rest.slice(1)], variables };
        words = rest;
        break;
      case "type":
        return { words: ["which", ...rest], variables };
      case "builtin":
      case "nohup":
        words = rest;
        break;
      case "time":
        words = rest[0] === "-p" ? rest.slice(1) : rest;
        break;
      case "nice":
        words = /^-n?\d+$/.test(rest[0] ?? "")
          ? rest.slice(1)
          : rest[0] === "-n"
            ? rest.slice(2)
            : rest;
        break;
      case "stdbuf": {
        const first = rest.findIndex((word) => !/^-[ioe](?:0|L|\d+)$/.test(word));
        words = first === -1 ? [] : rest.slice(first);
        break;
      }
      case "timeout": {
        words = afterTimeout(rest);
        break;
      }
      case "env": {
        if (rest.length === 0) return { words, variables };
        words = rest;
        for (
          let found = ASSIGNMENT.exec(words[0] ?? "");
          found !== null;
          found = ASSIGNMENT.exec(words[0] ?? "")
        ) {
          variables[`${found[1]}`] = `${found[2]}`;
          words = words.slice(1);
        }
        break;
      }
      default:
        return { words, variables };
    }
    if (words.length === 0 || words[0]?.startsWith("-") === true) throw new NotExpandable(name);
  }
}

function afterTimeout(given: readonly string[]): string[] {
  const words = [...given];
  for (;;) {
    const word = words.shift() ?? "";
    if (DURATION.test(word)) return words;
    if (word === "-k" || word === "-s") words.shift();
    else if (!/^--(?:foreground|preserve-status|signal=\w+|kill-after=[\d.smh]+)$/.test(word)) {
      throw new NotExpandable("timeout");
    }
  }
}
