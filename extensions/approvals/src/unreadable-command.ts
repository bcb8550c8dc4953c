import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import { nameOf } from "./destructive-rule.js";
import { reachOf } from "./redirection.js";
import { decidingVariable } from "./variable.js";

/** Longer ones always ask, in UTF-8 bytes (APPR-045). */
const LONGEST_COMMAND = 16_384;
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/u;
const CODE_RUNNERS = new Set(["eval", "source", "."]);
const ELEVATORS = new Set(["sudo", "sudo-rs", "doas", "su", "pkexec", "run0", "runuser", "sg"]);
const SHELL = /^(?:ba|da|z|k|mk|fi|c|tc|a|ya)?sh$/;

/** Why a person is asked whatever the lists say (APPR-038, APPR-039). */
export interface Ambiguity {
  readonly id: string;
  readonly reason: string;
  /** True when it may hide anything, and so weighs as much as the worst that it may hide. */
  readonly hides?: true;
}

/**
 * What keeps all of a call's command from being evaluated; undefined when nothing does.
 * @param parsed - the tree
 */
export function doubtOfAll({ complete, source, features }: ParsedCommand): Ambiguity | undefined {
  if (Buffer.byteLength(source) > LONGEST_COMMAND) {
    return { id: "too-long", reason: "it is longer than 16 KiB", hides: true };
  }
  if (HIDDEN.test(source)) {
    return { id: "hidden-characters", reason: "it holds characters that nobody sees", hides: true };
  }
  if (!complete) {
    return { id: "unreadable", reason: "it cannot be read in full before it runs", hides: true };
  }
  return features.includes("process-substitution")
    ? { id: "process-substitution", reason: "it uses process substitution" }
    : undefined;
}

/**
 * What keeps one command from being evaluated; undefined when nothing does.
 * @param command - one of the call's
 * @param place - where it would run
 * @param index - of the command
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
      reason: "which program it is is computed when it runs",
      hides: true,
    };
  }
  const name = nameOf(program);
  if (CODE_RUNNERS.has(name) || wrappers.includes("eval")) {
    return { id: "run-as-code", reason: "it runs text as code", hides: true };
  }
  if (
    SHELL.test(name) &&
    (input.length > 0 || !words.some((word) => word?.startsWith("-") !== true))
  ) {
    return { id: "shell-input", reason: "a shell runs what it is sent", hides: true };
  }
  const variable = decidingVariable(command);
  if (variable !== undefined) {
    return {
      id: "deciding-variable",
      reason: `it sets ${variable}, which decides what runs`,
      hides: true,
    };
  }
  if (ELEVATORS.has(name) || wrappers.some((wrapper) => ELEVATORS.has(wrapper))) {
    return { id: "elevated", reason: "it runs with the rights of another user" };
  }
  for (const redirection of redirections) {
    if ((await reachOf(redirection, workspace, folders[index])) === "outside") {
      const target = redirection.target ?? "a file known only when it runs";
      return { id: "redirection", reason: `it redirects to or from ${target}` };
    }
  }
  return undefined;
}
