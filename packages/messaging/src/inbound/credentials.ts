import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { CredentialRequest, OutboxRow, PluginSecrets, Store } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { AuthenticationMode } from "../credentials/authentication-mode.js";
import {
  CREDENTIAL_DIGEST,
  CREDENTIAL_PLACEHOLDER,
  credentialConfirmation,
} from "../credentials/notice.js";
import { type MessageAnswers, storeAnswer } from "../delivery/message-answer.js";
import { messageContext } from "../messages/context.js";
import type { Caller, InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import type { MessageRoute } from "../messages/route.js";
import type { StoredMessage } from "../messages/stored-message.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { Submissions } from "../submissions/submissions.js";
import type { MessageAdmission } from "./admission.js";
import type { UnstoredMessage } from "./direct.js";
import type { MessageResponder } from "./responder.js";

const CANCEL = /^\/?auth-cancel$/i;
/** Channel of messages that no person writes. */
const WEBHOOKS = "webhook";

/** Message of a session that may be a credential. */
export interface CredentialMessage {
  readonly message: InboundMessage;
  readonly unstored: UnstoredMessage;
  readonly route: MessageRoute;
  readonly caller: Caller;
}

/** Dependencies of {@link CredentialIntake}. */
export interface CredentialIntakeDependencies {
  readonly live: Pick<LiveSessions, "of" | "find">;
  readonly mode: Pick<AuthenticationMode, "pending" | "cancel" | "fulfilled">;
  readonly store: Store;
  /** Encrypts and stores secrets of plugins. */
  readonly secrets: Pick<PluginSecrets, "put"> | undefined;
  readonly submissions: Pick<Submissions, "isControl">;
  readonly admission: Pick<MessageAdmission, "accepts">;
  readonly answers: Pick<MessageAnswers, "deliver">;
  readonly responder: Pick<MessageResponder, "announce">;
  readonly logger: Logger;
}

/**
 * Takes the message that answers a credential request before any hook, command or transcript gets it: the value goes
 * encrypted to the secrets of the plugin, in the transaction that stores a placeholder in the inbox (SUB-045, TURN-001).
 */
export class CredentialIntake {
  readonly #dependencies: CredentialIntakeDependencies;

  /** @param dependencies - sessions, mode, store, secrets, commands and delivery */
  constructor(dependencies: CredentialIntakeDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns true when a message may be a credential and must be offered to {@link CredentialIntake.take}.
   * @param sessionKey - full key of the session of the message
   */
  isAwaited(sessionKey: string): boolean {
    const { live, mode } = this.#dependencies;
    const isExamined = live.find(sessionKey)?.isFree("credentials") === false;
    return isExamined || mode.pending(sessionKey) !== undefined;
  }

  /**
   * Stores a message as the requested credential.
   * @param offered - message with its route and caller
   * @returns the outcome; undefined for a message that is ordinary input or a control
   * @throws store errors; the mode continues, and the message must be sent again
   */
  async take(offered: CredentialMessage): Promise<ReplyOutcome | undefined> {
    const session = this.#dependencies.live.of(offered.route.sessionKey);
    const taken = await session.run("credentials", () => this.#take(offered));
    return taken && (await this.#deliver(offered, taken));
  }

  async #take(offered: CredentialMessage): Promise<Taken | undefined> {
    const { mode, submissions, admission } = this.#dependencies;
    const { message, route } = offered;
    const { sessionKey } = route;
    const request = mode.pending(sessionKey);
    if (request === undefined || message.channel === WEBHOOKS || !admission.accepts(message)) {
      return undefined;
    }
    if (CANCEL.test(message.text.trim())) return await this.#cancel(offered, request);
    if (await submissions.isControl(message.text, sessionKey)) {
      await mode.cancel(sessionKey, offered.caller);
      return undefined;
    }
    return await this.#store(offered, request);
  }

  async #cancel(offered: CredentialMessage, { name, sessionKey }: CredentialRequest) {
    const stored = hidden(offered, "auth-cancel");
    const text = `No credential was stored; "${name}" is no longer awaited.`;
    const taken = await this.#answer(
      { stored, answeredBy: "control" },
      sessionKey,
      async () => text,
    );
    await this.#dependencies.mode.cancel(sessionKey, offered.caller);
    return taken;
  }

  async #store(offered: CredentialMessage, request: CredentialRequest): Promise<Taken> {
    const { mode, secrets, logger } = this.#dependencies;
    const { message } = offered;
    const { sessionKey, pluginId, name } = request;
    const place = {
      stored: hidden(offered, CREDENTIAL_PLACEHOLDER),
      answeredBy: "credential",
    } as const;
    if ((message.attachments ?? []).length > 0 || message.client?.media !== undefined) {
      const text = `Nothing was stored: send "${name}" as text without a file, or auth-cancel.`;
      return await this.#answer(place, sessionKey, async () => text);
    }
    try {
      const taken = await this.#answer(place, sessionKey, async (unit) => {
        await secrets?.put(unit, pluginId, { name, value: message.text.trim() });
        await unit.credentialRequests.remove(sessionKey);
        return credentialConfirmation(request);
      });
      if (!("duplicateOf" in taken)) mode.fulfilled(request, offered.caller);
      return taken;
    } catch (error) {
      if (StoreUnavailableError.isInstance(error)) throw error;
      const problem = errorMessage(error);
      logger.error(`the credential "${name}" of plugin "${pluginId}" was not stored: ${problem}`);
      const text = `"${name}" was not stored: ${problem}. Send it again, or auth-cancel.`;
      return await this.#answer(place, sessionKey, async () => text);
    }
  }

  /** Stores the row with its answer, and what belongs to them, in one transaction. */
  async #answer(
    place: Pick<Answered, "stored" | "answeredBy">,
    sessionKey: string,
    effect: (unit: Store) => Promise<string>,
  ): Promise<Taken> {
    const { stored } = place;
    return await this.#dependencies.store.transaction(async (unit) => {
      const { row, duplicate } = await unit.messages.inbox.accept(stored.row);
      if (duplicate) return { duplicateOf: row.id };
      const text = await effect(unit);
      const reply = await storeAnswer(unit, stored, { state: "answered", text, sessionKey });
      return { ...place, reply };
    });
  }

  /** Acknowledges the message, and delivers the answer to it. */
  async #deliver({ route }: CredentialMessage, taken: Taken): Promise<ReplyOutcome> {
    if ("duplicateOf" in taken) return { status: "duplicate", messageId: taken.duplicateOf };
    const { answers, responder } = this.#dependencies;
    const { stored, answeredBy, reply } = taken;
    const { sessionKey, agentId, deliveryContext } = route;
    const messageId = stored.row.id;
    stored.caller.onStored?.(messageId);
    const text = await answers.deliver(reply, stored);
    const context = { ...stored.context, agentId, sessionKey };
    const about = { answeredBy, sessionKey, route: { agentId, ...deliveryContext } };
    responder.announce({ ...stored, context }, { outcome: "answered", ...about });
    return { status: "answered", messageId, text };
  }
}

/** A message that was taken, and is acknowledged outside the order of its session. */
type Taken = Answered | { readonly duplicateOf: string };

interface Answered {
  readonly stored: StoredMessage;
  readonly answeredBy: "credential" | "control";
  readonly reply: OutboxRow | undefined;
}

/** Returns a message whose text and other content are replaced, in every form in which it is passed on. */
function hidden({ message, unstored, caller }: CredentialMessage, text: string): StoredMessage {
  const { senderIsOwner, requestDigest } = message;
  const digest = requestDigest === undefined ? {} : { requestDigest: CREDENTIAL_DIGEST };
  const { request: _request, ...envelope } = unstored.message;
  const row = {
    ...envelope,
    content: text,
    attachments: [],
    metadata: { senderIsOwner, ...digest },
    state: "received" as const,
  };
  const { client: _client, history: _history, extraInstructions: _extra, ...place } = message;
  const shown = { ...place, text, attachments: undefined, metadata: undefined };
  const context = messageContext(shown, row.id);
  return { message: shown, row, context, caller, startedAt: performance.now() };
}
