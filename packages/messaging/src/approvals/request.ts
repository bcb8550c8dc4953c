import { filledForm, formFields } from "@openclaw/approval-broker";
import { escapeUnseen, sha256, startOfText } from "@openclaw/foundation";
import type { ChannelButton } from "@openclaw/plugin-sdk/channel-core";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { ButtonTokens, TokenSubject } from "./button-token.js";
import { duration } from "./duration.js";
import { parameterLines, parameterText } from "./parameter-text.js";
import { deciderName, requesterName } from "./requester-name.js";

/** Number of digest characters that people compare (APPR-025). */
const DIGEST_SHOWN = 8;
/** Number of hexadecimal digits shown of the digest of a text. */
const TEXT_DIGEST_SHOWN = 16;
/** Maximum length of a text in a conversation, in characters and in lines; the CLI shows all of it. */
const MOST_SHOWN = 1500;
const MOST_LINES = 24;
const SETTLED: Readonly<Record<string, string>> = {
  "allowed-once": "Allowed once",
  "allowed-always": "Allowed, also in future",
  denied: "Denied",
  expired: "Expired without a decision",
  cancelled: "Cancelled",
};
const REACH: Readonly<Record<ApprovalSummary["grantScope"], string>> = {
  session: "in this session, for this sender; widen with --scope agent or --scope global",
  requester: "for this agent and sender; widen with --scope agent or --scope global",
  agent: "for this agent from any sender; widen with --scope global",
  global: "for every agent and sender",
};

/** Line of an approval request: a label and its value. */
export interface ApprovalLine {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the lines that a person needs for the decision on an approval request. Parameters or commands that
 * are too long for a conversation are represented by their size, digest and first lines, with the command
 * that shows all of them (APPR-047).
 * @param approval - approval request
 * @param now - milliseconds since the epoch
 * @param extent - `whole` for the complete text, however long
 */
export function approvalLines(
  approval: ApprovalSummary,
  now: number,
  extent: "bounded" | "whole" = "bounded",
): readonly ApprovalLine[] {
  const { tool, commands = [], agentId, requester, severity, pluginId, alsoRequestedBy } = approval;
  const { job } = approval;
  const askedBy = [...(pluginId === undefined ? [] : [pluginId]), ...alsoRequestedBy];
  return [
    ...(job === undefined ? [] : [{ name: "job", value: escapeUnseen(job.title) }]),
    ...(tool === undefined ? [] : [{ name: "tool", value: escapeUnseen(tool) }]),
    ...inputLines(approval),
    ...(isEmpty(approval.params) || approval.input !== undefined
      ? []
      : named("with", parameterRows(parameterText(approval.params), approval, extent))),
    ...named("runs", rowsOf(commands.map(escapeUnseen), "commands", approval, extent)),
    ...sandboxLine(approval),
    { name: "agent", value: escapeUnseen(agentId) },
    { name: "for", value: escapeUnseen(requesterName(requester)) },
    ...(askedBy.length === 0
      ? []
      : [{ name: "asked by", value: escapeUnseen(askedBy.join(", ")) }]),
    { name: "severity", value: severity },
    ...votesLine(approval),
    ...(approval.allowedDecisions.includes("allow-always")
      ? [
          {
            name: "always",
            value: `allows ${alwaysCovers(approval)} ${REACH[approval.grantScope]}`,
          },
        ]
      : []),
    { name: "time", value: timeLeft(approval, now) },
    { name: "code", value: `${approval.code}, digest ${digestPrefix(approval)}` },
  ];
}

/**
 * Returns the votes about a request in words, for example `1 of 2 people (telegram:ana)`.
 * @param quorum - people that must allow it, and their votes
 */
function votesText({
  count,
  allowed,
  votes,
  roles,
  notRequester,
}: NonNullable<ApprovalSummary["quorum"]>): string {
  const names = votes.map(({ by }) => deciderName(by));
  const limits = [
    ...(roles === undefined ? [] : [`only ${roles.map((role) => `${role}s`).join(" and ")}`]),
    ...(notRequester === true ? ["not the requester"] : []),
  ];
  const who = names.length === 0 ? "" : ` (${names.join(", ")})`;
  return `${allowed} of ${count} people${who}${limits.map((limit) => `, ${limit}`).join("")}`;
}

function votesLine({ quorum }: ApprovalSummary): readonly ApprovalLine[] {
  return quorum === undefined ? [] : [{ name: "allowed", value: escapeUnseen(votesText(quorum)) }];
}

/**
 * Returns an approval request as plain text, for surfaces that show only text.
 * @param approval - approval request
 * @param now - milliseconds since the epoch
 */
export function approvalText(approval: ApprovalSummary, now: number): string {
  const lines = approvalLines(approval, now).map(({ name, value }) => `${name}: ${value}`);
  return [
    escapeUnseen(approval.title),
    ...(approval.description === "" ? [] : [escapeUnseen(approval.description)]),
    ...lines.map((line) => line.replace(/^: /, "      ")),
    approvalInstructions(approval),
  ].join("\n");
}

/**
 * Returns a settled approval request as plain text: what was requested, the decision, who made it and where.
 * @param approval - settled approval request
 */
export function settledText(approval: ApprovalSummary): string {
  const { state, decidedBy, decidedVia } = approval;
  const by = decidedBy === undefined ? "" : ` by ${escapeUnseen(deciderName(decidedBy))}`;
  const via = decidedVia === undefined ? "" : ` (${escapeUnseen(decidedVia)})`;
  return [
    escapeUnseen(approval.title),
    `${SETTLED[state] ?? state}${by}${via}. Code ${approval.code}, digest ${digestPrefix(approval)}.`,
  ].join("\n");
}

/**
 * Returns the instructions for deciding an approval request in a conversation.
 * @param approval - approval request
 */
export function approvalInstructions({
  code,
  allowedDecisions,
  input,
}: Pick<ApprovalSummary, "code" | "allowedDecisions"> & {
  readonly input?: Pick<NonNullable<ApprovalSummary["input"]>, "schema"> | undefined;
}): string {
  if (input !== undefined && Object.keys(input.schema.properties).length === 0) {
    return `Reply /approve ${code} to confirm, or /deny ${code} to decline.`;
  }
  if (input !== undefined) {
    return `Reply /approve ${code} FIELD=VALUE … to answer, or /deny ${code} to decline.`;
  }
  const always = allowedDecisions.includes("allow-always")
    ? `/approve ${code} always to allow it from now on, `
    : "";
  return `Reply /approve ${code} to allow it once, ${always}or /deny ${code}.`;
}

/** Decisions with the text on their button. */
const BUTTONS: readonly (readonly [ApprovalDecision, string])[] = [
  ["allow-once", "Allow once"],
  ["allow-always", "Always allow"],
  ["deny", "Deny"],
];

/**
 * Returns the buttons of an approval request. The value of each is bound to the request, its digest and its expiry, and is
 * valid for anyone who may decide, also after a restart (APPR-033).
 * @param approval - approval request
 */
export function approvalButtons(
  approval: TokenSubject & Pick<ApprovalSummary, "allowedDecisions" | "input">,
  tokens: Pick<ButtonTokens, "issue">,
): readonly (readonly ChannelButton[])[] {
  const offered = BUTTONS.filter(
    ([decision]) =>
      approval.allowedDecisions.includes(decision) &&
      (decision === "deny" || hasDefaults(approval)),
  );
  return [offered.map(([decision, label]) => ({ label, value: tokens.issue(approval, decision) }))];
}

/** Returns true when no field of a request must be filled in. */
function hasDefaults({ input }: Pick<ApprovalSummary, "input">): boolean {
  if (input === undefined) return true;
  const { properties, required = [] } = input.schema;
  const filled = filledForm({ properties }, {});
  return required.every((name) => Object.hasOwn(filled, name));
}

/**
 * Restores the code and the start of the digest in a rewritten text, because the approver needs them
 * (APPR-025).
 * @param approval - approval request
 * @param text - text after the hooks
 */
export function keepApprovalCode(approval: ApprovalSummary, text: string): string {
  const { code } = approval;
  const isWhole = text.includes(`code: ${code}, digest ${digestPrefix(approval)}`);
  return isWhole
    ? text
    : `${text}\ncode: ${code}, digest ${digestPrefix(approval)}\n${approvalInstructions(approval)}`;
}

/**
 * Returns a short name of an approval request for lists and replies.
 * @param approval - approval request
 */
export function approvalName({
  code,
  tool,
  title,
}: Pick<ApprovalSummary, "code" | "title"> & { readonly tool?: string | undefined }): string {
  return `${code} (${escapeUnseen(tool ?? title)})`;
}

/** Returns the fields and the page of a request for input, whose parameters repeat them. */
function inputLines({ input }: ApprovalSummary): readonly ApprovalLine[] {
  if (input === undefined) return [];
  const { schema, url } = input;
  const fields = formFields(schema);
  return [
    ...(url === undefined ? [] : [{ name: "page", value: escapeUnseen(url) }]),
    ...(fields === "" ? [] : [{ name: "fields", value: escapeUnseen(fields) }]),
  ];
}

/** Returns what a command can reach once it is allowed. */
function sandboxLine({ sandboxed }: ApprovalSummary): readonly ApprovalLine[] {
  if (sandboxed === undefined) return [];
  const value = sandboxed
    ? "on: the command can write the workspace only, and has no network"
    : "off: the command runs with the rights of the gateway";
  return [{ name: "sandbox", value }];
}

/**
 * Returns the calls that "always" allows, as the object of the sentence (APPR-056).
 * @param approval - approval request
 */
export function alwaysCovers({
  grantPrefixes = [],
  grantsInSandbox = false,
  grantCovers,
  tool,
  title,
}: Pick<
  ApprovalSummary,
  "grantPrefixes" | "grantsInSandbox" | "grantCovers" | "tool" | "title"
>): string {
  if (grantPrefixes.length > 0) {
    const prefixes = grantPrefixes.map((prefix) => `\`${escapeUnseen(prefix)}\``).join(" or ");
    return grantsInSandbox
      ? `exactly this command, and in the sandbox commands that start with ${prefixes}`
      : `commands that start with ${prefixes} and have only options of its table`;
  }
  // Earlier versions stored no words for it.
  return escapeUnseen(grantCovers ?? `calls of ${tool ?? title} like this one`);
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

/** Returns all rows of a text, or the first ones and a note about its size and where to read all of it. */
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
    shown.push(row.length > left ? `${startOfText(row, left)}…` : row);
    left -= row.length;
    if (left <= 0) break;
  }
  return [
    ...shown,
    `(${subject} shortened: ${size}; read all of it before you decide: openclaw approvals show ${code})`,
  ];
}

function isEmpty(params: unknown): boolean {
  return params === null || JSON.stringify(params) === "{}";
}

function timeLeft({ expiresAt, timeoutBehavior }: ApprovalSummary, now: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  const after = timeoutBehavior === "deny" ? "then it is denied" : "then it is allowed";
  return `${duration(seconds)} left, ${after}`;
}
