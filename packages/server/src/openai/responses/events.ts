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
  type ReasoningItem,
  type ResponseMessage,
  type ResponseOutputItem,
  reasoningItem,
  reasoningItems,
  summaryText,
} from "./response.js";

/** Creates the events of a streamed response in the order of the API, with their sequence numbers. */
export class ResponseEvents {
  #begun: { readonly response: ResponseObject; readonly messageId: string } | undefined;
  /** Text of each message. */
  #texts: string[] = [];
  #isMessageOpen = false;
  /** White space before the text of a message, which is not opened for white space alone. */
  #space = "";
  /** Reasoning before the text, and between its paragraphs. */
  #reasoning: string[] = [];
  #isReasoning = false;
  #encrypted: string | undefined;
  /** Items that were added, in the order of the output; a message by its index among the messages. */
  #opened: ("reasoning" | number)[] = [];
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
    const shown = this.#space + delta;
    this.#space = "";
    if (!this.#isMessageOpen && shown.trim() === "") {
      this.#space = shown;
      return [];
    }
    const events = [...this.#closeSummary(), ...this.#openMessage()];
    this.#texts[this.#texts.length - 1] += shown;
    const place = this.#messagePlace;
    return [
      ...events,
      ...this.#events({ type: "response.output_text.delta", ...place, delta: shown, logprobs: [] }),
    ];
  }

  /** Returns the events that end the message of a model call; later text opens another one (TURN-201). */
  endMessage(): readonly StreamEvent[] {
    this.#space = "";
    if (!this.#isMessageOpen) return [];
    this.#isMessageOpen = false;
    const text = this.#texts.at(-1) ?? "";
    const place = this.#messagePlace;
    const { output_index } = place;
    return this.#events(
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part: outputText(text) },
      { type: "response.output_item.done", output_index, item: this.#message },
    );
  }

  /**
   * Returns the events for a chunk of reasoning. The reasoning before and after a part of the text are parts of
   * one item, which is done when the response is.
   * @param delta - next chunk, not empty
   */
  reasoning(delta: string): readonly StreamEvent[] {
    // A new part needs no paragraph break before it.
    const text = this.#isReasoning ? delta : delta.trimStart();
    const events = this.#openSummary();
    const place = this.#summaryPlace;
    this.#reasoning[place.summary_index] += text;
    return [
      ...events,
      ...this.#events({ type: "response.reasoning_summary_text.delta", ...place, delta: text }),
    ];
  }

  /**
   * Returns the last events.
   * @param outcome - outcome of the request's message, without an error
   * @param encrypted - encrypted reasoning of the last model call, which is known when the reply is complete
   * @returns the events, and the complete response
   */
  end(
    outcome: ReplyOutcome,
    encrypted: readonly string[],
  ): { readonly events: readonly StreamEvent[]; readonly response: ResponseObject } {
    const calls = returnedCalls(outcome);
    const isEmpty = this.#texts.length === 0 && calls.length === 0;
    const closing = [
      ...this.#closeSummary(),
      ...(encrypted.length > 0 ? this.#openReasoning() : []),
      ...(isEmpty ? this.#openMessage() : []),
      ...this.endMessage(),
    ];
    this.#encrypted = encrypted[0];
    const { messageId } = this.#started;
    const further = reasoningItems(messageId, [], encrypted).slice(1);
    closing.push(
      ...(this.#opened.includes("reasoning") ? this.#closeReasoning() : []),
      ...further.flatMap((item, index) => this.#whole(item, index + this.#opened.length)),
      ...calls.flatMap((call, index) =>
        this.#call(call, index + this.#opened.length + further.length),
      ),
    );
    const output: ResponseOutputItem[] = [
      ...this.#opened.map((item) =>
        item === "reasoning" ? this.#reasoningItem : this.#messageAt(item),
      ),
      ...further,
      ...calls.map(callItem),
    ];
    const response = completeResponse(this.#started.response, outcome, output);
    const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
    return { events: [...closing, ...this.#events({ type, response })], response };
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

  /** The last message. */
  get #message(): ResponseMessage {
    return this.#messageAt(this.#texts.length - 1);
  }

  #messageAt(index: number): ResponseMessage {
    return messageItem(this.#started.messageId, this.#texts[index] ?? "", index);
  }

  get #reasoningItem(): ReasoningItem {
    return reasoningItem(this.#started.messageId, this.#reasoning, this.#encrypted);
  }

  get #messagePlace() {
    const output_index = this.#opened.indexOf(this.#texts.length - 1);
    return { item_id: this.#message.id, output_index, content_index: 0 } as const;
  }

  get #summaryPlace() {
    const output_index = this.#opened.indexOf("reasoning");
    const summary_index = this.#reasoning.length - 1;
    return { item_id: this.#reasoningItem.id, output_index, summary_index };
  }

  #openMessage(): readonly StreamEvent[] {
    if (this.#isMessageOpen) return [];
    this.#isMessageOpen = true;
    this.#opened.push(this.#texts.length);
    this.#texts.push("");
    const place = this.#messagePlace;
    return this.#events(
      {
        type: "response.output_item.added",
        output_index: place.output_index,
        item: { ...this.#message, status: "in_progress", content: [] },
      },
      { type: "response.content_part.added", ...place, part: outputText("") },
    );
  }

  #openSummary(): readonly StreamEvent[] {
    if (this.#isReasoning) return [];
    this.#isReasoning = true;
    const opening = this.#openReasoning();
    this.#reasoning.push("");
    const place = this.#summaryPlace;
    const part = summaryText("");
    return [
      ...opening,
      ...this.#events({ type: "response.reasoning_summary_part.added", ...place, part }),
    ];
  }

  #openReasoning(): readonly StreamEvent[] {
    if (this.#opened.includes("reasoning")) return [];
    this.#opened.push("reasoning");
    return this.#events({
      type: "response.output_item.added",
      output_index: this.#summaryPlace.output_index,
      item: { ...this.#reasoningItem, status: "in_progress" },
    });
  }

  #closeSummary(): readonly StreamEvent[] {
    if (!this.#isReasoning) return [];
    this.#isReasoning = false;
    const place = this.#summaryPlace;
    const text = this.#reasoning.at(-1) ?? "";
    return this.#events(
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part: summaryText(text) },
    );
  }

  #closeReasoning(): readonly StreamEvent[] {
    const { output_index } = this.#summaryPlace;
    return this.#events({
      type: "response.output_item.done",
      output_index,
      item: this.#reasoningItem,
    });
  }

  /** Returns the events of an item that arrives at once. */
  #whole(item: ReasoningItem, output_index: number): readonly StreamEvent[] {
    return this.#events(
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, status: "in_progress" },
      },
      { type: "response.output_item.done", output_index, item },
    );
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
