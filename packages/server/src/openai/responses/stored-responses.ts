import { jsonCopy } from "@openclaw/foundation";
import type { ReplyOutcome, TurnSender } from "@openclaw/messaging";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { ResponseObject, ResponseRequest } from "@openclaw/protocol/openai";
import type { StoredResponse } from "@openclaw/store";
import type { RequestSender } from "../caller.js";
import { assistantMessage, type ConversationEntry } from "../conversation.js";
import type { OpenAiFailure } from "../error.js";
import type { OpenAiHost } from "../host.js";
import { isResponseId, readItemId, responseIdOf } from "../identifier.js";
import { failureOf } from "../outcome.js";
import { BETWEEN_PARTS } from "../shown-text.js";
import { encryptedReasoning } from "./encrypted-reasoning.js";
import { begunResponse, completeResponse, failedResponse, replyItems } from "./response.js";

/** Maximum number of responses that one continues. */
const LONGEST_CHAIN = 1000;

/** The part of a request that is stored with its response. */
interface StoredRequest {
  /** Own entries of the request, without those of the responses before. */
  readonly entries: readonly ConversationEntry[];
  /** Parameters that the response repeats. */
  readonly parameters: Omit<ResponseRequest, "input">;
}

/** Conversation that a request continues. */
export interface ContinuedConversation {
  readonly entries: readonly ConversationEntry[];
  readonly sessionKey: string;
}

/** Dependencies of {@link StoredResponses}. */
export type StoredResponsesDependencies = Pick<
  OpenAiHost,
  "responses" | "outcomes" | "clientTurns" | "now"
>;

/** Responses that clients read again and continue, kept for 30 days (GW-037). */
export class StoredResponses {
  readonly #dependencies: StoredResponsesDependencies;

  /** @param dependencies - stored responses, outcomes and turns */
  constructor(dependencies: StoredResponsesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a response that has begun.
   * @param messageId - ID of its message in the inbox
   * @param stored - own entries, session and sender of the request
   */
  async begin(
    messageId: string,
    { input: _input, ...parameters }: ResponseRequest,
    stored: {
      readonly entries: readonly ConversationEntry[];
      readonly sessionKey: string;
      readonly sender: RequestSender;
    },
  ): Promise<void> {
    const request: StoredRequest = { entries: stored.entries, parameters };
    await this.#dependencies.responses.add({
      id: responseIdOf(messageId),
      previousId: parameters.previous_response_id ?? undefined,
      messageId,
      sessionKey: stored.sessionKey,
      sender: senderName(stored.sender),
      request: plain(request),
    });
  }

  /**
   * Stores a complete response.
   * @param response - the response as its client receives it
   */
  async complete(response: ResponseObject): Promise<void> {
    await this.#dependencies.responses.complete(response.id, plain(response));
  }

  /**
   * Returns a response in its current state; one that was completed by a later process is stored first.
   * @param id - ID from a client
   * @returns undefined when it does not exist
   */
  async get(id: string): Promise<ResponseObject | undefined> {
    const row = await this.#row(id);
    if (row === undefined) return undefined;
    if (row.response !== undefined) return asResponse(row.response);
    const { parameters } = asRequest(row.request);
    const begun = begunResponse(row, { ...parameters, input: "" });
    const outcome = await this.#dependencies.outcomes.settled(row.messageId);
    if (outcome === undefined) return begun;
    const { clientTurns } = this.#dependencies;
    const sender = senderNamed(row.sender);
    const encrypted = await encryptedReasoning(parameters, outcome, clientTurns, sender);
    const response = concluded(begun, outcome, encrypted);
    await this.complete(response);
    return response;
  }

  /**
   * Deletes a response.
   * @param id - ID from a client
   * @returns true when it existed
   */
  delete(id: string): Promise<boolean> {
    return this.#dependencies.responses.delete(id);
  }

  /**
   * Returns the conversation up to a response and its reply.
   * @param previousId - ID of the response that a request continues
   * @param sender - sender of the request, who may continue only own responses
   */
  async continued(
    previousId: string,
    sender: RequestSender,
  ): Promise<ContinuedConversation | OpenAiFailure> {
    const previous = await this.#row(previousId);
    if (previous === undefined || previous.sender !== senderName(sender)) {
      return notFound(previousId);
    }
    if ((await this.get(previousId))?.status === "in_progress") return inProgress(previousId);
    const parts: (readonly ConversationEntry[])[] = [];
    for (let row: StoredResponse | undefined = previous; row !== undefined; ) {
      parts.push([...asRequest(row.request).entries, ...(await this.#reply(row, sender))]);
      if (parts.length > LONGEST_CHAIN) return tooLong();
      const { previousId: earlier }: StoredResponse = row;
      if (earlier === undefined) break;
      row = await this.#row(earlier);
      if (row === undefined) return notFound(earlier);
    }
    return { entries: parts.toReversed().flat(), sessionKey: previous.sessionKey };
  }

  /** Returns the entry for an item of an earlier response. */
  async item(itemId: string, sender: RequestSender): Promise<ConversationEntry | undefined> {
    const id = readItemId(itemId);
    if (id === undefined) return undefined;
    // The item of a call names its turn, that of a message its message.
    if ((await this.#dependencies.clientTurns.find(id, sender)) !== undefined) {
      return { role: "turn", id };
    }
    const runId = await this.#dependencies.clientTurns.runOf(id, sender);
    if (runId !== undefined) return { role: "turn", id: runId };
    const row = await this.#row(responseIdOf(id));
    if (row === undefined || row.sender !== senderName(sender)) return undefined;
    return (await this.#reply(row, sender))[0];
  }

  /** Returns the reply of a response; none when its turn failed. */
  async #reply(row: StoredResponse, sender: RequestSender): Promise<readonly ConversationEntry[]> {
    const runId = await this.#dependencies.clientTurns.runOf(row.messageId, sender);
    if (runId !== undefined) return [{ role: "turn", id: runId }];
    const text = messageText(row.response && asResponse(row.response));
    return text === "" ? [] : [assistantMessage(text, [], row.createdAt)];
  }

  async #row(id: string): Promise<StoredResponse | undefined> {
    return isResponseId(id) ? await this.#dependencies.responses.get(id) : undefined;
  }
}

/**
 * Returns the response for an outcome.
 * @param begun - the response as it began
 * @param outcome - outcome of its message
 * @param encrypted - encrypted reasoning that the request includes
 */
export function concluded(
  begun: ResponseObject,
  outcome: ReplyOutcome,
  encrypted: readonly string[],
): ResponseObject {
  const failure = failureOf(outcome);
  return failure === undefined
    ? completeResponse(begun, outcome, replyItems(outcome, encrypted))
    : failedResponse(begun, failure);
}

function messageText(response: ResponseObject | undefined): string {
  const messages = (response?.output ?? []).filter((item) => item.type === "message");
  return messages.flatMap(({ content }) => content.map(({ text }) => text)).join(BETWEEN_PARTS);
}

function senderName({ accountId, senderId }: RequestSender): string {
  return JSON.stringify([accountId ?? "default", senderId]);
}

/** Returns the sender of a stored response, as far as it identifies the turns that it may read. */
function senderNamed(name: string): TurnSender {
  const [accountId, senderId]: [string, string] = JSON.parse(name);
  return { channel: "api", accountId, senderId };
}

function notFound(id: string): OpenAiFailure {
  return {
    status: 404,
    type: "not_found_error",
    code: "previous_response_not_found",
    message: `response ${JSON.stringify(id)} not found; responses are kept for 30 days unless they were sent with store: false`,
    param: "previous_response_id",
  };
}

function inProgress(id: string): OpenAiFailure {
  return {
    status: 409,
    type: "invalid_request_error",
    code: "previous_response_in_progress",
    message: `response ${JSON.stringify(id)} is not complete; continue it when GET /v1/responses/${id} reports another status than in_progress`,
    param: "previous_response_id",
    shouldRetry: false,
  };
}

function tooLong(): OpenAiFailure {
  return {
    status: 400,
    type: "invalid_request_error",
    code: "conversation_too_long",
    message: `a response may continue at most ${LONGEST_CHAIN} others; start a new conversation`,
    param: "previous_response_id",
  };
}

/** Returns a copy with the type of plain JSON, which requests and responses are. */
function plain(value: object): JsonObject {
  return jsonCopy(value) as JsonObject;
}

/** Only this class writes these columns, so that their form is known. */
function asRequest(stored: JsonObject): StoredRequest {
  return stored as unknown as StoredRequest;
}

function asResponse(stored: JsonObject): ResponseObject {
  return stored as unknown as ResponseObject;
}
