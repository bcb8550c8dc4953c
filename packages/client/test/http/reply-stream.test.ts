import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayClientError } from "../../src/errors.js";
import { type ReplyEvent, replyEvents } from "../../src/http/reply-stream.js";
import { chunk } from "../support/fake-gateway.js";

const encoder = new TextEncoder();

async function read(body: ReadableStream<Uint8Array>): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of replyEvents(body, undefined)) events.push(event);
  return events;
}

function streamOf(...texts: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(texts.map((text) => encoder.encode(text)));
}

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const DONE = "data: [DONE]\n\n";

async function failureOf(body: ReadableStream<Uint8Array>): Promise<GatewayClientError> {
  const error = await read(body).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (GatewayClientError.isInstance(error)) return error;
  throw new Error(`expected an error of the client, got ${String(error)}`);
}

describe("replyEvents", () => {
  it("reads the complete reply, wherever its bytes are split", async () => {
    const pieces = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        pieces,
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        async (texts, cuts) => {
          const bytes = encoder.encode(
            texts.map((text) => event(chunk(text))).join("") +
              event(chunk(undefined, "stop")) +
              DONE,
          );
          const parts: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; ) {
            const next = at + (cuts.next().value ?? 1);
            parts.push(bytes.slice(at, next));
            at = next;
          }
          expect(await read(ReadableStream.from(parts))).toEqual([
            ...texts.map((delta) => ({ type: "text", delta })),
            { type: "end", finishReason: "stop" },
          ]);
        },
      ),
    );
  });

  it("yields approval requests between text, and skips comments", async () => {
    const question = { id: "apr_1", code: "K7MPQ2", state: "pending" };
    const body = streamOf(
      event(chunk("Let me see.")),
      `event: approval\ndata: ${JSON.stringify(question)}\n\n`,
      ": waiting for an answer\n\n",
      event(chunk(undefined, "stop")),
      DONE,
    );
    expect(await read(body)).toEqual([
      { type: "text", delta: "Let me see." },
      { type: "approval", approval: question },
      { type: "end", finishReason: "stop" },
    ]);
    const broken = streamOf("event: approval\ndata: [1]\n\n");
    expect((await failureOf(broken)).message).toContain("is not an approval request");
  });

  it.each(["stop", "length", "content_filter"])(
    "ends with the finish reason %s",
    async (reason) => {
      expect(await read(streamOf(event(chunk(undefined, reason)), DONE))).toEqual([
        { type: "end", finishReason: reason },
      ]);
    },
  );

  it("skips roles, usage, comments and everything else that is not text", async () => {
    const body = streamOf(
      ": keep alive\n\n",
      event({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }),
      event(chunk("hello")),
      event({ choices: [], usage: { prompt_tokens: 1 } }),
      DONE,
      event(chunk("behind the end")),
    );
    expect(await read(body)).toEqual([
      { type: "text", delta: "hello" },
      { type: "end", finishReason: "stop" },
    ]);
  });

  it("rejects a stream that ends without an end event", async () => {
    for (const body of [streamOf(), streamOf(event(chunk("half")))]) {
      const error = await failureOf(body);
      expect(error).toMatchObject({ code: "GATEWAY_STREAM_BROKEN" });
      expect(error.message).toContain("send another message");
    }
  });

  it("rejects when the connection breaks, with the cause", async () => {
    const reset = new Error("ECONNRESET");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode(event(chunk("half"))));
      },
      pull(controller) {
        controller.error(reset);
      },
    });
    expect(await failureOf(body)).toMatchObject({ code: "GATEWAY_STREAM_BROKEN", cause: reset });
  });

  it("throws an error event of the gateway", async () => {
    const error = { message: "the model is down", type: "server_error", param: null, code: null };
    expect(await failureOf(streamOf(event(chunk("half")), event({ error })))).toMatchObject({
      code: "GATEWAY_REFUSED",
      message: "the model is down",
    });
  });

  it.each([
    "{",
    "hello",
    "null",
    "42",
    "{}",
    '{"choices":3}',
    '{"choices":[null]}',
    '{"choices":[{}]}',
    '{"error":"yes"}',
  ])("rejects the data %s", async (data) => {
    const error = await failureOf(streamOf(`data: ${data}\n\n`, DONE));
    expect(error.code).toBe("GATEWAY_STREAM_BROKEN");
    expect(error.message).toMatch(/sent an event that .*version/);
  });

  it("closes the connection when the reader stops", async () => {
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode(event(chunk("more ")))),
      cancel,
    });
    for await (const _ of replyEvents(body, undefined)) break;
    await cancelled;
  });
});
