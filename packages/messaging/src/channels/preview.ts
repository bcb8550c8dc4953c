import type { TurnEvent } from "@openclaw/agent";
import { errorMessage, startOfText, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { type OutputOptions, redactLeaks } from "@openclaw/safety";
import type { ReplySurface, SurfaceDelivery, SurfaceMessage } from "../messages/inbound.js";
import type { ReplyExtent } from "./settings.js";
import type { ChannelSurface } from "./surface.js";

/** Time between two changes of a preview, which platforms limit. */
const EVERY_MS = 1500;
const CONTINUES = " …";

/** Part of the surface of a conversation that a preview uses. */
type PreviewSurface = Pick<
  ChannelSurface,
  "send" | "edit" | "remove" | "textLimit" | "deduplicates" | "hasButtons" | "audio"
>;

/** Dependencies of {@link ReplyPreview}. */
export interface ReplyPreviewDependencies {
  /** Parts of the turn that are its reply. */
  readonly extent: ReplyExtent;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Returns the rules of the safety engine. */
  safety(): Pick<OutputOptions, "rules">;
}

/**
 * Shows a reply while it is written, in a message that is edited and finally becomes the reply. A failure of the
 * preview never affects the reply.
 */
export class ReplyPreview implements ReplySurface {
  readonly #surface: PreviewSurface;
  readonly #dependencies: ReplyPreviewDependencies;
  #runId: string | undefined;
  #text = "";
  /** True when the next text is that of another model call. */
  #isOtherText = false;
  #shown = "";
  #messageId: string | undefined;
  #timer: TimerHandle | undefined;
  /** Changes of the preview run one after another. */
  #work: Promise<void> = Promise.resolve();
  #isOver = false;

  /**
   * @param surface - surface of the conversation
   * @param dependencies - timers, log and safety rules
   */
  constructor(surface: PreviewSurface, dependencies: ReplyPreviewDependencies) {
    this.#surface = surface;
    this.#dependencies = dependencies;
  }

  get textLimit(): number | undefined {
    return this.#surface.textLimit;
  }

  get deduplicates(): boolean {
    return this.#surface.deduplicates;
  }

  get audio(): "voice" | "file" | undefined {
    return this.#surface.audio;
  }

  get hasButtons(): boolean {
    return this.#surface.hasButtons;
  }

  /**
   * Follows the turn that answers the message.
   * @param event - progress of the turn
   */
  follow(event: TurnEvent): void {
    switch (event.type) {
      case "started":
        this.#runId = event.runId;
        break;
      case "tool-started":
        if (this.#dependencies.extent === "last") this.#text = "";
        this.#isOtherText = true;
        break;
      case "text":
        if (this.#isOtherText && this.#text.trim() !== "") this.#text += "\n\n";
        this.#isOtherText = false;
        this.#text += event.delta;
        this.#schedule();
        break;
      default:
    }
  }

  async send(message: SurfaceMessage, delivery: SurfaceDelivery): Promise<{ messageId?: string }> {
    if (delivery.runId !== this.#runId || delivery.part !== 0) {
      return await this.#surface.send(message, delivery);
    }
    await this.#stop();
    const messageId = this.#messageId;
    this.#messageId = undefined;
    const { attachments = [] } = message;
    if (messageId === undefined || attachments.length > 0) {
      await this.#discard(messageId);
      return await this.#surface.send(message, delivery);
    }
    await this.#surface.edit(messageId, message);
    return { messageId };
  }

  edit(messageId: string, message: SurfaceMessage): Promise<boolean> {
    return this.#surface.edit(messageId, message);
  }

  /** Removes a preview that did not become a reply. */
  async end(): Promise<void> {
    await this.#stop();
    const messageId = this.#messageId;
    this.#messageId = undefined;
    await this.#discard(messageId);
  }

  #schedule(): void {
    if (this.#isOver || this.#timer !== undefined) return;
    this.#timer = this.#dependencies.timers.setTimeout(() => {
      this.#timer = undefined;
      this.#work = this.#work.then(() => this.#show());
    }, EVERY_MS);
  }

  async #show(): Promise<void> {
    const { safety, logger } = this.#dependencies;
    if (this.#isOver || this.#text.trim() === "") return;
    const whole = redactLeaks(this.#text, { context: "output", ...safety() }).text;
    const limit = (this.textLimit ?? Number.POSITIVE_INFINITY) - CONTINUES.length;
    const text = startOfText(whole, limit) + CONTINUES;
    if (text === this.#shown) return;
    try {
      if (this.#messageId === undefined) {
        const key = { idempotencyKey: `${this.#runId}:preview` };
        this.#messageId = (await this.#surface.send({ text }, key)).messageId;
        // Without an ID the message cannot be changed.
        if (this.#messageId === undefined) this.#isOver = true;
      } else await this.#surface.edit(this.#messageId, { text });
      this.#shown = text;
    } catch (error) {
      logger.debug(`a preview of a reply was not shown: ${errorMessage(error)}`);
    }
  }

  async #stop(): Promise<void> {
    this.#isOver = true;
    this.#dependencies.timers.clearTimeout(this.#timer);
    await this.#work;
  }

  async #discard(messageId: string | undefined): Promise<void> {
    if (messageId === undefined) return;
    try {
      await this.#surface.remove(messageId);
    } catch (error) {
      this.#dependencies.logger.debug(`a preview was not removed: ${errorMessage(error)}`);
    }
  }
}
