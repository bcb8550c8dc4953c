import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import {
  createScriptedModel,
  type ModelRequest,
  ReplyCache,
  type ScriptStep,
  streamModel,
} from "../../src/index.js";
import { collect, request, user } from "../support/collect.js";

const SETTINGS = { ttlMs: 3_600_000, maxEntries: 1000 };

function scene(settings: Partial<typeof SETTINGS> = {}, step: ScriptStep = { text: "a reply" }) {
  const clock = createManualClock(1000);
  const cache = new ReplyCache({ ...SETTINGS, ...settings }, clock);
  const model = createScriptedModel(() => ({ usage: { input: 3, output: 2 }, ...step }));
  const ask = (asked: ModelRequest = request(), ref = "p/m") =>
    collect(cache.events(ref, asked, () => streamModel(model, asked)));
  return { clock, cache, ask, calls: () => model.requests.length };
}

describe("cache of replies", () => {
  it("[LLM-033] gives the same reply without usage, for an hour", async () => {
    const { ask, calls, clock } = scene();
    const first = await ask();
    // The time of a message does not reach the model.
    const later = request({ messages: [{ ...user("hi"), timestamp: 9 }] });
    const second = await ask(later);
    expect(second.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(first.at(-1)).toMatchObject({ usage: { input: 3, output: 2 } });
    expect(second.at(-1)).toMatchObject({
      type: "finish",
      usage: { input: 0, output: 0, total: 0 },
      isCached: true,
    });
    clock.advance(3_599_999);
    await ask();
    expect(calls()).toBe(1);
    clock.advance(1);
    await ask();
    expect(calls()).toBe(2);
  });

  it.each([
    ["messages", { messages: [user("hello")] }],
    ["the system prompt", { system: "Be brief." }],
    ["the temperature", { temperature: 0.5 }],
    ["the format", { responseFormat: { type: "json" } }],
    ["the effort", { reasoning: "high" }],
  ] satisfies [string, Partial<ModelRequest>][])(
    "[LLM-033] distinguishes requests by %s",
    async (_what, change) => {
      const { ask, calls } = scene();
      await ask();
      await ask(request(change));
      expect(calls()).toBe(2);
    },
  );

  it("[LLM-033] distinguishes models", async () => {
    const { ask, calls } = scene();
    await ask();
    await ask(request(), "p/other");
    expect(calls()).toBe(2);
  });

  it("[LLM-033] keeps no replies to requests with tools", async () => {
    const { ask, calls, cache } = scene();
    const tools = [{ name: "look", description: "", parameters: { type: "object" } }];
    await ask(request({ tools }));
    await ask(request({ tools }));
    expect([calls(), cache.size]).toEqual([2, 0]);
  });

  it.each([
    ["an error", { error: { status: 503, message: "down" } }],
    ["a broken reply", { text: "one two", breakAfter: 1 }],
    ["a truncated reply", { text: "one two", finish: "length" }],
    ["a call", { toolCalls: [{ toolName: "look" }] }],
    ["a reply that is too large", { text: "x".repeat(1_000_001) }],
  ] satisfies [string, ScriptStep][])("[LLM-033] does not keep %s", async (_what, step) => {
    const { ask, calls, cache } = scene({}, step);
    await ask().catch(() => undefined);
    await ask().catch(() => undefined);
    expect([calls(), cache.size]).toEqual([2, 0]);
  });

  it("[LLM-033] drops the reply that was used least recently", async () => {
    const { ask, calls, cache } = scene({ maxEntries: 2 });
    const of = (text: string) => ask(request({ messages: [user(text)] }));
    for (const text of ["a", "b", "a", "c", "a", "b"]) await of(text);
    expect([calls(), cache.size]).toEqual([4, 2]);
  });

  it("bounds the size of all replies together", async () => {
    const { ask, cache } = scene({}, { text: "x".repeat(999_999) });
    for (let count = 0; count < 40; count += 1)
      await ask(request({ messages: [user(`${count}`)] }));
    expect(cache.size).toBe(32);
  });
});
