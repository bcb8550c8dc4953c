import { defined } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageAnswers } from "../delivery/message-answer.js";
import type { InboundMessage } from "../messages/inbound.js";
import { receivedAtOf } from "../messages/inbox.js";
import type { StoredMessage } from "../messages/stored-message.js";
import type { ChannelPairing } from "../senders/pairing.js";
import type { SenderAccess } from "../senders/sender-access.js";
import type { AudioTranscription } from "./transcription.js";

/**
 * Result of the inbound hooks. For a message that is not admitted, the outcome is already stored and
 * answered.
 */
export type Admission =
  | { outcome: "admitted"; message: InboundMessage }
  | { outcome: "cancelled"; text: string; reason: string }
  | { outcome: "claimed"; text: string; content: string };

/** Dependencies of {@link MessageAdmission}. */
export interface MessageAdmissionDependencies {
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly answers: Pick<MessageAnswers, "answer">;
  readonly access: Pick<SenderAccess, "decide">;
  readonly pairing: Pick<ChannelPairing, "offer">;
  readonly transcription: Pick<AudioTranscription, "transcribe">;
  readonly logger: Logger;
}

/** Admits messages: by their sender, then by the inbound hooks, which may rewrite, cancel or claim them. */
export class MessageAdmission {
  readonly #dependencies: MessageAdmissionDependencies;

  /** @param dependencies - hooks and answers */
  constructor(dependencies: MessageAdmissionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Admits a stored message. The message of a sender whom the channel does not accept is cancelled without
   * an answer (SAFE-053), or gets a pairing code and nothing else (HOST-022). Attached audio is transcribed. Then the inbound hooks run in order: `message_receiving` may rewrite or cancel
   * it, `message_received` observes the result, `inbound_claim` may claim it (D14).
   * @throws PluginHookExecutionError when a fail-closed observer or claimant failed (LIFE-037)
   * @throws store errors; the message then still has no outcome
   */
  async admit(stored: StoredMessage): Promise<Admission> {
    const { plugins, answers } = this.#dependencies;
    const { hooks } = plugins;
    const { row, context } = stored;
    const ended = await this.#endForStranger(stored);
    if (ended !== undefined) return ended;
    const message = await this.#dependencies.transcription.transcribe(stored.message, context);
    const { channel, senderId, threadId, userName, room, attachments = [] } = message;
    const told = defined({ senderId, messageId: row.id, timestamp: receivedAtOf(row), threadId });
    const place = { channel, isGroup: room !== undefined };

    const verdict = await hooks.decide(
      "message_receiving",
      {
        ...told,
        ...place,
        content: message.text,
        from: senderId,
        attachments: [...attachments],
        metadata: { ...message.metadata },
      },
      context,
    );
    if (verdict?.cancel === true) {
      const reason = verdict.cancelReason ?? "a plugin cancelled the message";
      const text = await answers.answer(stored, { state: "cancelled", text: verdict.reply });
      return { outcome: "cancelled", reason, text };
    }

    const content = verdict?.content ?? message.text;
    // A rewritten text is the only one that may be seen from here on.
    const { cleanText = content, transcript } = verdict?.content === undefined ? message : {};
    const metadata = { ...message.metadata, ...verdict?.metadata };
    const seen = { ...told, content, media: [...attachments], metadata };
    await hooks.observe(
      "message_received",
      { ...seen, from: senderId, BodyForAgent: cleanText },
      context,
      {
        wait: "fail-closed",
      },
    );
    const claim = await hooks.claim(
      "inbound_claim",
      {
        ...{ ...seen, ...place, body: content, bodyForAgent: cleanText },
        ...defined({ senderName: userName, transcript }),
      },
      context,
    );
    if (claim?.handled === true) {
      const text = await answers.answer(stored, { state: "claimed", text: claim.reply?.text });
      return { outcome: "claimed", text, content };
    }
    return { outcome: "admitted", message: { ...message, text: content } };
  }

  /**
   * Returns true if the sender of a message is accepted.
   * @param message - message from a surface
   */
  accepts(message: InboundMessage): boolean {
    return this.#dependencies.access.decide(message).outcome === "accepted";
  }

  /** Ends the message of a sender who is not accepted. */
  async #endForStranger(stored: StoredMessage): Promise<Admission | undefined> {
    const { access, pairing, answers, logger } = this.#dependencies;
    const { message, row } = stored;
    const decision = access.decide(message);
    if (decision.outcome === "accepted") return undefined;
    const { reason } = decision;
    const { senderId } = message;
    logger.info(reason, { code: "SENDER_NOT_ACCEPTED", messageId: row.id, senderId });
    const offered = decision.outcome === "unpaired" ? await pairing.offer(message) : undefined;
    const text = await answers.answer(stored, { state: "cancelled", text: offered });
    return { outcome: "cancelled", reason, text };
  }
}
