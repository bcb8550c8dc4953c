import { type ConversationEvent, UsageTotals } from "@openclaw/client/conversation";
import { signal } from "@preact/signals";
import { text } from "./messages.js";

/** State of the model that answers, as far as the page knows it. */
export class ModelActivity {
  /** Why it has not answered yet. */
  readonly delay = signal<string | undefined>(undefined);
  readonly model = signal<string | undefined>(undefined);
  /** Part of its context window that the conversation uses. */
  readonly contextPercent = signal<number | undefined>(undefined);
  readonly #usage = new UsageTotals();

  /**
   * Takes an event of a turn.
   * @param event - event that is shown
   * @returns line to show in the conversation, when another model replies
   */
  received(event: ConversationEvent): string | undefined {
    switch (event.type) {
      case "context-used":
        this.#usage.use(event);
        this.contextPercent.value = this.#usage.context?.percent;
        return undefined;
      case "model-waiting":
        this.delay.value = text.modelWaits(event.model, Math.round(event.waitedMs / 1000));
        return undefined;
      case "model-retry": {
        const seconds = Math.max(1, Math.round(event.waitMs / 1000));
        this.delay.value = text.modelRetries(event.model, event.errorCode, seconds, event.retry);
        return undefined;
      }
      case "model-failover":
        return text.modelFailsOver(event.from, event.to, event.errorCode);
      case "started":
        this.model.value = event.model;
        break;
      default:
        break;
    }
    this.delay.value = undefined;
    return undefined;
  }

  /** Forgets the delay, because no turn runs. */
  ended(): void {
    this.delay.value = undefined;
  }
}
