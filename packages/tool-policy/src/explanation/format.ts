import type { DecidedBy, RuleReference, Verdict } from "../decision/decision.js";
import { formatSource } from "../layers/source.js";
import type { LayerExplanation, PolicyExplanation } from "./explanation.js";
import type { PolicyFlip } from "./flip.js";
import { printable } from "./printable.js";

type Colour = "green" | "red" | "grey" | "bold";

const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  green: [32, 39],
  grey: [90, 39],
  red: [31, 39],
};

const MARKS: Readonly<Record<Verdict, readonly [string, Colour]>> = {
  allow: ["✓", "green"],
  deny: ["✗", "red"],
  "deny-unlisted": ["✗", "red"],
  silent: ["·", "grey"],
};

type Paint = (colour: Colour, text: string) => string;

function ruleText({
  rule,
  list,
  impliedBy,
  verdict,
}: RuleReference & { readonly verdict: Verdict }): string {
  if (list === undefined) return "";
  if (rule === undefined) return `not in ${list}`;
  const implied = impliedBy === undefined ? "" : ` (implied by ${impliedBy})`;
  return `${verdict === "deny" ? "deny" : list} ${rule}${implied}`;
}

function layerLine(layer: LayerExplanation, paint: Paint): string {
  const [mark, colour] = MARKS[layer.verdict];
  const details = [
    layer.layer.padEnd(8),
    layer.verdict.padEnd(13),
    ruleText(layer),
    layer.note === undefined ? "" : `(${layer.note})`,
  ].filter((detail) => detail !== "");
  return paint(colour, `${mark} ${printable(details.join(" ")).trimEnd()}`);
}

function optionalLine({ optional }: PolicyExplanation, paint: Paint): readonly string[] {
  if (!optional.isOptional) return [];
  const { optedInBy } = optional;
  if (optedInBy === undefined) return [paint("red", "✗ optional not opted in")];
  const { layer, list, rule } = optedInBy;
  return [paint("green", `✓ optional opted in by ${layer} ${list} ${printable(rule)}`)];
}

/**
 * Formats the rule that settled a decision, with its location, in one line.
 * @param decidedBy - field of a decision or an explanation
 */
export function formatDecider(decidedBy: DecidedBy): string {
  switch (decidedBy.kind) {
    case "layer": {
      const rule = ruleText(decidedBy);
      const place =
        decidedBy.source === undefined ? "" : ` at ${printable(formatSource(decidedBy.source))}`;
      return `${decidedBy.layer}: ${printable(rule)}${place}`;
    }
    case "optional":
      return "optional: no entry names the tool, its plugin or group:plugins";
    case "cap":
      return `${decidedBy.cap}: ${decidedBy.list === undefined ? "owners only" : `not in ${decidedBy.list}`}`;
    case "default":
      return `tools.default: ${decidedBy.default}`;
  }
}

function flipLines(flip: PolicyFlip, allowed: boolean): readonly string[] {
  const goal = allowed ? "to deny it" : "to allow it";
  if (flip.kind === "steps") {
    return [`${goal}:`, ...flip.steps.map((step, index) => `  ${index + 1}. ${printable(step)}`)];
  }
  const place = flip.file === undefined ? "" : ` in ${printable(flip.file)}`;
  return [`${goal}${place}:`, `  ${printable(flip.text)}`];
}

/**
 * Formats an explanation for display: a line per layer, the deciding rule with its location, and
 * the change that reverses it (POL-031).
 * @param explanation - from `policy.explain`
 * @param options - `color` adds terminal escape codes; default false
 * @returns lines without a final newline
 */
export function formatExplanation(
  explanation: PolicyExplanation,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint: Paint = (colour, text) => {
    if (!color) return text;
    const [on, off] = CODES[colour];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
  const { allowed, flip } = explanation;
  const denyingCaps = explanation.caps.filter((cap) => cap.verdict === "deny");
  const lines = [
    paint("bold", `${printable(explanation.tool)} is ${allowed ? "allowed" : "denied"}`),
    ...explanation.layers.map((layer) => layerLine(layer, paint)),
    ...optionalLine(explanation, paint),
    ...denyingCaps.map(({ cap, note }) => paint("red", `✗ ${cap.padEnd(8)} ${note}`)),
    `decided by ${formatDecider(explanation.decidedBy)}`,
    ...(explanation.approval === undefined ? [] : ["every call needs approval"]),
    ...(flip === undefined ? [] : flipLines(flip, allowed)),
    paint("grey", explanation.decisionId),
  ];
  return lines.join("\n");
}
