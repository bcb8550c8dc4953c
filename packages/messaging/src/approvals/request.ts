import { sha256 } from "@openclaw/foundation";
import type { ApprovalSummary } from "@openclaw/protocol";
import { duration } from "./duration.js";
import { escapeUnseen, parameterLines, parameterText } from "./escapes.js";

/** Of a digest, what people compare (APPR-025). */
const DIGEST_SHOWN = 8;
/** Of the digest of a text, hexadecimal digits. */
const TEXT_DIGEST_SHOWN = 16;
/** Most of a text that a conversation shows, in characters and in lines; the CLI shows all of it. */
const MOST_SHOWN = 1500;
const MOST_LINES = 24;
const REACH: Readonly<Record<ApprovalSummary["grantScope"], string>> = {
  session: "the like in this session; --scope agent or global reaches further",
  requester: "the like for this agent and sender; --scope agent or global reaches further",
  agent: "the like for this agent, whoever asks; --scope global reaches further",
  global: "the like for every agent",
};

/** A line of a question: what it is about, and what it says. */
export interface ApprovalLine {
  readonly name: string;
  readonly value: string;
}

/**
 * What a person has to know of a question before answering it. Where parameters or commands are too long for a
 * conversation, it shows their size, digest and first lines, and says which command shows all of them (APPR-047).
 * @param approval - the question
 * @param now - milliseconds since the epoch
 * @param extent - `whole` for all of a text, however long
 */
export function approvalLines(
  approval: ApprovalSummary,
  now: number,
  extent: "bounded" | "whole" = "bounded",
): readonly ApprovalLine[] {
  const { tool, commands = [], agentId, requester, severity, pluginId, alsoRequestedBy } = approval;
  const askedBy = [...(pluginId === undefined ? [] : [pluginId]), ...alsoRequestedBy];
  return [
    ...(tool === undefined ? [] : [{ name: "tool", value: escapeUnseen(tool) }]),
    ...(isEmpty(approval.params)
      ? []
      : named("with", parameterRows(parameterText(approval.params), approval, extent))),
    ...named("runs", rowsOf(commands.map(escapeUnseen), "commands", approval, extent)),
    { name: "agent", value: escapeUnseen(agentId) },
    { name: "for", value: escapeUnseen(`${requester.senderId} (${requester.channel})`) },
    ...(askedBy.length === 0
      ? []
      : [{ name: "asked by", value: escapeUnseen(askedBy.join(", ")) }]),
    { name: "severity", value: severity },
    ...(approval.allowedDecisions.includes("allow-always")
      ? [{ name: "always", value: `allows ${REACH[approval.grantScope]}` }, ...prefixLine(approval)]
      : []),
    { name: "time", value: timeLeft(approval, now) },
    { name: "code", value: `${approval.code}, digest ${digestPrefix(approval)}` },
  ];
}

/**
 * A question as plain text, for wherever there is nothing but text.
 * @param approval - the question
 * @param now - milliseconds since the epoch
 */
export function questionText(approval: ApprovalSummary, now: number): string {
  const lines = approvalLines(approval, now).map(({ name, value }) => `${name}: ${value}`);
  return [
    escapeUnseen(approval.title),
    ...(approval.description === "" ? [] : [escapeUnseen(approval.description)]),
    ...lines.map((line) => line.replace(/^: /, "      ")),
    howToAnswer(approval),
  ].join("\n");
}

/**
 * What to write in answer to a question.
 * @param approval - the question
 */
export function howToAnswer({
  code,
  allowedDecisions,
}: Pick<ApprovalSummary, "code" | "allowedDecisions">): string {
  const always = allowedDecisions.includes("allow-always")
    ? `/approve ${code} always to allow it from now on, `
    : "";
  return `Answer /approve ${code} to allow it once, ${always}or /deny ${code}.`;
}

/**
 * Keeps in a rewritten text what a person answers by: the code and the start of the digest (APPR-025).
 * @param approval - the question
 * @param text - as hooks left it
 */
export function keepAnswerable(approval: ApprovalSummary, text: string): string {
  const { code } = approval;
  const isWhole = text.includes(`code: ${code}, digest ${digestPrefix(approval)}`);
  return isWhole
    ? text
    : `${text}\ncode: ${code}, digest ${digestPrefix(approval)}\n${howToAnswer(approval)}`;
}

/**
 * A question in a few words, for lists and replies.
 * @param approval - the question
 */
export function questionName({
  code,
  tool,
  title,
}: Pick<ApprovalSummary, "code" | "title"> & { readonly tool?: string | undefined }): string {
  return `${code} (${escapeUnseen(tool ?? title)})`;
}

/** What "always" covers of a command: everything that starts with these words. */
function prefixLine({ grantPrefixes }: ApprovalSummary): readonly ApprovalLine[] {
  if (grantPrefixes === undefined) return [];
  const prefixes = grantPrefixes.map((prefix) => `${prefix} …`).join(", ");
  return [{ name: "prefix", value: escapeUnseen(prefixes) }];
}

function digestPrefix({ digest }: ApprovalSummary): string {
  return digest.slice(0, DIGEST_SHOWN);
}

function named(name: string, values: readonly string[]): readonly ApprovalLine[] {
  return values.map((value, index) => ({ name: index === 0 ? name : "", value }));
}

function parameterRows(
  text: string,
  approval: ApprovalSummary,
  extent: "bounded" | "whole",
): readonly string[] {
  const lines = parameterLines(text);
  return rowsOf(lines, "parameters", approval, extent, text);
}

/** All rows of a text, or the first ones and what says how much there is and where to read it. */
function rowsOf(
  rows: readonly string[],
  subject: "parameters" | "commands",
  { code }: ApprovalSummary,
  extent: "bounded" | "whole",
  text: string = rows.join("\n"),
): readonly string[] {
  const isLong = text.length > MOST_SHOWN || rows.length > MOST_LINES;
  if (!isLong) return rows;
  const size = `${text.length} characters, ${rows.length} lines, SHA-256 ${sha256(text).slice(0, TEXT_DIGEST_SHOWN)}`;
  if (extent === "whole") return [...rows, `(${size})`];
  const shown: string[] = [];
  let left = MOST_SHOWN;
  for (const row of rows.slice(0, MOST_LINES)) {
    shown.push(row.length > left ? `${withoutHalf(row.slice(0, left))}…` : row);
    left -= row.length;
    if (left <= 0) break;
  }
  return [
    ...shown,
    `(not all of the ${subject}: ${size}; read all of it before you answer: openclaw approvals show ${code})`,
  ];
}

/** Does not end between the halves of one character. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

function isEmpty(params: unknown): boolean {
  return params === null || JSON.stringify(params) === "{}";
}

function timeLeft({ expiresAt, timeoutBehavior }: ApprovalSummary, now: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  const after = timeoutBehavior === "deny" ? "then it is denied" : "then it is allowed";
  return `${duration(seconds)} left, ${after}`;
}
