import { SAFETY_CONTEXTS } from "../action.js";
import type { SafetyRule } from "../rule.js";
import { SAFETY_RULES } from "./rules.js";

const KINDS: readonly { kind: SafetyRule["kind"]; title: string; about: string }[] = [
  { kind: "leak", title: "Secrets", about: "Found by their own form, wherever they stand." },
  { kind: "injection", title: "Prompt injection", about: "Text that speaks to the model." },
  { kind: "validation", title: "Odd texts", about: "Looked at as a whole." },
  { kind: "policy", title: "Policy", about: "What a tool's parameters should not say." },
  { kind: "log", title: "Logs", about: "Taken out of logs, beside the secrets." },
  { kind: "shell", title: "Shell commands", about: "Judged on the parsed command." },
];
const LONGEST_EXAMPLE = 160;
const ORIGIN =
  "<!-- Generated from the rules of @openclaw/safety; change the rules, not this page. -->";

/** A page of the reference. */
export interface ReferencePage {
  /** Name of the file, `index.md` or `<rule id>.md`. */
  readonly file: string;
  /** Markdown. */
  readonly text: string;
}

/**
 * The reference of all rules as Markdown: an index and one page per rule.
 * @param rules - default the built-in ones
 */
export function renderSafetyReference(
  rules: readonly SafetyRule[] = SAFETY_RULES,
): ReferencePage[] {
  return [
    { file: "index.md", text: indexPage(rules) },
    ...rules.map((rule) => ({ file: `${rule.id}.md`, text: rulePage(rule) })),
  ];
}

function indexPage(rules: readonly SafetyRule[]): string {
  const sections = KINDS.map(({ kind, title, about }) => {
    const rows = rules
      .filter((rule) => rule.kind === kind)
      .map(
        ({ id, title: name, severity }) => `| [${id}](${id}.md) | ${cell(name)} | ${severity} |`,
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
    ];
  });
  return [
    "# Safety rules",
    "",
    ORIGIN,
    "",
    "Every rule that looks at texts and commands, with its severity.",
    "",
    ...sections.flat(),
  ].join("\n");
}

function rulePage(rule: SafetyRule): string {
  return [
    `# ${rule.id}`,
    "",
    ORIGIN,
    "",
    `${sentence(rule.title)} ${rule.reason}`,
    "",
    `- Kind: ${rule.kind}`,
    `- Severity: ${rule.severity}`,
    ...(rule.kind === "shell" ? [`- Class: ${rule.class}`] : actionLines(rule)),
    "",
    "## Matches",
    "",
    ...examples(rule.examples.match),
    "## Does not match",
    "",
    ...examples(rule.examples.clean),
  ].join("\n");
}

function actionLines(rule: Exclude<SafetyRule, { kind: "shell" }>): string[] {
  const actions = SAFETY_CONTEXTS.map((context) => `${context} ${rule.actions[context]}`);
  return [`- Action: ${actions.join(", ")}`];
}

/** Examples as JSON strings, so that invisible characters and line breaks can be read. */
function examples(texts: readonly string[]): string[] {
  return texts.flatMap((text) => ["```json", quoted(text), "```", ""]);
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped.length <= LONGEST_EXAMPLE
    ? escaped
    : `${escaped.slice(0, LONGEST_EXAMPLE)}… (${text.length} characters)`;
}

function sentence(title: string): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}.`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
