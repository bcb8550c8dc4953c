import type { ParsedStage } from "../workflow/plan.js";

/** Part of the engine that parses pipelines; it has no effects. */
interface EngineParser {
  parsePipeline(pipeline: string): readonly ParsedStage[];
}

/** Loads the parser of the engine, for commands that describe a workflow without running it. */
export async function loadParser(): Promise<EngineParser["parsePipeline"]> {
  const name: string = "@clawdbot/lobster/core";
  const { parsePipeline } = (await import(name)) as EngineParser;
  return parsePipeline;
}
