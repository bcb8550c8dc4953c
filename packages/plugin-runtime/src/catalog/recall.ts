import type { RecallResult } from "@openclaw/plugin-sdk/hooks";
import { DECISION_DEADLINE_MS, type HookCatalogEntries } from "./entry.js";
import { copied, flag, number, object, oneOf, optional, text, texts } from "./field.js";

const results = object<RecallResult[]>("RecallResult[]", Array.isArray);
const source = oneOf("auto", "tool", "api");

/** Hooks around every memory search. */
export const recallCatalog: HookCatalogEntries<"before_recall" | "after_recall"> = {
  before_recall: {
    kind: "decide",
    summary: "Before every memory search; may change the search or skip it.",
    step: "R1",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "recall is skipped",
    event: { query: text, limit: number, source, corpus: optional(copied(texts)) },
    contextGroup: "agent",
    context: {},
    result: {
      query: optional(text),
      limit: optional(number),
      corpus: optional(texts),
      skip: optional(flag),
    },
    merge: { query: "last", limit: "last", corpus: "last", skip: "any" },
    terminal: [{ field: "skip", value: true }],
    deny: () => ({ skip: true }),
  },
  after_recall: {
    kind: "rewrite",
    summary:
      "Results of a memory search, before they reach a prompt or tool output; may replace them.",
    step: "R3",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "recall yields no results",
    event: { query: text, results: copied(results), source, durationMs: number },
    contextGroup: "agent",
    context: {},
    result: { results: optional(results) },
    merge: { results: "last" },
  },
};
