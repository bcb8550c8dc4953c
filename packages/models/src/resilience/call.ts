import type { ModelRequestError } from "../request/errors.js";
import type { ModelEvent } from "../request/event.js";
import type { ModelRequest } from "../request/request.js";
import type { ResolvedModel } from "../selection/catalog.js";
import type { CandidatePlace } from "./candidate-order.js";

/** Model that a call may use. */
export interface ModelCandidate extends CandidatePlace {
  /** ID of the provider. */
  readonly provider: string;
  /** Returns the model; called only when the model is about to be called. */
  resolve(): Promise<ResolvedModel>;
}

/** Decision of a chain that operators see. */
export type ChainNotice =
  | {
      /** The model has not responded yet; sent every 10 seconds. */
      readonly kind: "waiting";
      readonly ref: string;
      readonly waitedMs: number;
      /** Time after which the request ends without a response, in milliseconds. */
      readonly limitMs: number;
    }
  | {
      readonly kind: "retry";
      readonly ref: string;
      /** Number of the repetition, from 1. */
      readonly retry: number;
      readonly waitMs: number;
      readonly error: ModelRequestError;
    }
  | {
      readonly kind: "failover";
      readonly from: string;
      readonly to: string;
      /** Code of the error of the first model. */
      readonly code: string;
      /** Reason why the first model gave no reply. */
      readonly reason: string;
    };

/** One call: candidates, and the caller that waits. */
export interface ChainCall {
  /** Models in the order of the configuration, the preferred one first. */
  readonly candidates: readonly ModelCandidate[];
  /** Ends the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** Receives each repetition, each change of model, and each wait for a response. */
  onNotice?(notice: ChainNotice): void;
}

/** One request of a call. */
export interface ModelAttempt {
  readonly model: ResolvedModel;
  /** Number of the request within the call, from 1. */
  readonly number: number;
  /**
   * Sends the request and yields its events; called once. A failure before the first event may be followed by another
   * attempt, a later one ends the call, because the reply has begun (LLM-023).
   * @param request - conversation, tools and settings; the signal is that of the call
   */
  events(request: Omit<ModelRequest, "signal">): AsyncGenerator<ModelEvent, void, undefined>;
}
