import type { PromptParts } from "@openclaw/plugin-sdk/hooks";

/** What a prompt is made of. */
export interface PromptInput {
  /** The agent's own system prompt; a hook's `systemPrompt` takes its place. */
  readonly baseSystemPrompt: string;
  /** What the person wrote. */
  readonly userText: string;
  /** What hooks add, those that win or come first ahead of the others. */
  readonly parts: readonly PromptParts[];
}

/** The system prompt and user text that go to the model. */
export interface AssembledPrompt {
  readonly system: string;
  readonly user: string;
}

/**
 * Puts a prompt together; equal inputs give equal bytes, so that prompt caches work (TURN-021).
 * @param input - base prompt, user text, and the hooks' parts in order
 */
export function assemblePrompt({
  baseSystemPrompt,
  userText,
  parts,
}: PromptInput): AssembledPrompt {
  const all = (field: keyof PromptParts) => parts.map((part) => part[field]);
  const systemPrompt = all("systemPrompt").find((text) => text !== undefined) ?? baseSystemPrompt;
  return {
    system: paragraphs([
      ...all("prependSystemContext"),
      systemPrompt,
      ...all("appendSystemContext"),
    ]),
    user: paragraphs([...all("prependContext"), userText, ...all("appendContext")]),
  };
}

function paragraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n\n");
}
