import type { LinearPattern } from "@openclaw/plugin-sdk/services";
import { type HookInput, textOf } from "../points/input.js";

/** Conditions of a hook; all that are given must hold (DHOOK-012). */
export interface HookFilter {
  readonly sender?: readonly string[] | undefined;
  readonly channel?: readonly string[] | undefined;
  readonly tool?: readonly string[] | undefined;
  readonly pattern?: LinearPattern | undefined;
}

/**
 * Returns true when an event passes a filter.
 * @param filter - conditions
 * @param input - the event
 */
export function passes({ sender, channel, tool, pattern }: HookFilter, input: HookInput): boolean {
  return (
    fits(sender, input.sender) &&
    fits(channel, input.channel) &&
    fits(tool, input.tool) &&
    (pattern === undefined || pattern.test(textOf(input)))
  );
}

function fits(globs: readonly string[] | undefined, value: string | undefined): boolean {
  if (globs === undefined) return true;
  return value !== undefined && globs.some((glob) => matchesGlob(glob, value));
}

/**
 * Compares a text with a glob, in which `*` is any text and `?` one character; upper and lower case are the same. The
 * time grows with the product of both lengths at most.
 */
export function matchesGlob(glob: string, value: string): boolean {
  const pattern = glob.toLowerCase();
  const text = value.toLowerCase();
  let at = 0;
  let index = 0;
  let star = -1;
  let resume = 0;
  while (index < text.length) {
    const char = pattern[at];
    if (char === "*") {
      star = at;
      resume = index;
      at += 1;
    } else if (char === "?" || (char !== undefined && char === text[index])) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      // The last star takes one character more.
      at = star + 1;
      resume += 1;
      index = resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
