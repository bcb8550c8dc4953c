import type { ReplyOutcome } from "@openclaw/messaging";
import type { ResponseEvent, ResponseObject } from "@openclaw/protocol/openai";
import type { OpenAiFailure } from "../error.js";
import type { StreamEvent } from "../event-stream.js";
import { type ReturnedCall, returnedCalls } from "../outcome.js";
import {
  callItem,
  completeResponse,
  failedResponse,
  messageItem,
  outputText,
  type ResponseMessage,
} from "./response.js";

/** Creates the events of a streamed response in the order of the API, with their sequence numbers. */
export class ResponseEvents {
  #begun: { readonly response: ResponseObject; readonly messageId: string } | undefined;
  #text = "";
  #sequence = 0;

  /**
   * Returns the first events.
   * @param response - the response as it began
   * @param messageId - ID of the request's message in the inbox
   */
  begin(response: ResponseObject, messageId: string): readonly StreamEvent[] {
    this.#begun = { response, messageId };
    return this.#events(
      { type: "response.created", response },
      { type: "response.in_progress", response },
    );
  }

  /**
   * Returns the events for a chunk of text.
   * @param delta - next chunk, not empty
   */
  text(delta: string): readonly StreamEvent[] {
    const opening = this.#text === "" ? this.#openMessage() : [];
    this.#text += delta;
    return [
      ...opening,
      ...this.#events({ type: "response.output_text.delta", ...this.#place, delta, logprobs: [] }),
    ];
  }

  /**
   * Returns the last events.
   * @param outcome - outcome of the request's message, without an error
   * @returns the events, and the complete response
   */
  end(outcome: ReplyOutcome): {
    readonly events: readonly StreamEvent[];
    readonly response: ResponseObject;
  } {
    const calls = returnedCalls(outcome);
    const hasMessage = this.#text !== "" || calls.length === 0;
    const response = completeResponse(this.#started.response, outcome, this.#text);
    const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
    const events = [
      ...(hasMessage ? this.#closeMessage() : []),
      ...calls.flatMap((call, index) => this.#call(call, index + (hasMessage ? 1 : 0))),
      ...this.#events({ type, response }),
    ];
    return { events, response };
  }

  /**
   * Returns the events of a failure.
   * @param failure - problem and next step
   * @returns the events, and the failed response; undefined when it has not begun
   */
  fail(failure: OpenAiFailure): {
    readonly events: readonly StreamEvent[];
    readonly response: ResponseObject | undefined;
  } {
    const { code, message, param = null } = failure;
    if (this.#begun === undefined) {
      return { events: this.#events({ type: "error", code, message, param }), response: undefined };
    }
    const response = failedResponse(this.#begun.response, failure);
    return { events: this.#events({ type: "response.failed", response }), response };
  }

  /** True when the first events were created. */
  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  get #started(): { readonly response: ResponseObject; readonly messageId: string } {
    if (this.#begun === undefined) throw new Error("the response has not begun");
    return this.#begun;
  }

  get #message(): ResponseMessage {
    return messageItem(this.#started.messageId, this.#text);
  }

  get #place() {
    return { item_id: this.#message.id, output_index: 0, content_index: 0 } as const;
  }

  #openMessage(): readonly StreamEvent[] {
    return this.#events(
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...this.#message, status: "in_progress", content: [] },
      },
      { type: "response.content_part.added", ...this.#place, part: outputText("") },
    );
  }

  #closeMessage(): readonly StreamEvent[] {
    const opening = this.#text === "" ? this.#openMessage() : [];
    const text = this.#text;
    return [
      ...opening,
      ...this.#events(
        { type: "response.output_text.done", ...this.#place, text, logprobs: [] },
        { type: "response.content_part.done", ...this.#place, part: outputText(text) },
        { type: "response.output_item.done", output_index: 0, item: this.#message },
      ),
    ];
  }

  #call(call: ReturnedCall, output_index: number): readonly StreamEvent[] {
    const item = callItem(call);
    const place = { item_id: item.id, output_index };
    return this.#events(
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, status: "in_progress", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", ...place, delta: item.arguments },
      {
        type: "response.function_call_arguments.done",
        ...place,
        name: item.name,
        arguments: item.arguments,
      },
      { type: "response.output_item.done", output_index, item },
    );
  }

  #events(...events: readonly ResponseEvent[]): readonly StreamEvent[] {
    return events.map((event) => {
      const data = JSON.stringify({ ...event, sequence_number: this.#sequence });
      this.#sequence += 1;
      return { name: event.type, data };
    });
  }
}
