import { LinearPattern, LinearPatternError } from "@openclaw/safety";
import { Type } from "typebox";
import { RoutineRefusedError } from "../errors.js";

/** Triggers of a routine other than a schedule and a person. */
export const outsideTriggers = [
  /** A request; its secret is derived from the key of the installation and this salt. */
  Type.Object({ kind: Type.Literal("webhook"), salt: Type.String() }),
  /** A message of a person that matches a pattern. */
  Type.Object({
    kind: Type.Literal("event"),
    pattern: Type.String(),
    channel: Type.Optional(Type.String()),
  }),
  /** A change of a file in the workspace of its agent. */
  Type.Object({ kind: Type.Literal("file"), path: Type.String() }),
] as const;

/** Triggers as people write them; at most one is given. */
export interface WrittenTrigger {
  /** True for a request; each time it is written, the secret is another. */
  readonly webhook?: boolean | undefined;
  /** Pattern of the messages, in RE2 syntax. */
  readonly onMessage?: string | undefined;
  /** Channel of the messages; every one when absent. */
  readonly onChannel?: string | undefined;
  /** File or folder, relative to the workspace. */
  readonly onFile?: string | undefined;
}

/**
 * Returns a pattern of messages, compiled.
 * @param pattern - RE2 syntax
 * @throws RoutineRefusedError when it is not valid
 */
export function readPattern(pattern: string): LinearPattern {
  try {
    if (pattern.trim() !== "") return new LinearPattern(pattern, { ignoreCase: true });
  } catch (error) {
    if (!LinearPatternError.isInstance(error)) throw error;
    throw new RoutineRefusedError(`event_pattern: ${error.message}`);
  }
  throw new RoutineRefusedError("event_pattern: it is empty; write a word or a pattern");
}

/**
 * Returns a path in the workspace in its normal form.
 * @param written - file or folder, relative to the workspace
 * @throws RoutineRefusedError for a path that leads out of it
 */
export function readWatchedPath(written: string): string {
  const parts: string[] = [];
  for (const part of written.trim().split(/[/\\]+/)) {
    if (part === "" || part === ".") continue;
    parts.push(part);
  }
  const isOutside = /^(?:[/\\~]|[A-Za-z]:)/.test(written.trim()) || parts.includes("..");
  if (!isOutside && parts.length > 0) return parts.join("/");
  throw new RoutineRefusedError(
    `"${written}" is not a path inside the workspace; name a file or folder in it, such as drop`,
  );
}
