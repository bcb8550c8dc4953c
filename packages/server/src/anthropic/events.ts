import { defined } from "@openclaw/foundation";
import type { ReplyOutcome } from "@openclaw/messaging";
import type { ContentBlock, MessageEvent } from "@openclaw/protocol/anthropic";
import type { OpenAiFailure } from "../openai/error.js";
import type { StreamEvent, TextKind } from "../openai/event-stream.js";
import { openClawOutcome, returnedCalls } from "../openai/outcome.js";
import { anthropicError } from "./error.js";
import { begunMessage, endOf, messageUsage, textBlock, thinkingBlock, toolUse } from "./message.js";
import { signatureOf } from "./reference.js";
import type { ShownReasoning } from "./settings.js";

/** Creates the events of a streamed message in the order of the API: one block is open at a time. */
export class MessageEvents {
  readonly #model: string;
  readonly #shown: ShownReasoning;
  #messageId = "";
  #index = -1;
  #open: TextKind | undefined;

  /**
   * @param model - model as the client named it
   * @param shown - form in which the client receives reasoning
   */
  constructor(model: string, shown: ShownReasoning) {
    this.#model = model;
    this.#shown = shown;
  }

  /**
   * Returns the first events.
   * @param messageId - ID of the request's message in the inbox
   */
  begin(messageId: string): readonly StreamEvent[] {
    this.#messageId = messageId;
    const message = begunMessage(messageId, this.#model);
    return events({ type: "message_start", message }, { type: "ping" });
  }

  /**
   * Returns the events for a chunk of the reply, or of the reasoning before it or within it.
   * @param delta - next chunk, not empty
   * @param kind - text or reasoning
   */
  text(delta: string, kind: TextKind): readonly StreamEvent[] {
    if (kind === "reasoning" && this.#shown === "none") return [];
    const opening = this.#begin(kind);
    if (kind === "reasoning" && this.#shown === "omitted") return opening;
    // A new block needs no paragraph break before it.
    const text = opening.length > 0 ? delta.trimStart() : delta;
    if (text === "") return opening;
    const change =
      kind === "text"
        ? ({ type: "text_delta", text } as const)
        : ({ type: "thinking_delta", thinking: text } as const);
    return [
      ...opening,
      ...events({ type: "content_block_delta", index: this.#index, delta: change }),
    ];
  }

  /**
   * Returns the last events.
   * @param outcome - outcome of the request's message, without an error
   */
  end(outcome: ReplyOutcome): readonly StreamEvent[] {
    const closing = this.#close();
    const calls = returnedCalls(outcome).flatMap((call) => {
      this.#index += 1;
      const block = { ...toolUse(call), input: {} };
      const delta = { type: "input_json_delta", partial_json: call.arguments } as const;
      return events(
        { type: "content_block_start", index: this.#index, content_block: block },
        { type: "content_block_delta", index: this.#index, delta },
        { type: "content_block_stop", index: this.#index },
      );
    });
    return [
      ...closing,
      ...calls,
      ...events(
        {
          type: "message_delta",
          delta: endOf(outcome),
          usage: messageUsage(outcome),
          ...defined({ openclaw_outcome: openClawOutcome(outcome) }),
        },
        { type: "message_stop" },
      ),
    ];
  }

  /**
   * Returns the event of a failure.
   * @param failure - problem and next step
   */
  fail(failure: OpenAiFailure): readonly StreamEvent[] {
    return events(anthropicError(failure));
  }

  #begin(kind: TextKind): readonly StreamEvent[] {
    if (this.#open === kind) return [];
    const closing = this.#close();
    this.#open = kind;
    this.#index += 1;
    const block: ContentBlock = kind === "text" ? textBlock("") : thinkingBlock("", "");
    const start = {
      type: "content_block_start",
      index: this.#index,
      content_block: block,
    } as const;
    return [...closing, ...events(start)];
  }

  #close(): readonly StreamEvent[] {
    const kind = this.#open;
    if (kind === undefined) return [];
    this.#open = undefined;
    const index = this.#index;
    const stop = events({ type: "content_block_stop", index });
    if (kind === "text") return stop;
    const delta = { type: "signature_delta", signature: signatureOf(this.#messageId) } as const;
    return [...events({ type: "content_block_delta", index, delta }), ...stop];
  }
}

function events(...all: readonly MessageEvent[]): readonly StreamEvent[] {
  return all.map((event) => ({ name: event.type, data: JSON.stringify(event) }));
}
