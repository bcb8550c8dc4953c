import { startOfText } from "@openclaw/foundation";
import type { LateWord, LiteralPipeline, LiteralProgram } from "@openclaw/safety";
import type { KeptFiles } from "./kept-files.js";

/** Maximum length of kept output; what is longer is cut. */
const LONGEST = 1024 * 1024;

/** Exit code that a shell shows for a program that SIGKILL ended. */
const KILLED = 137;

/** Program whose late words are filled in. */
export interface FilledProgram {
  readonly authorized: LiteralProgram;
  readonly words: readonly string[];
  readonly redirections: LiteralProgram["redirections"];
}

/** Output of pipelines that later ones of the same command use. */
export class OutputSlots {
  readonly #texts = new Map<number, string>();

  /** Returns what takes the output of a pipeline; undefined when it is output of the command. */
  keeper({ keepsOutput: slot }: LiteralPipeline): ((text: string) => void) | undefined {
    if (slot === undefined) return undefined;
    return (text) => {
      const kept = this.#textOf(slot);
      this.#texts.set(slot, startOfText(kept + text, LONGEST));
    };
  }

  /**
   * Returns the programs of a pipeline with the kept output that they use.
   * @param pipeline - pipeline that runs next
   * @param lastExitCode - exit code of the one before; null when a signal ended it
   * @param files - keeps output that a program reads as a file
   */
  async filled(
    { programs, readsKept }: LiteralPipeline,
    lastExitCode: number | null,
    files: KeptFiles,
  ): Promise<readonly FilledProgram[]> {
    const filled: FilledProgram[] = [];
    for (const [index, authorized] of programs.entries()) {
      const words = [...authorized.arguments];
      for (const { index: at, parts } of authorized.late ?? []) {
        const texts: string[] = [];
        for (const part of parts) texts.push(await this.#partOf(part, lastExitCode, files));
        words[at] = texts.join("");
      }
      const { redirections } = authorized;
      const isReader = readsKept !== undefined && index === 0;
      const kept = isReader
        ? [{ descriptor: 0, operator: "<<", target: this.#textOf(readsKept) } as const]
        : [];
      filled.push({ authorized, words, redirections: [...kept, ...redirections] });
    }
    return filled;
  }

  async #partOf(
    part: LateWord["parts"][number],
    lastExitCode: number | null,
    files: KeptFiles,
  ): Promise<string> {
    if (typeof part === "string") return part;
    if ("isExitCode" in part) return String(lastExitCode ?? KILLED);
    // Replaced when the programs before it have run.
    if ("isNames" in part) return "";
    if ("isFile" in part) return await files.pathOf(this.#textOf(part.slot));
    return wordOf(this.#textOf(part.slot), part.isJoined);
  }

  #textOf(slot: number): string {
    return this.#texts.get(slot) ?? "";
  }
}

/** A word has no NUL characters, and no line ends after it. */
function wordOf(text: string, isJoined = false): string {
  const word = text.replaceAll("\0", "").replace(/\n+$/, "");
  return isJoined
    ? word
        .trim()
        .split(/[ \t\n]+/)
        .join(" ")
    : word;
}
