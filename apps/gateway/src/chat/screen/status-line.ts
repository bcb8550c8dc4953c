import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { duration } from "@openclaw/messaging";
import type { ChatStatus } from "../view.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Line below the editor: what the chat does, which keys help, and the facts of the conversation. */
export class StatusLine implements Component {
  #status: ChatStatus = { state: "", hint: "", facts: [] };

  /** Facts to show from now on. */
  set status(status: ChatStatus) {
    this.#status = status;
  }

  render(width: number): string[] {
    const { state, since, hint, facts } = this.#status;
    const elapsed =
      since === undefined
        ? ""
        : ` ${duration(Math.max(0, Math.floor((Date.now() - since) / 1000)))}`;
    const right = safeText(facts.join(" · "));
    const left = [`${state}${elapsed}`, hint].filter((part) => part !== "").join(" · ");
    const gap = width - visibleWidth(left) - visibleWidth(right);
    const line = gap >= 1 ? `${left}${" ".repeat(gap)}${right}` : undefined;
    const lines = line === undefined ? [left, right] : [line];
    return lines
      .filter((each) => each !== "")
      .map((each) => colors.dim(truncateToWidth(each, width, "…")));
  }

  /** Nothing is cached. */
  invalidate(): void {}
}
