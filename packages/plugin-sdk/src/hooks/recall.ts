import type { AgentContext } from "./context.js";

/** One memory that a search found. */
export interface RecallResult {
  id: string;
  text: string;
  score: number;
  source?: string;
  metadata?: Record<string, unknown>;
}

/** Hooks around every memory search. */
export interface RecallHooks {
  /** May narrow the search or skip it. */
  before_recall: {
    kind: "decide";
    event: { query: string; limit: number; source: "auto" | "tool" | "api"; corpus?: string[] };
    context: AgentContext;
    result: { query?: string; limit?: number; corpus?: string[]; skip?: boolean };
  };
  /** May replace or drop what was found. */
  after_recall: {
    kind: "rewrite";
    event: {
      query: string;
      results: RecallResult[];
      source: "auto" | "tool" | "api";
      durationMs: number;
    };
    context: AgentContext;
    result: { results?: RecallResult[] };
  };
}
