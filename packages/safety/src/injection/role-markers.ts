import { applyEdits, underived } from "../text/derivation.js";
import { shadowText } from "../text/shadow.js";

/** Names of tags and bracket words with which model families mark roles, turns and calls of tools. */
const TAGS = [
  "system|user|assistant|human|developer|model|function|tool|bot|instructions?|_system|_user|_bot|role|turn",
  "(?:system|developer|user)[_-](?:reminder|prompt|message|instructions?|query)",
  "start_of_turn|end_of_turn|start_of_image|im_(?:start|end|sep)|fim_[a-z]{1,16}|hy_[a-z]{1,16}",
  "bos|eos|s|pad|unk|sop|eop|sys|(?:begin|beginning|end)_of_(?:sentence|text)|seed:[a-z_]{1,32}",
  "(?:extra_id|special|reserved)_\\d{1,5}|unused\\d{1,5}",
  "think|thinking|tools|tool_list|available_tools|tool_?calls?|tool_uses?|tool_responses?|tool_results?|tool_output",
  "function_calls?|function_results?|(?:function|parameter)=[\\w.-]{1,64}|parameter|invoke|(?:antml|minimax):[a-z_]{1,32}",
].join("|");
const BRACKETS =
  "inst|sys|system_prompt|available_tools|tool_calls|tool_results|tool_content|args|call_id|think|model_settings|" +
  "bos|eos|gmask|img|prefix|suffix|middle|b_inst|e_inst";
/** The bar of chat tokens, and characters that look like it. */
const BAR = "[|\u00A6\u01C0\u2223\u23AE\u2502\u2503\u2758\uFFE8]";
const BREAK = "[\\n\\r\\v\\f\\u0085\\u2028\\u2029]";
const GAP = "[ \\t\\u00A0]{0,4}";

/**
 * Role markers of the model families: chat tokens (ChatML, Llama 3, Phi, Command, and DeepSeek with its wide bars), tags
 * (Gemma, `</system>`), bracket words (Llama 2, Mistral, GLM, MiniMax) and role lines (Anthropic, Vicuna, Alpaca). Matched
 * without regard to case on a copy without invisible characters, look-alikes and HTML entities. Every repetition is bounded.
 */
const MARKER = new RegExp(
  [
    String.raw`<\s{0,4}${BAR}[^|<>]{1,64}${BAR}(?:\s{0,4}>)?`,
    // Gemma writes the bar on one side only.
    `<${BAR}[a-z_]{1,32}>|<[a-z_]{1,32}${BAR}>`,
    String.raw`<{1,2}${GAP}\/?${GAP}(?:${TAGS})(?:[ \t\n][^<>]{0,256})?${GAP}\/?>{1,2}`,
    String.raw`\[${GAP}\/?${GAP}(?:${BRACKETS})${GAP}\]`,
    // MiniMax
    String.raw`\]~!?b[\][]|\[e~\[`,
    String.raw`(?<=^|${BREAK}[ \t]{0,8})(?:#{1,6}${GAP})?(?:\*\*)?(?:human|assistant)(?:\*\*)?${GAP}:`,
    String.raw`(?<=^|${BREAK}[ \t]{0,8}${BREAK}[ \t]{0,8})(?:\*\*)?(?:system|user|developer)(?:\*\*)?${GAP}:`,
    String.raw`(?<=^|${BREAK}[ \t]{0,8})#{1,6}${GAP}(?:system|user|developer|instruction|input|response)${GAP}:`,
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
