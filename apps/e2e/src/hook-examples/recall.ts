import type { HookExamples } from "./example.js";

/** Examples of the hooks around searches of memory. */
export const recallExamples: HookExamples<"before_recall" | "after_recall"> = {
  before_recall: {
    register(api) {
      api.on("before_recall", ({ query, source, limit }) => {
        if (source === "auto" && query.length < 4) return { skip: true };
        return { limit: Math.min(limit, 5) };
      });
    },
    event: { query: "where is the invoice?", source: "auto", limit: 20 },
    result: { limit: 5 },
  },
  after_recall: {
    register(api) {
      api.on("after_recall", ({ results }) => ({
        results: results.filter(
          ({ score, metadata }) => score >= 0.5 && metadata?.private !== true,
        ),
      }));
    },
    event: {
      results: [
        { id: "a", text: "The invoice is in a.txt.", score: 0.9 },
        { id: "b", text: "A diary entry.", score: 0.8, metadata: { private: true } },
        { id: "c", text: "Something else.", score: 0.1 },
      ],
    },
    result: { results: [{ id: "a", text: "The invoice is in a.txt.", score: 0.9 }] },
  },
};
