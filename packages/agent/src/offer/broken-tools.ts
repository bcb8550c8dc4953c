import type { Logger } from "@openclaw/plugin-sdk";
import type { OfferedToolKind } from "../tool-call/tool-entry.js";

/** Failures in a row, over all turns, after which a tool is no longer offered (JOB-022). */
const MOST_FAILURES = 5;
const PROBE_MINUTES = 10;
const MINUTE_MS = 60_000;

interface Failures {
  readonly count: number;
  /** Time from which the tool is offered again; undefined for one that is not broken. */
  readonly hiddenUntil: number | undefined;
}

/** Dependencies of {@link BrokenTools}. */
export interface BrokenToolsDependencies {
  /** Tells the operator. */
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * Tools of plugins and MCP servers that fail each time they are called. Tools of the core are not counted: what they report
 * as failed, such as a file that does not exist or a test that fails, says nothing about the tool.
 */
export class BrokenTools {
  readonly #dependencies: BrokenToolsDependencies;
  readonly #failures = new Map<string, Failures>();

  /** @param dependencies - log and clock */
  constructor(dependencies: BrokenToolsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Counts the end of a call; a success begins the count again.
   * @param kind - origin of the tool; undefined for one that is no longer offered
   * @param hasFailed - true when the tool failed
   * @returns note for the model when the tool is broken from now on
   */
  note(
    toolName: string,
    kind: OfferedToolKind | undefined,
    hasFailed: boolean,
  ): string | undefined {
    if (kind !== "plugin" && kind !== "mcp" && kind !== "wasm") return undefined;
    const { logger, now } = this.#dependencies;
    const before = this.#failures.get(toolName);
    if (!hasFailed) {
      if (before?.hiddenUntil !== undefined) logger.info(`the tool ${toolName} works again`);
      this.#failures.delete(toolName);
      return undefined;
    }
    const count = (before?.count ?? 0) + 1;
    const isBroken = count >= MOST_FAILURES;
    const hiddenUntil = isBroken ? now() + PROBE_MINUTES * MINUTE_MS : undefined;
    this.#failures.set(toolName, { count, hiddenUntil });
    if (!isBroken) return undefined;
    logger.warn(
      `the tool ${toolName} failed ${count} times in a row and is not offered to models; it is tried again in ${PROBE_MINUTES} minutes, and at once after a reload of plugins or configuration`,
      { code: "TOOL_BROKEN", tool: toolName },
    );
    return `${toolName} has failed ${count} times in a row and is not offered in the next turns; do it in another way, or tell the user.`;
  }

  /** Returns true for a tool that is broken and not due to be tried again. */
  isHidden(toolName: string): boolean {
    return (this.#failures.get(toolName)?.hiddenUntil ?? 0) > this.#dependencies.now();
  }
}
