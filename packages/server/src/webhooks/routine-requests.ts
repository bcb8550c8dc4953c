import {
  WebhookBodyError,
  WebhookFloodError,
  WebhookNotFoundError,
  WebhookReplayedError,
} from "./errors.js";
import { checkProof, type WebhookRequest } from "./proof.js";

const LONGEST_KEY = 200;

/** The webhooks of routines. */
export interface RoutineWebhookPort {
  /**
   * Returns the secret of an enabled routine that requests set off.
   * @param routineId - ID from the URL
   */
  find(routineId: string): Promise<string | undefined>;
  /**
   * Sets off a routine; resolves with undefined when it was removed or disabled meanwhile.
   * @param request - text, idempotency key, and signature
   */
  accept(
    routineId: string,
    request: {
      readonly text: string;
      readonly key?: string | undefined;
      readonly proof?: string | undefined;
    },
  ): Promise<
    | { readonly state: "accepted" | "repeated" | "replayed"; readonly plannedAt: number }
    | { readonly state: "flooded" }
    | undefined
  >;
}

/** Answer to an accepted request. */
export interface RoutineRequestAnswer {
  /** Time of the run, by which `openclaw cron runs` shows it. */
  readonly plannedAt: number;
  /** True for a repeat with the same idempotency key, which set nothing off. */
  readonly repeated: boolean;
}

/** Requests of other services that set off routines, `POST /hooks/routine/<id>` (JOB-024). */
export class RoutineRequests {
  readonly #webhooks: RoutineWebhookPort;
  readonly #now: () => number;

  /** @param clock - returns milliseconds since the epoch */
  constructor(webhooks: RoutineWebhookPort, { now }: { now(): number }) {
    this.#webhooks = webhooks;
    this.#now = () => now();
  }

  /**
   * Checks that an enabled routine has a webhook, before the request is read.
   * @param routineId - ID from the URL
   * @returns its secret
   * @throws WebhookNotFoundError
   */
  async require(routineId: string): Promise<string> {
    const secret = await this.#webhooks.find(routineId);
    if (secret === undefined) throw new WebhookNotFoundError(`routine/${routineId}`, "routine");
    return secret;
  }

  /**
   * Accepts a request, and resolves once its run is stored.
   * @param request - ID of the routine, headers and unchanged body
   * @throws the errors of webhooks, store errors
   */
  async accept({ name: routineId, body, header }: WebhookRequest): Promise<RoutineRequestAnswer> {
    const value = await this.require(routineId);
    const name = `routine/${routineId}`;
    const isSigned = header("x-openclaw-signature") !== undefined;
    const secret = { type: isSigned ? "signature" : "token", value } as const;
    const proof = checkProof({ name, body, header }, secret, this.#now());
    const key = header("idempotency-key");
    if (key !== undefined && (key === "" || key.length > LONGEST_KEY)) {
      const problem = `the Idempotency-Key has not 1 to ${LONGEST_KEY} characters; send a shorter one`;
      throw new WebhookBodyError(name, problem);
    }
    const answer = await this.#webhooks.accept(routineId, { text: textOf(name, body), key, proof });
    switch (answer?.state) {
      case "accepted":
        return { plannedAt: answer.plannedAt, repeated: false };
      case "repeated":
        return { plannedAt: answer.plannedAt, repeated: true };
      case "replayed":
        throw new WebhookReplayedError(name, { plannedAt: answer.plannedAt });
      case "flooded":
        throw new WebhookFloodError(name);
      default:
        throw new WebhookNotFoundError(name, "routine");
    }
  }
}

function textOf(name: string, body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new WebhookBodyError(name, "the body is not text in UTF-8; send text, such as JSON");
  }
}
