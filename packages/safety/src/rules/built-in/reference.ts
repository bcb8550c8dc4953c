import { startOfText } from "@openclaw/foundation";
import { SAFETY_CONTEXTS } from "../action.js";
import type { SafetyRule } from "../rule.js";
import { SAFETY_RULES } from "./rules.js";

const KINDS: readonly { kind: SafetyRule["kind"]; title: string; about: string }[] = [
  { kind: "leak", title: "Secrets", about: "Recognised by their form, anywhere in a text." },
  { kind: "injection", title: "Prompt injection", about: "Text that addresses the model." },
  { kind: "validation", title: "Unusual strings", about: "Checked over a complete text." },
  { kind: "policy", title: "Policy", about: "Dangerous content of a tool's parameters." },
  { kind: "log", title: "Logs", about: "Redacted in logs, in addition to the secrets." },
  { kind: "shell", title: "Shell commands", about: "Evaluated on the parsed command." },
];
const LONGEST_EXAMPLE = 160;

/**
 * Returns the reference of all rules as one page of Markdown, with a heading per rule.
 * @param rules - rules to describe; default the built-in ones
 */
export function renderSafetyReference(rules: readonly SafetyRule[] = SAFETY_RULES): string {
  const sections = KINDS.map(({ kind, title, about }) => {
    const ofKind = rules.filter((rule) => rule.kind === kind);
    const rows = ofKind.map(
      ({ id, title: name, severity }) => `| [${id}](#${id}) | ${cell(name)} | ${severity} |`,
    );
    return [
      `## ${title}`,
      "",
      about,
      "",
      "| rule | finds | severity |",
      "|---|---|---|",
      ...rows,
      "",
      ...ofKind.flatMap(ruleSection),
    ];
  });
  return [
    "# Safety rules",
    "",
    "<!-- Generated from the rules of @openclaw/safety; change the rules, not this page. -->",
    "",
    "Each rule that checks text and commands, with its severity, its action in each context, and examples as JSON strings.",
    "",
    ...sections.flat(),
  ].join("\n");
}

function ruleSection(rule: SafetyRule): string[] {
  return [
    `### ${rule.id}`,
    "",
    `${sentence(rule.title)} ${rule.reason}`,
    "",
    `Severity ${rule.severity}. ${rule.kind === "shell" ? `Class: ${rule.class}.` : actionLine(rule)}`,
    "",
    "Matches:",
    "",
    ...examples(rule.examples.match),
    "Does not match:",
    "",
    ...examples(rule.examples.clean),
  ];
}

function actionLine(rule: Exclude<SafetyRule, { kind: "shell" }>): string {
  const actions = SAFETY_CONTEXTS.map((context) => `${context} ${rule.actions[context]}`);
  return `Action: ${actions.join(", ")}.`;
}

/** Shows examples as JSON strings, which make invisible characters and line breaks readable. */
function examples(strings: readonly string[]): string[] {
  return ["```text", ...strings.map(quoted), "```", ""];
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped.length <= LONGEST_EXAMPLE
    ? escaped
    : `${startOfText(escaped, LONGEST_EXAMPLE)}… (${text.length} characters)`;
}

function sentence(title: string): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}.`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
