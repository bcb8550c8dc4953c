import type { DerivedText } from "./derivation.js";
import { withoutMarks } from "./marks.js";
import { percentDecoded } from "./percent-encoding.js";
import { shadowText } from "./shadow.js";

/** Views of a text, each created on first use. */
export class TextViews {
  readonly text: string;
  #shadow: DerivedText | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Copy without disguises (SAFE-024); the text itself when it has none. */
  get shadow(): DerivedText {
    this.#shadow ??= shadowText(this.text);
    return this.#shadow;
  }

  /** Shadow with percent-encoded characters decoded; the shadow itself when it has none. */
  get decoded(): DerivedText {
    return percentDecoded(this.shadow);
  }

  /** Decoded text without escapes, and without marks within words; the decoded text itself when it has none. */
  get plain(): DerivedText {
    return withoutMarks(this.decoded);
  }
}
