import type { ReadableStreamReadResult } from "node:stream/web";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openEventStream } from "../../src/openai/event-stream.js";

function open() {
  const stream = openEventStream((text) => [{ data: `text ${JSON.stringify(text)}` }]);
  stream.event("open");
  const end = (...events: readonly string[]) => {
    for (const data of events) stream.event(data);
    stream.end();
  };
  return { ...stream, end };
}

async function read(body: ReadableStream<Uint8Array>): Promise<string[]> {
  const events: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of body) events.push(decoder.decode(chunk));
  return events;
}

describe("openEventStream", () => {
  it("sends each chunk at once to a fast reader", async () => {
    const stream = open();
    const reader = stream.body.getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe("data: open\n\n");
    for (const piece of ["Good ", "day."]) {
      const event = next();
      stream.text(piece);
      expect(await event).toBe(`data: text ${JSON.stringify(piece)}\n\n`);
    }
    stream.end("[DONE]");
    expect(await next()).toBe("data: [DONE]\n\n");
    expect((await reader.read()).done).toBe(true);
  });

  it("merges the chunks that a slow reader has not read", async () => {
    const stream = open();
    for (const piece of ["a", "b", "c"]) stream.text(piece);
    stream.end("last", "[DONE]");
    expect(await read(stream.body)).toEqual([
      "data: open\n\n",
      'data: text "abc"\n\n',
      "data: last\n\n",
      "data: [DONE]\n\n",
    ]);
  });

  it("delivers the complete text in order to readers of any speed", async () => {
    const steps = fc.array(fc.oneof(fc.constant("read" as const), fc.nat(9)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (each) => {
        const stream = open();
        const reader = stream.body.getReader();
        const reads: Promise<ReadableStreamReadResult<Uint8Array>>[] = [];
        for (const step of each) {
          if (step === "read") reads.push(reader.read());
          else stream.text(String(step));
        }
        stream.end("[DONE]");
        const events: string[] = [];
        const take = async (result: Promise<ReadableStreamReadResult<Uint8Array>>) => {
          const { done, value } = await result;
          if (!done) events.push(new TextDecoder().decode(value).slice("data: ".length, -2));
          return done;
        };
        for (const result of reads) await take(result);
        while (!(await take(reader.read())));
        const text = events
          .slice(1, -1)
          .map((event) => JSON.parse(event.slice("text ".length)))
          .join("");
        expect(text).toBe(each.filter((step) => step !== "read").join(""));
        expect([events[0], events.at(-1)]).toEqual(["open", "[DONE]"]);
      }),
    );
  });

  it("sends events with a name, comments on one line, and waiting text before them", async () => {
    const stream = open();
    stream.text("a");
    stream.event("{}", "approval");
    stream.text("b");
    stream.comment("line one\nline two");
    stream.end();
    expect(await read(stream.body)).toEqual([
      "data: open\n\n",
      'data: text "a"\n\n',
      "event: approval\ndata: {}\n\n",
      'data: text "b"\n\n',
      ": line one line two\n\n",
    ]);
  });

  it("drops data after its reader has disconnected", async () => {
    const stream = open();
    await stream.body.cancel("gone");
    stream.text("into the void");
    stream.end("[DONE]");
    expect((await stream.body.getReader().read()).done).toBe(true);
  });
});
