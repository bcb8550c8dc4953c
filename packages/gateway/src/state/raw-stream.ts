import type { ModelStream, ModelStreamIdentity, ModelStreams } from "@openclaw/agent";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  createLeakGuard,
  type LeakGuard,
  type RuleSet,
  redactLogFields,
  redactLogText,
} from "@openclaw/safety";
import { LineFile } from "./line-file.js";

type ModelEvent = Parameters<ModelStream["event"]>[0];
type Delta = Extract<ModelEvent, { delta: string }>["type"];

/** Dependencies of {@link openRawStream}. */
export interface RawStreamDependencies {
  /** Returns the rules that redact, or undefined for the built-in ones. */
  rules(): RuleSet | undefined;
  /** Receives the first error of the file. */
  readonly logger: Logger;
}

/**
 * Opens the file of `--raw-stream`: one JSON object per event of a model stream, without secrets (GW-051). Text is
 * written in whole words, so that a secret in several chunks is recognised.
 * @param file - path; readable only by its user
 * @param dependencies - rules and log
 * @throws the error of the file system when the file cannot be opened
 */
export function openRawStream(
  file: string,
  { rules, logger }: RawStreamDependencies,
): ModelStreams & { close(): void } {
  const lines = new LineFile(file);
  let isReported = false;
  const write = (line: object) => {
    try {
      lines.write(`${JSON.stringify(line)}\n`);
    } catch (error) {
      if (!isReported) {
        logger.error(`the events of models cannot be written to ${file}: ${errorMessage(error)}`, {
          code: "RAW_STREAM_NOT_WRITTEN",
        });
      }
      isReported = true;
    }
  };
  return {
    open: (identity) => new RawStream(identity, { write, rules: rules() }),
    close: () => lines.close(),
  };
}

/** Writes the events of one model call. */
class RawStream implements ModelStream {
  readonly #identity: ModelStreamIdentity;
  readonly #write: (line: object) => void;
  readonly #rules: RuleSet | undefined;
  readonly #guards: Readonly<Record<Delta, WholeWords>>;

  constructor(
    identity: ModelStreamIdentity,
    { write, rules }: { write(line: object): void; readonly rules: RuleSet | undefined },
  ) {
    this.#identity = identity;
    this.#write = write;
    this.#rules = rules;
    this.#guards = { text: new WholeWords(rules), thinking: new WholeWords(rules) };
  }

  event(event: ModelEvent): void {
    if ("delta" in event) {
      if (event.type === "text") this.#flush("thinking");
      this.#delta(event.type, this.#guards[event.type].push(event.delta));
      return;
    }
    this.#flushAll();
    this.#line(event);
  }

  end(error?: unknown): void {
    this.#flushAll();
    if (error !== undefined) this.#line({ type: "error", message: errorMessage(error) });
  }

  #flushAll(): void {
    this.#flush("thinking");
    this.#flush("text");
  }

  #flush(type: Delta): void {
    this.#delta(type, this.#guards[type].flush());
  }

  #delta(type: Delta, delta: string): void {
    if (delta !== "") this.#write({ ...this.#head, type, delta });
  }

  #line(event: object): void {
    this.#write({ ...this.#head, ...Object(redactLogFields(event, { rules: this.#rules })) });
  }

  get #head() {
    return { time: Date.now(), ...this.#identity };
  }
}

/** Redacts a text that arrives in chunks, and returns it in whole words. */
class WholeWords {
  readonly #rules: RuleSet | undefined;
  readonly #guard: LeakGuard;
  #rest = "";

  constructor(rules: RuleSet | undefined) {
    this.#rules = rules;
    this.#guard = createLeakGuard({ context: "log", rules });
  }

  push(delta: string): string {
    this.#rest += this.#guard.push(delta);
    const end = this.#rest.search(/\s\S*$/) + 1;
    const words = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end);
    return redactLogText(words, { rules: this.#rules });
  }

  flush(): string {
    const words = this.#rest + this.#guard.flush();
    this.#rest = "";
    return redactLogText(words, { rules: this.#rules });
  }
}
