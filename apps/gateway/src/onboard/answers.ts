import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROVIDER_IDS, type ProviderId } from "./provider.js";
import type { NamedServer } from "./servers.js";

/** Answers of a setup; the key is not one of them, because they are written to a file. */
export interface Answers {
  readonly provider: ProviderId;
  readonly baseURL?: string | undefined;
  /** Named servers with the OpenAI API; each takes over when those before it fail. */
  readonly servers?: readonly NamedServer[] | undefined;
  readonly model?: string | undefined;
  /** `store.url`; undefined keeps the present setting. */
  readonly database?: string | undefined;
  readonly service?: boolean | undefined;
}

/** Setup that was interrupted. */
export interface Progress {
  /** Prompt to continue with. */
  readonly question: number;
  readonly answers: Partial<Answers>;
}

/** File with the answers of a setup that is not complete (HOST-034). */
export class ProgressFile {
  readonly #file: string;

  /** @param stateDir - state folder, which may not exist */
  constructor(stateDir: string) {
    this.#file = join(stateDir, "onboarding.json");
  }

  /** Returns the interrupted setup; undefined when there is none or the file is damaged. */
  read(): Progress | undefined {
    try {
      const { question, answers } = Object(JSON.parse(readFileSync(this.#file, "utf8")));
      if (!Number.isInteger(question) || !PROVIDER_IDS.includes(Object(answers).provider)) {
        return undefined;
      }
      return { question, answers };
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps the answers so far.
   * @param progress - next prompt, and answers
   */
  write(progress: Progress): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileSync(this.#file, JSON.stringify(progress), { mode: 0o600 });
  }

  /** Removes the file of a complete setup. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
