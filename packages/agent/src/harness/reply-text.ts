/** Text that a harness shows: the new part, or the whole so far. */
interface ShownText {
  readonly text?: unknown;
  readonly delta?: unknown;
}

type Channel = "text" | "thinking";

/**
 * Text of an attempt. Harnesses report it as chunks or as the whole so far, and at the end a second time, with or
 * without what they said before their calls.
 */
export class HarnessText {
  readonly #whole: Record<Channel, string> = { text: "", thinking: "" };
  /** Text of the current request. */
  #shown = "";
  /** Strings of earlier requests, which are stored. */
  readonly #said: string[] = [];

  /** Begins the text of a request. */
  begin(): void {
    if (this.#shown !== "") this.#said.push(this.#shown.trim());
    this.#shown = "";
  }

  /**
   * Returns the new text of a report.
   * @param channel - answer or reasoning
   * @param report - the chunk, or the whole so far
   */
  added(channel: Channel, report: ShownText | undefined): string {
    const { delta, text } = report ?? {};
    const whole = this.#whole[channel];
    if (typeof delta === "string") {
      this.#whole[channel] = typeof text === "string" ? text : whole + delta;
      return this.#keep(channel, delta);
    }
    if (typeof text !== "string" || text === whole) return "";
    this.#whole[channel] = text;
    if (text.startsWith(whole)) return this.#keep(channel, text.slice(whole.length));
    const isBehindText = channel === "text" && this.#shown !== "";
    return this.#keep(channel, isBehindText ? `\n\n${text}` : text);
  }

  /**
   * Returns the part of a result that was not stored with earlier requests.
   * @param parts - strings of the attempt, in order
   */
  unsaid(parts: readonly string[]): string {
    const said = [...this.#said];
    const rest = parts.filter((text) => {
      if (said[0] !== text.trim()) return true;
      said.shift();
      return false;
    });
    return rest.join("\n\n");
  }

  /**
   * Returns what completes the shown text.
   * @param text - whole text of the request as the harness states it; empty when it states none
   * @returns `rest`: text to show; `whole`: the text where it differs from what was shown
   */
  completed(text: string): { readonly rest: string; readonly whole: string | undefined } {
    const shown = this.#shown;
    if (text === "") return { rest: "", whole: undefined };
    if (!text.startsWith(shown)) return { rest: "", whole: text };
    const rest = text.slice(shown.length);
    this.#shown = text;
    return { rest, whole: undefined };
  }

  #keep(channel: Channel, delta: string): string {
    if (channel === "text") this.#shown += delta;
    return delta;
  }
}
