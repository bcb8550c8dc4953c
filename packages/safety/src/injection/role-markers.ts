import { applyEdits, underived } from "../text/derivation.js";
import { shadowText } from "../text/shadow.js";

/** Names of tags and bracket words with which model families mark roles, turns and calls of tools. */
const TAGS =
  "system|user|assistant|human|developer|model|function|tool|instructions?|start_of_turn|end_of_turn|start_of_image|" +
  "bos|eos|s|pad|unk|sop|eop|sys|think|tool_calls?|tool_responses?|tool_results?|tool_output|function_calls?|" +
  "function_results?|invoke|antml:[a-z_]{1,32}";
const BRACKETS =
  "inst|sys|system_prompt|available_tools|tool_calls|tool_results|tool_content|gmask|img|prefix|suffix|middle|b_inst|e_inst";

/**
 * Role markers of the model families: chat tokens (ChatML, Llama 3, Phi, Command, and DeepSeek with its wide bars), tags
 * (Gemma, `</system>`), bracket words (Llama 2, Mistral, GLM) and role lines (Anthropic, Vicuna, Alpaca). Matched without
 * regard to case on a copy without invisible characters, look-alikes and HTML entities. Every repetition is bounded.
 */
const MARKER = new RegExp(
  [
    String.raw`<\|[^|<>\n]{1,64}\|>`,
    String.raw`<{1,2}[ \t]{0,4}\/?[ \t]{0,4}(?:${TAGS})(?:[ \t\n][^<>]{0,64})?[ \t]{0,4}\/?>{1,2}`,
    String.raw`\[[ \t]{0,4}\/?[ \t]{0,4}(?:${BRACKETS})[ \t]{0,4}\]`,
    String.raw`(?<=^|[\n\r\u2028\u2029][ \t]{0,8})(?:#{1,6}[ \t]{0,4})?(?:\*\*)?(?:human|assistant)(?:\*\*)?[ \t]{0,4}:`,
    String.raw`(?<=^|[\n\r\u2028\u2029][ \t]{0,8}[\n\r\u2028\u2029][ \t]{0,8})(?:\*\*)?(?:system|user|developer)(?:\*\*)?[ \t]{0,4}:`,
    String.raw`(?<=^|[\n\r\u2028\u2029][ \t]{0,8})#{1,6}[ \t]{0,4}(?:system|user|developer|instruction|input|response)[ \t]{0,4}:`,
  ].join("|"),
  "gi",
);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["<", "&lt;"],
  [">", "&gt;"],
  ["[", "&#91;"],
  ["]", "&#93;"],
  [":", "&#58;"],
]);

/**
 * Returns a text in which no role marker of a model family is left: brackets of a marker, and the colon of a role line,
 * become HTML entities, which a model reads as text. Applied to every text of a system message, whatever its source, so
 * that a skill, a document or a name cannot end the message or begin a turn (SAFE-280). Applied twice, it changes nothing.
 * @param text - any text
 */
export function escapeRoleMarkers(text: string): string {
  const shadow = shadowText(text);
  const edits = [...shadow.text.matchAll(MARKER)].flatMap(({ index, 0: marker }) => {
    const isLine = marker.endsWith(":");
    return [...marker].flatMap((character, at) => {
      const replacement = ENTITIES.get(character);
      if (replacement === undefined || (character === ":" && !isLine)) return [];
      const range = shadow.offsets.toSource([index + at, index + at + 1]);
      return [{ range, replacement }];
    });
  });
  return applyEdits(underived(text), edits).text;
}
