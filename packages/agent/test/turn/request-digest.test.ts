import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { expect, it } from "vitest";
import { createRequestDigest } from "../../src/turn/request-digest.js";

const said = (text: string, timestamp = 1): AgentMessage => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp,
});

const result = (changes: object = {}): AgentMessage => ({
  role: "toolResult",
  toolCallId: "1",
  toolName: "time",
  content: [],
  isError: false,
  timestamp: 1,
  ...changes,
});

it("computes the digest of a fresh hash, regardless of how the conversation grew or was replaced", () => {
  const digest = createRequestDigest();
  const fresh = (messages: readonly AgentMessage[], system = "s") =>
    createRequestDigest()({ system, tools: [], messages });
  const conversation = [said("a")];
  const of = (messages: readonly AgentMessage[]) => digest({ system: "s", tools: [], messages });
  expect(of(conversation)).toBe(fresh([said("a")]));
  conversation.push(said("b"), result());
  const grown = of(conversation);
  expect(grown).toBe(fresh([said("a"), said("b"), result()]));
  expect(of(conversation)).toBe(grown);
  conversation.length = 1;
  expect(of(conversation)).toBe(fresh([said("a")]));
  expect(of([said("summary"), said("b")])).toBe(fresh([said("summary"), said("b")]));
  expect(fresh([said("a")], "other")).not.toBe(fresh([said("a")]));
});

it("includes only the model input in the digest", () => {
  const of = (...messages: AgentMessage[]) =>
    createRequestDigest()({ system: "", tools: [], messages });
  expect(of(said("a", 2))).toBe(of(said("a", 1)));
  expect(of(result({ details: { rows: 1 }, timestamp: 3 }))).toBe(of(result()));
  expect(of(result({ isError: true }))).not.toBe(of(result()));
  expect(of(result({ toolCallId: "2" }))).not.toBe(of(result()));
});

it("computes the digest of a fresh hash from a stored conversation that has grown since", () => {
  const of = (system: string, messages: readonly AgentMessage[], offered = tool) =>
    createRequestDigest()({ system, tools: [offered], messages });
  const tool = { name: "time", description: "Tells the time.", parameters: { type: "object" } };
  const stored = (text: string) => Object.freeze(said(text));
  const history = [stored("a"), stored("b")];
  of("s", [...history, said("c")]);
  const grown = [...history, stored("c"), stored("d")];
  expect(of("s", [...grown, said("e")])).toBe(
    of(
      "s",
      ["a", "b", "c", "d", "e"].map((text) => said(text)),
    ),
  );
  expect(of("other", grown)).toBe(
    of(
      "other",
      ["a", "b", "c", "d"].map((text) => said(text)),
    ),
  );
  const before = of("s", grown);
  expect(of("s", grown, { ...tool, description: "Tells the date." })).not.toBe(before);
});
