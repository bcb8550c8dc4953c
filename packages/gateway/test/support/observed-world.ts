import { existsSync, readFileSync } from "node:fs";
import type { CrashWorld } from "./crash-scenario.js";

/** Effects of all processes of a run. */
export class SeenWorld implements CrashWorld {
  /** Number of effects of each tool. */
  readonly effects = new Map<string, number>();
  /** Messages that the channel was given, in order. */
  readonly sent: { readonly key: string; readonly text: string }[] = [];
  /** IDs of the acknowledged messages, by the sender's ID. */
  readonly ids = new Map<string, string>();

  ran(effect: string): void {
    this.effects.set(effect, (this.effects.get(effect) ?? 0) + 1);
  }

  given(key: string, text: string): void {
    this.sent.push({ key, text });
  }

  acknowledged(key: string, messageId: string): void {
    this.ids.set(key, messageId);
  }
}

/**
 * Reads the effects that processes logged line by line before they were killed.
 * @param log - path of the file; without it there were no effects
 */
export function readWorld(log: string): SeenWorld {
  const world = new SeenWorld();
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  for (const line of lines) {
    if (line === "") continue;
    const [kind, first = "", second = ""]: string[] = JSON.parse(line);
    if (kind === "ran") world.ran(first);
    else if (kind === "given") world.given(first, second);
    else world.acknowledged(first, second);
  }
  return world;
}
