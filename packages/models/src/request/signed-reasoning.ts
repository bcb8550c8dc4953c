import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { providerData } from "./provider-data.js";

type ReasoningPart = Extract<
  LanguageModelV4StreamPart,
  { type: "reasoning-start" | "reasoning-delta" | "reasoning-end" }
>;

/** Returns true for a part that begins, continues or ends reasoning. */
export function isReasoningPart(part: LanguageModelV4StreamPart): part is ReasoningPart {
  return (
    part.type === "reasoning-start" ||
    part.type === "reasoning-delta" ||
    part.type === "reasoning-end"
  );
}

/** Reasoning of a reply with the data by which its provider recognises it (LLM-046). */
export class SignedReasoning {
  readonly #open = new Map<string, { text: string; metadata: SharedV4ProviderMetadata }>();

  /**
   * Reads one part of the stream.
   * @param part - next part
   * @returns text and data at the end of reasoning that has data
   */
  read(part: ReasoningPart): { text: string; providerData: JsonObject } | undefined {
    const { id, providerMetadata } = part;
    const open = this.#open.get(id) ?? { text: "", metadata: {} };
    this.#open.set(id, open);
    if (part.type === "reasoning-delta") open.text += part.delta;
    // A signature may come with any part.
    for (const [name, data] of Object.entries(providerMetadata ?? {})) {
      open.metadata[name] = { ...open.metadata[name], ...data };
    }
    if (part.type !== "reasoning-end") return undefined;
    this.#open.delete(id);
    const data = providerData(open.metadata);
    return data && { text: open.text, providerData: data };
  }
}
