import type { OpenClawError } from "@openclaw/foundation";
import { wireErrorOf } from "@openclaw/protocol/registry";
import type { SentEvent } from "../events/event-log.js";

/** Outcome of a call, as a response carries it. */
export type ResponseOutcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: ReturnType<typeof wireErrorOf> };

/** Writes the frames of a gateway, and numbers its events (GW-019). */
export class FrameWriter {
  readonly #send: (text: string) => void;
  #seq = 0;

  /** @param send - sends the text of a frame */
  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /**
   * Writes the response to a call.
   * @param id - ID of the call
   * @param outcome - result or error
   */
  respond(id: string, outcome: ResponseOutcome): void {
    this.#send(JSON.stringify({ type: "res", id, ...outcome }));
  }

  /**
   * Writes an event.
   * @param event - name, payload and cursor
   * @param dropped - number of events that were left out before it
   */
  event({ name, json, cursor }: SentEvent, dropped = 0): void {
    this.#seq += 1;
    const position = cursor === undefined ? "" : `,"cursor":"${cursor}"`;
    const left = dropped === 0 ? "" : `,"dropped":${dropped}`;
    this.#send(
      `{"type":"event","event":${JSON.stringify(name)},"seq":${this.#seq}${position}${left},"payload":${json}}`,
    );
  }

  /**
   * Writes the error that ends a connection.
   * @param error - reason
   */
  error(error: OpenClawError): void {
    this.#send(JSON.stringify({ type: "error", error: wireErrorOf(error) }));
  }
}
