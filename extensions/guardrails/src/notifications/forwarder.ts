import type { Notification } from "./event.js";
import { isQuiet, type QuietHours } from "./quiet-hours.js";

/** Most notifications that wait for the end of the quiet hours; of more only the number is kept. */
const MOST_HELD = 50;
/** Maximum number of notifications that are remembered to find repetitions. */
const MOST_REMEMBERED = 1000;

/** Notifications that wait for the end of the quiet hours. */
export interface HeldNotifications {
  readonly texts: readonly string[];
  /** Number of further ones. */
  readonly more: number;
}

/** Dependencies of {@link NotificationForwarder}. */
export interface ForwarderDependencies {
  readonly now: () => number;
  readonly dedupMs: number;
  readonly quietHours: QuietHours | undefined;
  /**
   * Sends a text.
   * @param text - one or more lines
   * @param notification - the event; absent for a summary of several
   */
  send(text: string, notification?: Notification): Promise<void>;
  /** Reads what waits from the last process, and stores what waits now. */
  readonly held: {
    load(): Promise<HeldNotifications | undefined>;
    save(held: HeldNotifications | undefined): Promise<void>;
  };
}

/** Sends notifications: repeated ones once in a window, and others than critical ones after the quiet hours. */
export class NotificationForwarder {
  readonly #dependencies: ForwarderDependencies;
  /** Repetitions of each text since it was sent. */
  readonly #sent = new Map<string, { at: number; repeated: number }>();
  #held: HeldNotifications | undefined;
  #isLoaded = false;

  /** @param dependencies - clock, times and receiver */
  constructor(dependencies: ForwarderDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends a notification, holds it until the end of the quiet hours, or leaves it out because an equal one was sent.
   * @param notification - selected by a rule
   * @returns outcome
   */
  async forward(notification: Notification): Promise<"sent" | "held" | "repeated"> {
    const { now, dedupMs, quietHours, send } = this.#dependencies;
    const key = `${notification.event}|${notification.sessionKey ?? ""}|${notification.text}`;
    const time = now();
    const earlier = this.#sent.get(key);
    if (earlier !== undefined && time - earlier.at < dedupMs) {
      earlier.repeated += 1;
      return "repeated";
    }
    this.#remember(key, time);
    const repeated = earlier?.repeated ?? 0;
    const text =
      repeated === 0 ? notification.text : `${notification.text} (${repeated} more like it before)`;
    if (
      quietHours !== undefined &&
      notification.severity !== "critical" &&
      isQuiet(quietHours, time)
    ) {
      await this.#hold(text);
      return "held";
    }
    await send(text, notification);
    return "sent";
  }

  /** Sends what was held, once the quiet hours are over. */
  async release(): Promise<void> {
    const { now, quietHours, send, held } = this.#dependencies;
    if (quietHours !== undefined && isQuiet(quietHours, now())) return;
    await this.#load();
    if (this.#held === undefined) return;
    const { texts, more } = this.#held;
    const rest = more === 0 ? [] : [`… and ${more} more`];
    await send(
      [
        `${texts.length + more} notifications from the quiet hours:`,
        ...texts.map((text) => `- ${text}`),
        ...rest,
      ].join("\n"),
    );
    this.#held = undefined;
    await held.save(undefined);
  }

  async #hold(text: string): Promise<void> {
    await this.#load();
    const { texts, more } = this.#held ?? { texts: [], more: 0 };
    this.#held =
      texts.length < MOST_HELD ? { texts: [...texts, text], more } : { texts, more: more + 1 };
    await this.#dependencies.held.save(this.#held);
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#held = await this.#dependencies.held.load();
    this.#isLoaded = true;
  }

  #remember(key: string, at: number): void {
    this.#sent.delete(key);
    this.#sent.set(key, { at, repeated: 0 });
    for (const oldest of this.#sent.keys()) {
      if (this.#sent.size <= MOST_REMEMBERED) return;
      this.#sent.delete(oldest);
    }
  }
}
