import type { PromptParts } from "@openclaw/plugin-sdk/hooks";
import { escapeRoleMarkers, wrapExternalContent } from "@openclaw/safety";

/** Parts of a prompt. */
export interface PromptInput {
  /** The agent's own system prompt; a hook's `systemPrompt` replaces it. */
  readonly baseSystemPrompt: string;
  /** Text of the user's message. */
  readonly userText: string;
  /** Parts that hooks add, in order of precedence. */
  readonly parts: readonly PromptParts[];
}

/** The system prompt and user text sent to the model. */
export interface AssembledPrompt {
  readonly system: string;
  readonly user: string;
}

/**
 * Assembles a prompt; equal inputs give equal bytes, so that prompt caches work (TURN-021). Every text of the system prompt
 * passes here, whatever its source, and loses its role markers (SAFE-280).
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
    system: escaped(
      paragraphs([...all("prependSystemContext"), systemPrompt, ...all("appendSystemContext")]),
    ),
    user: paragraphs([
      ...all("untrustedContext").map(markedAsUntrusted),
      ...all("prependContext"),
      userText,
      ...all("appendContext"),
    ]),
  };
}

/** Number of system prompts that are kept; most turns of an agent have the same. */
const KEPT = 32;
const kept = new Map<string, string>();

function escaped(system: string): string {
  const known = kept.get(system);
  if (known !== undefined) return known;
  const text = escapeRoleMarkers(system);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= KEPT) kept.delete(oldest);
  kept.set(system, text);
  return text;
}

function markedAsUntrusted(content: string | undefined): string | undefined {
  if (content === undefined || content === "") return undefined;
  const source = "remembered notes and other context";
  return wrapExternalContent({ source, content: escapeRoleMarkers(content) });
}

function paragraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n\n");
}
