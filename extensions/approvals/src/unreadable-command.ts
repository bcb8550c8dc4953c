import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import { nameOf } from "./destructive-rule.js";
import { reachOf } from "./redirection.js";
import { decidingVariable } from "./variable.js";

/** Maximum length in UTF-8 bytes; longer commands always need approval (APPR-045). */
const LONGEST_COMMAND = 16_384;
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const CODE_RUNNERS = new Set(["eval", "source", "."]);
const ELEVATORS = new Set(["sudo", "sudo-rs", "doas", "su", "pkexec", "run0", "runuser", "sg"]);
const SHELL = /^(?:ba|da|z|k|mk|fi|c|tc|a|ya)?sh$/;

/** Reason why a command needs approval regardless of the lists (APPR-038, APPR-039). */
export interface Ambiguity {
  readonly id: string;
  readonly reason: string;
  /** True when the command could conceal anything, so it is treated as critical. */
  readonly hides?: true;
  /** True when it is about something that an expansion of the command replaces. */
  readonly isLate?: true;
}

/**
 * Returns the reason why the command of a call cannot be evaluated as a whole; undefined when it
 * can.
 * @param parsed - parsed command
 */
export function doubtOfAll({ complete, source, features }: ParsedCommand): Ambiguity | undefined {
  if (Buffer.byteLength(source) > LONGEST_COMMAND) {
    return { id: "too-long", reason: "it is longer than 16 KiB", hides: true };
  }
  if (HIDDEN.test(source)) {
    return {
      id: "hidden-characters",
      reason: "it contains invisible or control characters",
      hides: true,
    };
  }
  if (!complete) {
    return { id: "unreadable", reason: "it cannot be read in full before it runs", hides: true };
  }
  return features.includes("process-substitution")
    ? { id: "process-substitution", reason: "it uses process substitution", isLate: true }
    : undefined;
}

/**
 * Returns the reason why one command cannot be evaluated; undefined when it can.
 * @param command - command of the call
 * @param place - place where it would run
 * @param index - index of the command
 */
export async function ambiguityOf(
  command: SimpleCommand,
  { workspace, folders }: CommandPlace,
  index: number,
): Promise<Ambiguity | undefined> {
  const { program, wrappers, redirections, input, arguments: words } = command;
  if (program === undefined) {
    return {
      id: "computed-program",
      reason: "its program is computed when it runs",
      hides: true,
    };
  }
  const name = nameOf(program);
  if (CODE_RUNNERS.has(name) || wrappers.includes("eval")) {
    return { id: "run-as-code", reason: "it runs text as code", hides: true };
  }
  if (
    SHELL.test(name) &&
    !(words.length === 1 && words[0] === "--version") &&
    (input.length > 0 || !words.some((word) => word?.startsWith("-") !== true))
  ) {
    return { id: "shell-input", reason: "a shell runs its input", hides: true };
  }
  const variable = decidingVariable(command);
  if (variable !== undefined) {
    return {
      id: "deciding-variable",
      reason: `it sets ${variable}, which decides which code runs`,
      hides: true,
    };
  }
  if (ELEVATORS.has(name) || wrappers.some((wrapper) => ELEVATORS.has(wrapper))) {
    return { id: "elevated", reason: "it runs with the rights of another user" };
  }
  for (const redirection of redirections) {
    if ((await reachOf(redirection, workspace, folders[index])) === "outside") {
      const { target, operator } = redirection;
      const named = target ?? "a file known only when it runs";
      const isLate = target === undefined && operator === "<";
      const reason = `it redirects to or from ${named}`;
      return { id: "redirection", reason, ...(isLate ? { isLate } : {}) };
    }
  }
  return undefined;
}
