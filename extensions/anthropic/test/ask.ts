import type { LanguageModel } from "@openclaw/plugin-sdk/provider-entry";

/** The parts of a reply to "hi", as the model streams them. */
export async function ask(model: LanguageModel): Promise<Record<string, unknown>[]> {
  const options = { prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] };
  // The SDK names no options of the specification, so the call is typed as any model's.
  const { stream } = await model.doStream(options as never);
  const parts: Record<string, unknown>[] = [];
  for await (const part of stream) parts.push({ ...Object(part) });
  return parts;
}

/** The text of a reply. */
export function textOf(parts: readonly Record<string, unknown>[]): string {
  return parts.map(({ type, delta }) => (type === "text-delta" ? String(delta) : "")).join("");
}
