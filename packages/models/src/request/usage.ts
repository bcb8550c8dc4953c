import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Usage } from "@openclaw/plugin-sdk/tools";

/**
 * Returns the token usage of a reply; missing counts and counts that are not valid numbers are left out.
 * @param usage - usage that the model reported
 */
export function modelUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const usage: Usage = {};
  const input = tokens(inputTokens.total);
  const output = tokens(outputTokens.total);
  const cacheRead = tokens(inputTokens.cacheRead);
  const cacheWrite = tokens(inputTokens.cacheWrite);
  if (input !== undefined) usage.input = input;
  if (output !== undefined) usage.output = output;
  if (cacheRead !== undefined) usage.cacheRead = cacheRead;
  if (cacheWrite !== undefined) usage.cacheWrite = cacheWrite;
  const reasoning = tokens(outputTokens.reasoning);
  if (reasoning !== undefined) usage.reasoning = reasoning;
  if (input !== undefined && output !== undefined) usage.total = input + output;
  return usage;
}

function tokens(count: number | undefined): number | undefined {
  return count !== undefined && Number.isFinite(count) && count >= 0 ? count : undefined;
}
