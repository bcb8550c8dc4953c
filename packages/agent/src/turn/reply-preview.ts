import { errorMessage, startOfText } from "@openclaw/foundation";
import { isReplyPreview, type OpenReplyPreview, REPLY_HOOKS } from "@openclaw/plugin-runtime";
import type { ReplyPreview } from "@openclaw/plugin-sdk/hooks";
import { createLeakGuard, type OutputOptions } from "@openclaw/safety";
import type { RunningTurn } from "../context/turn.js";
import { isBlank } from "../reply/empty.js";

/** Opens the filters of one text of a reply; undefined when nothing may be shown before the reply is complete. */
export type OpenPreviews = () => readonly ReplyPreview[] | undefined;

/**
 * Returns how a reply is shown while a model writes it: not at all when a handler may change it that does not say how
 * (HCR-013), else through the previews of the handlers, in their order (HCR-026).
 */
export function replyPreviews({ pin, state }: RunningTurn): OpenPreviews {
  const context = state.hookContext;
  const found = REPLY_HOOKS.flatMap((hook) => pin.hooks.annotations(hook, context));
  const handlers: OpenReplyPreview[] = [];
  for (const annotation of found) {
    if (!isReplyPreview(annotation)) return SHOW_NOTHING;
    handlers.push(annotation);
  }
  return () => {
    const previews: ReplyPreview[] = [];
    for (const open of handlers) {
      const preview = open(context);
      if (preview === undefined) return undefined;
      previews.push(preview);
    }
    return previews;
  };
}

/** Shows no text of a reply. */
export const SHOW_NOTHING: OpenPreviews = () => undefined;

/** Shows text before the handlers have seen it. */
export const SHOW_AT_ONCE: OpenPreviews = () => [];

/** Dependencies of {@link PreviewedText}. */
export interface PreviewedTextDependencies {
  /** Rules of the safety engine for secrets. */
  readonly safety: Pick<OutputOptions, "rules">;
  /** Receives the failure of a handler, after which nothing more of the text is shown. */
  onFailure(problem: string): void;
}

/** One text of a reply as it is shown while a model writes it: without secrets, and as the handlers will change it, in whole
 * characters. */
export class PreviewedText {
  readonly #onFailure: (problem: string) => void;
  /** First half of a character whose other half is in the next part, as providers divide them. */
  #half = "";
  #filters: readonly ReplyPreview[] | undefined;

  /**
   * @param open - opens the filters of the handlers
   * @param dependencies - rules, and the receiver of failures
   */
  constructor(open: OpenPreviews, { safety, onFailure }: PreviewedTextDependencies) {
    this.#onFailure = onFailure;
    this.#filters = this.#guarded(() => {
      const handlers = open();
      return handlers && [createLeakGuard({ rules: safety.rules }), ...handlers];
    });
  }

  /** False when nothing of the text is shown. */
  get isShown(): boolean {
    return this.#filters !== undefined;
  }

  /**
   * Adds a part of the text, and returns what can be shown.
   * @param delta - next part
   */
  push(delta: string): string {
    const shown =
      this.#half + this.#passed((filter, text) => (text === "" ? "" : filter.push(text)), delta);
    const whole = startOfText(shown, shown.length);
    this.#half = shown.slice(whole.length);
    return whole.toWellFormed();
  }

  /** Ends the text, and returns the rest of it; another text may follow. */
  flush(): string {
    const rest = this.#passed(
      (filter, text) => (text === "" ? "" : filter.push(text)) + filter.flush(),
      "",
    );
    const shown = this.#half + rest;
    this.#half = "";
    return shown.toWellFormed();
  }

  #passed(step: (filter: ReplyPreview, text: string) => string, delta: string): string {
    const shown = this.#guarded(() =>
      this.#filters?.reduce((text, filter) => step(filter, text), delta),
    );
    return shown ?? "";
  }

  #guarded<Result>(work: () => Result | undefined): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#filters = undefined;
      this.#onFailure(errorMessage(error));
      return undefined;
    }
  }
}

/** Delays the text of a model call until it has a character that people see: a blank one is not part of the reply. */
export class VisibleStart {
  /** Text so far; undefined behind the first visible character. */
  #blank: string | undefined = "";
  readonly #before: string;

  /** @param before - separates the text from text of an earlier call that is already shown */
  constructor(before: string) {
    this.#before = before;
  }

  /**
   * Returns the text to show.
   * @param delta - next part of the text
   */
  push(delta: string): string {
    if (this.#blank === undefined) return delta;
    this.#blank += delta;
    if (isBlank(this.#blank)) return "";
    const text = this.#before + this.#blank;
    this.#blank = undefined;
    return text;
  }
}
