import { startOfText } from "@openclaw/foundation";
import type { LiteralPipeline, LiteralProgram } from "@openclaw/safety";

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
   */
  filled(
    { programs, readsKept }: LiteralPipeline,
    lastExitCode: number | null,
  ): readonly FilledProgram[] {
    return programs.map((authorized, index) => {
      const words = [...authorized.arguments];
      for (const { index: at, parts } of authorized.late ?? []) {
        words[at] = parts
          .map((part) => {
            if (typeof part === "string") return part;
            if ("isExitCode" in part) return String(lastExitCode ?? KILLED);
            return wordOf(this.#textOf(part.slot), part.isJoined);
          })
          .join("");
      }
      const { redirections } = authorized;
      if (readsKept === undefined || index > 0) return { authorized, words, redirections };
      const input = { descriptor: 0, operator: "<<", target: this.#textOf(readsKept) } as const;
      return { authorized, words, redirections: [input, ...redirections] };
    });
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
