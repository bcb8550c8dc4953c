import { text } from "./messages.js";
import type { Answer, Decider } from "./policy.js";

type Source = Extract<Decider, { kind: "layer" }>["source"];

/**
 * Returns the place of a rule: file and line, or that it is built in.
 * @param source - location of the rule
 */
export function placeOf(source: Source): string {
  if (source === undefined) return "";
  if (source.builtIn === true) return text.builtIn;
  const file = source.file?.split("/").at(-1) ?? "";
  return [file, source.line, source.column].filter(Boolean).join(":");
}

/** Returns what decided, as the end of a sentence. */
export function deciderWords(decider: Decider): string {
  if (decider.kind === "layer") return text.byLayer(decider.layer);
  if (decider.kind === "cap") return text.byCap(decider.cap);
  return decider.kind === "optional" ? text.byOptional : text.byDefault;
}

/**
 * Returns the verdict of a cell in one or two words.
 * @param cell - decision about a tool
 */
export function cellWords({
  allowed,
  decidedBy,
  approval,
}: Pick<Answer, "allowed" | "decidedBy" | "approval">): string {
  if (allowed) return approval === "always" ? text.asks : text.allowed;
  return text.deniedBy(decidedBy.kind === "layer" ? decidedBy.layer : decidedBy.kind);
}
