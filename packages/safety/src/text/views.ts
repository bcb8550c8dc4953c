import type { DerivedText } from "./derivation.js";
import { percentDecoded } from "./percent-encoding.js";
import { shadowText } from "./shadow.js";

/** The ways in which a text is looked at. Each is made once, on first use. */
export class TextViews {
  readonly text: string;
  #shadow: DerivedText | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The copy without disguises (SAFE-024); the text itself when there is none. */
  get shadow(): DerivedText {
    this.#shadow ??= shadowText(this.text);
    return this.#shadow;
  }

  /** The shadow with percent-encoded characters decoded; the shadow itself when there are none. */
  get decoded(): DerivedText {
    return percentDecoded(this.shadow);
  }
}
