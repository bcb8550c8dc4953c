import { type ModelEvent, type ModelRequest, streamModel } from "@openclaw/models";
import { describe, expect, it } from "vitest";
import { MODEL_WIRES, wiredModel } from "../../src/model-wires.js";

/** Providers that tell at which stop sequence a reply ended, and that cache on request. */
const KNOWING = ["anthropic", "bedrock"];

async function send(wire: (typeof MODEL_WIRES)[number], request: ModelRequest) {
  await using server = await wire.start();
  server.reply({ text: "Good day END of it." });
  const events: ModelEvent[] = [];
  for await (const event of streamModel(await wiredModel(wire, server), request))
    events.push(event);
  return { end: events.at(-1), body: server.requests[0]?.text ?? "" };
}

describe.each(MODEL_WIRES)("$name", (wire) => {
  const [provider = ""] = wire.ref.split("/");
  const isKnowing = KNOWING.includes(provider);
  const said = { type: "text", text: "hi" } as const;

  it("[GW-720] tells the stop sequence of a reply if its API does", async () => {
    const { end } = await send(wire, {
      messages: [{ role: "user", content: [said], timestamp: 0 }],
      tools: [],
      stopSequences: ["END"],
    });
    expect(end).toMatchObject({ type: "finish", stopReason: "stop" });
    expect(end?.type === "finish" && end.stopSequence).toBe(isKnowing ? "END" : undefined);
  });

  it("[GW-721] sends marks for caches to an API that knows them, and no other", async () => {
    const { body } = await send(wire, {
      system: "Be brief.",
      messages: [{ role: "user", content: [{ ...said, cache: "1h" }], timestamp: 0 }],
      tools: [],
      promptCache: { system: "1h", end: "1h" },
    });
    const marks = body.match(
      /"cache_control":\{"type":"ephemeral","ttl":"1h"\}|"cachePoint":\{"type":"default","ttl":"1h"\}/g,
    );
    expect(marks ?? []).toHaveLength(isKnowing ? 2 : 0);
    expect(/cache_?(?:control|point)/i.test(body)).toBe(isKnowing);
  });
});
