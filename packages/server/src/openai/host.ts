import type { Timers } from "@openclaw/foundation";
import type {
  Caller,
  ClientTurns,
  InboundMessage,
  MessageOutcomes,
  ReplyOutcome,
} from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { FetchUrl } from "./content.js";
import type { EmbeddingPort } from "./embeddings/port.js";

/** Dependencies of the routes of the OpenAI API. */
export interface OpenAiHost {
  /** IDs of the agents that clients can select. */
  readonly agentIds: readonly string[];
  /** Returns the models that clients can select, as `provider/model`. */
  models(): readonly string[];
  /** Returns the agents and models that stand for names of the Messages API, by name or beginning of a name. */
  modelNames(): Readonly<Record<string, string>>;
  /** Estimates the tokens of a text. */
  estimateTokens(text: string): number;
  /** Embedding models of `POST /v1/embeddings`. */
  readonly embeddings: EmbeddingPort;
  /** False rejects requests with tools of the client, `gateway.openai.clientTools`. */
  readonly clientTools: boolean;
  /** Fetches the URL of an image or file within the network check. */
  readonly fetch: FetchUrl;
  /** Processes a message and resolves with its outcome. */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  /** Outcomes of messages that clients repeat. */
  readonly outcomes: Pick<MessageOutcomes, "repeated" | "settled">;
  /** Turns that clients continue. */
  readonly clientTurns: Pick<ClientTurns, "find" | "runOf">;
  /** Responses that clients continue. */
  readonly responses: Store["messages"]["responses"];
  /**
   * Returns an approval request.
   * @param approvalId - ID of the request
   * @returns undefined when it is not pending
   */
  pendingApproval(approvalId: string): Promise<ApprovalSummary | undefined>;
  /** Returns milliseconds since the epoch. */
  now(): number;
  readonly timers: Timers;
  readonly logger: Logger;
}
