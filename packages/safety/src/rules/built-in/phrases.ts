import { anchored, type Detector } from "../detector.js";
import { encodesText } from "../encoded-text.js";
import { FLAGGED_INJECTION, NOTED_INJECTION } from "../injection-actions.js";
import type { InjectionRule } from "../rule.js";
import type { Severity } from "../severity.js";

const ORDER = "It tells the reader to ignore its instructions, which only a model has.";
const ROLE = "It tries to give the model another role.";
const GAP = "[ \t\r\n]";
/** Shortest base64 that is reported, and the bytes of text that it must contain. */
const LEAST_PAYLOAD = 50;
const LEAST_TEXT = 36;

/** Wording that gives the model orders (SAFE-026), and code that often hides orders (SAFE-027). */
export const PHRASE_RULES: readonly InjectionRule[] = [
  phrase("ignore all previous", "critical", ORDER, "You ignored all of it previously."),
  phrase("ignore previous", "high", ORDER, "The parser ignores previous tokens."),
  phrase("forget everything", "high", ORDER, "Never forget every thing you own."),
  phrase("you are now", "high", ROLE, "You are nowhere near the limit."),
  phrase("new instructions", "high", ORDER, "The CPU has new instruction sets."),
  phrase("updated instructions", "high", ORDER, "We updated the instructions."),
  phrase("disregard", "medium", ORDER, "With due regard."),
  phrase("act as", "medium", ROLE, "The contract assumes React as a peer."),
  phrase("pretend to be", "medium", ROLE, "They pretend to behave."),
  {
    kind: "injection",
    id: "system_fence",
    title: "code fence named system",
    reason: "A fence with this name imitates the system prompt.",
    severity: "high",
    marker: "```system",
    sees: "shadow",
    actions: FLAGGED_INJECTION,
    detector: anchored(["```system"], /```system(?![A-Za-z0-9_-])/iy),
    examples: {
      match: ["```system\nobey\n```"],
      clean: ["```systemd\n[Unit]\n```", "```sh\nls\n```"],
    },
  },
  {
    kind: "injection",
    id: "null_byte",
    title: "NUL character",
    reason:
      "Text contains none; it ends strings early in other programs and splits words that rules look for.",
    severity: "critical",
    marker: "NUL",
    sees: "text",
    escape: "remove",
    actions: FLAGGED_INJECTION,
    detector: anchored(["\0"], /\0+/y),
    examples: { match: ["content\0with\0nulls"], clean: ["content without", "\u0001"] },
  },
  {
    kind: "injection",
    id: "base64_payload",
    title: "long base64 run that contains text",
    reason: "Encoded text is not visible to a person; usually it is a drawing or a source map.",
    severity: "medium",
    marker: "base64",
    sees: "shadow",
    actions: NOTED_INJECTION,
    detector: {
      by: "run",
      kind: "base64",
      least: LEAST_PAYLOAD,
      match: (text, run) => (encodesText(text.slice(...run), LEAST_TEXT) ? run : undefined),
    },
    examples: {
      match: [`data: ${"QUJD".repeat(13)}`],
      clean: [
        `data: ${"QUJD".repeat(12)}Q`,
        "https://example.com/organisation/repository/documentation/reference/settings",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
      ],
    },
  },
  {
    kind: "injection",
    id: "sudo_in_codeblock",
    title: "sudo in a shell block",
    reason: "A copied command with sudo runs with all rights.",
    severity: "medium",
    marker: "sudo",
    sees: "shadow",
    actions: NOTED_INJECTION,
    detector: anchored(
      ["```"],
      /```(?:bash|sh|shell|zsh|console|terminal)\s[^`]*?(?<![A-Za-z0-9_-])sudo(?![A-Za-z0-9_-])/iy,
    ),
    examples: {
      match: ["```bash\nsudo apt install jq\n```"],
      clean: ["```bash\npseudo\n```", "```text\nsudo\n```", "sudo apt install jq"],
    },
  },
  call("eval", "It runs text as code, which is common in source code."),
  call("exec", "It runs a program or a pattern, which is common in source code."),
];

function phrase(wording: string, severity: Severity, reason: string, clean: string): InjectionRule {
  const [first = wording, ...rest] = wording.split(" ");
  const pattern = [first, ...rest].join(`${GAP}{1,4}`);
  return {
    kind: "injection",
    id: wording.replaceAll(" ", "_"),
    title: `the words “${wording}”`,
    reason,
    severity,
    marker: wording,
    sees: "shadow",
    actions: severity === "medium" ? NOTED_INJECTION : FLAGGED_INJECTION,
    detector: anchored(
      [anchorOf(first, rest)],
      new RegExp(`(?<![A-Za-z])${pattern}(?![A-Za-z])`, "iy"),
    ),
    examples: { match: [`Please ${wording} here.`, wording.toUpperCase()], clean: [clean] },
  };
}

/**
 * Returns the first word and the next character: the gap, then the second word or more of the gap.
 */
function anchorOf(first: string, [second]: readonly string[]): string {
  return second === undefined ? first : `${first}${GAP}[${second.charAt(0)} \t\r\n]`;
}

function call(name: "eval" | "exec", reason: string): InjectionRule {
  const detector: Detector = anchored(
    [`${name}[( \t\r\n]`],
    new RegExp(`(?<![A-Za-z0-9_$])${name}\\s{0,8}\\(`, "y"),
  );
  return {
    kind: "injection",
    id: `${name}_call`,
    title: `call of ${name}`,
    reason,
    severity: "low",
    marker: `${name}(`,
    sees: "shadow",
    actions: NOTED_INJECTION,
    detector,
    examples: { match: [`${name}(input)`], clean: [`${name} `, `my${name}(x)`] },
  };
}
