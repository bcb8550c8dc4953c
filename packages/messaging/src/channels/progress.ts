import type { TurnEvent } from "@openclaw/agent";
import { errorMessage, startOfText } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { IncomingMessage, StatusUpdate } from "@openclaw/plugin-sdk/channel-core";
import { type OutputOptions, redactLeaks } from "@openclaw/safety";
import type { JobStatus } from "../messages/inbound.js";
import type { ChannelAccount } from "./account.js";

/** Maximum length of a preview of a tool's result, in characters (CHAN-006). */
const PREVIEW = 200;
/** Maximum number of statuses that wait for a slow channel; later ones are dropped. */
const MAXIMUM_WAITING = 32;

/** Dependencies of {@link ChannelProgress}. */
export interface ChannelProgressDependencies {
  /** Returns the account that runs now; undefined when the channel has none. */
  account(): ChannelAccount | undefined;
  readonly logger: Logger;
  /** Returns the rules of the safety engine. */
  safety(): Pick<OutputOptions, "rules">;
}

/** Shows the progress on one message to its channel, in order (CHAN-005). A failure never affects the turn. */
export class ChannelProgress {
  readonly #message: IncomingMessage;
  readonly #dependencies: ChannelProgressDependencies;
  #sent: Promise<void> = Promise.resolve();
  #waiting = 0;

  /**
   * @param message - message of the channel
   * @param dependencies - account, safety rules and log
   */
  constructor(message: IncomingMessage, dependencies: ChannelProgressDependencies) {
    this.#message = message;
    this.#dependencies = dependencies;
  }

  /**
   * Shows an event of the turn that answers the message.
   * @param event - progress of the turn
   */
  show(event: TurnEvent): void {
    const { safety } = this.#dependencies;
    for (const status of statusesOf(event, safety)) this.send(status);
  }

  /** Shows a job that began; a model may have written its title. */
  showJob(job: JobStatus): void {
    const { text: title } = redactLeaks(job.title, {
      context: "output",
      ...this.#dependencies.safety(),
    });
    this.send({ ...job, title });
  }

  /**
   * Shows a status.
   * @param status - the progress
   */
  send(status: StatusUpdate): void {
    const { account } = this.#dependencies;
    if (account()?.channel.sendStatus === undefined || this.#waiting >= MAXIMUM_WAITING) return;
    this.#waiting += 1;
    this.#sent = this.#sent.then(() => this.#send(status));
  }

  async #send(status: StatusUpdate): Promise<void> {
    const { account, logger } = this.#dependencies;
    const message = this.#message;
    try {
      await account()?.use(async (channel) =>
        channel.sendStatus?.(status, message.metadata ?? null, message),
      );
    } catch (error) {
      logger.debug(`${message.channel} could not show progress: ${errorMessage(error)}`);
    } finally {
      this.#waiting -= 1;
    }
  }
}

function statusesOf(
  event: TurnEvent,
  safety: ChannelProgressDependencies["safety"],
): readonly StatusUpdate[] {
  switch (event.type) {
    case "started":
      return [{ kind: "thinking", text: "Thinking" }];
    case "tool-started":
      return [{ kind: "tool_started", name: event.toolName }];
    case "tool-finished": {
      const { toolName: name, outcome } = event;
      const preview = toolPreview(
        redactLeaks(event.preview, { context: "output", ...safety() }).text,
      );
      return [
        { kind: "tool_completed", name, success: outcome === "ok" },
        { kind: "tool_result", name, preview },
      ];
    }
    case "text":
      return event.delta === "" ? [] : [{ kind: "stream_chunk", text: event.delta }];
    case "model-waiting":
      return [{ kind: "status", text: "The model has not answered yet" }];
    case "model-retry":
    case "model-failover":
      return [{ kind: "status", text: "The model did not answer; trying again" }];
    default:
      return [];
  }
}

/**
 * Returns the preview of a tool's result: one line of at most 200 characters (CHAN-006).
 * @param text - result without secrets
 */
export function toolPreview(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= PREVIEW) return line;
  // Not within a surrogate pair.
  const cut = startOfText(line, PREVIEW);
  return `${cut}...`;
}
