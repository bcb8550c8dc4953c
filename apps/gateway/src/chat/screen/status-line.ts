import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { duration } from "@openclaw/messaging";
import type { ChatStatus } from "../view.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";

/** Jobs that are shown one by one. */
const SHOWN_JOBS = 3;

/** Lines below the editor: running jobs, what the chat does, which keys help, and the facts of the conversation. */
export class StatusLine implements Component {
  #status: ChatStatus = { state: "", hint: "", facts: [] };

  /** Facts to show from now on. */
  set status(status: ChatStatus) {
    this.#status = status;
  }

  render(width: number): string[] {
    const { state, since, hint, facts, context, jobs = [] } = this.#status;
    const elapsed =
      since === undefined
        ? ""
        : ` ${duration(Math.max(0, Math.floor((Date.now() - since) / 1000)))}`;
    const share = context === undefined ? "" : `context ${context.percent} %`;
    const right = [share, safeText(facts.join(" · "))].filter((part) => part !== "").join(" · ");
    const left = [`${state}${elapsed}`, hint].filter((part) => part !== "").join(" · ");
    const gap = width - visibleWidth(left) - visibleWidth(right);
    const line = gap >= 1 ? `${left}${" ".repeat(gap)}${right}` : undefined;
    const lines = line === undefined ? [left, right] : [line];
    const more = jobs.length - SHOWN_JOBS;
    const shownJobs = more > 0 ? [...jobs.slice(0, SHOWN_JOBS), `and ${more} more jobs`] : jobs;
    return [...shownJobs.map(safeText), ...lines]
      .filter((each) => each !== "")
      .map((each) => {
        const shown = truncateToWidth(each, width, "…");
        const at = context?.isNearlyFull === true ? shown.lastIndexOf(share) : -1;
        if (at < 0) return colors.dim(shown);
        // Colours cannot be nested in dim text.
        const rest = shown.slice(at + share.length);
        return `${colors.dim(shown.slice(0, at))}${colors.yellow(colors.bold(share))}${colors.dim(rest)}`;
      });
  }

  /** Nothing is cached. */
  invalidate(): void {}
}
