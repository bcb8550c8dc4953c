import { describe, expect, it } from "vitest";
import {
  calling,
  plugin,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

const script = [
  { text: "Let me look that up.", ...calling("work") },
  { text: "  \n", ...calling("work") },
  { text: "One more.", ...calling("work") },
  { text: "It is 42." },
];
const ALL = "Let me look that up.\n\nOne more.\n\nIt is 42.";

const hostOf = (options: TurnHostOptions = {}) =>
  turnHost({ coreTools: [tool("work")], script, ...options });

describe("parts of a reply", () => {
  it("[TURN-201] are those of every model call that gave one", async () => {
    const host = await hostOf();
    expect(await host.run()).toMatchObject({ status: "completed", text: ALL });
    const said = (await host.transcript()).filter(({ role }) => role === "assistant");
    expect(said.at(-1)).not.toHaveProperty("deliveredText");
  });

  it("[TURN-201] are that of the last call where the surface wants it so, and in JSON", async () => {
    const host = await hostOf();
    expect(await host.run({ reply: "last" })).toMatchObject({ text: "It is 42." });
    const json = await hostOf();
    const client = { settings: { responseFormat: { type: "json" } } } as const;
    expect(await json.run({ client })).toMatchObject({ text: "It is 42." });
  });

  it("[TURN-201] do not include an answer that a plugin had revised", async () => {
    const editor = plugin("editor", (api) => {
      api.on("before_agent_finalize", ({ lastAssistantMessage }) =>
        lastAssistantMessage === "a draft"
          ? { action: "revise", reason: "a draft", retry: { instruction: "better" } }
          : undefined,
      );
    });
    const host = await hostOf({
      plugins: [editor],
      script: [{ text: "Hm.", ...calling("work") }, { text: "a draft" }, { text: "done" }],
    });
    expect(await host.run()).toMatchObject({ text: "Hm.\n\ndone" });
  });

  it("[TURN-201] go through transform_response together, and the transcript keeps each change once", async () => {
    const seen: string[] = [];
    const shouting = plugin("shouting", (api) => {
      api.on("transform_response", ({ content }) => {
        seen.push(content);
        return { content: content.replace("42", "forty-two") };
      });
    });
    const host = await hostOf({ plugins: [shouting] });
    const expected = ALL.replace("42", "forty-two");
    expect(await host.run()).toMatchObject({ text: expected });
    expect(seen).toEqual([ALL]);
    const last = (await host.transcript()).at(-1);
    expect(last).toMatchObject({ deliveredText: "It is forty-two." });
    expect(textOf(last)).toBe("It is 42.");
  });

  it("[TURN-201] are kept when the turn ends early, by a tool or by its limit", async () => {
    const ending = tool("work", {
      execute: () => ({ content: [{ type: "text", text: "x" }], terminate: true }),
    });
    const ended = await hostOf({ coreTools: [ending] });
    expect(await ended.run()).toMatchObject({ text: "Let me look that up." });
    const limited = await hostOf({ maxIterations: 3 });
    expect(await limited.run()).toMatchObject({
      stopReason: "max_iterations",
      text: expect.stringMatching(/^Let me look that up\.\n\nOne more\.\n\nI stopped after 3/),
    });
  });
});
