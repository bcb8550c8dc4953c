import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { AttachedToDraft } from "../view.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Images of the draft above the editor, and what prevents their use. Shows nothing for a draft without any. */
export class AttachmentLine implements Component {
  readonly #attached: () => AttachedToDraft;

  /** @param attached - returns what the draft attaches */
  constructor(attached: () => AttachedToDraft) {
    this.#attached = attached;
  }

  render(width: number): string[] {
    const { images, warnings } = this.#attached();
    return [
      ...(images === undefined ? [] : [colors.dim(safeText(images))]),
      ...warnings.map((warning) => colors.yellow(safeText(warning))),
    ].map((line) => truncateToWidth(line, width, "…"));
  }

  /** Nothing is cached. */
  invalidate(): void {}
}
