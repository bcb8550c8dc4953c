import type { ApprovalSummary } from "@openclaw/protocol";
import { visible } from "../delivery/visible-text.js";
import { duration } from "./duration.js";

/** Of a digest, what people compare (APPR-025). */
const DIGEST_SHOWN = 8;
const LONGEST_PARAMS = 1500;
const REACH: Readonly<Record<ApprovalSummary["grantScope"], string>> = {
  session: "the like in this session; --scope agent or global reaches further",
  requester: "the like for this agent and sender; --scope agent or global reaches further",
  agent: "the like for this agent, whoever asks; --scope global reaches further",
  global: "the like for every agent",
};

/** A line of a question: what it is about, and what it says. */
export interface QuestionLine {
  readonly name: string;
  readonly value: string;
}

/**
 * What a person has to know of a question before answering it.
 * @param approval - the question
 * @param now - milliseconds since the epoch
 */
export function questionLines(approval: ApprovalSummary, now: number): readonly QuestionLine[] {
  const { tool, commands = [], agentId, requester, severity, pluginId, alsoRequestedBy } = approval;
  const askedBy = [...(pluginId === undefined ? [] : [pluginId]), ...alsoRequestedBy];
  return [
    ...(tool === undefined ? [] : [{ name: "tool", value: visible(tool) }]),
    ...(isEmpty(approval.params) ? [] : [{ name: "with", value: shownParams(approval) }]),
    ...commands.map((command, index) => ({
      name: index === 0 ? "runs" : "",
      value: visible(command),
    })),
    { name: "agent", value: visible(agentId) },
    { name: "for", value: visible(`${requester.senderId} (${requester.channel})`) },
    ...(askedBy.length === 0 ? [] : [{ name: "asked by", value: visible(askedBy.join(", ")) }]),
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
  const lines = questionLines(approval, now).map(({ name, value }) => `${name}: ${value}`);
  return [
    visible(approval.title),
    ...(approval.description === "" ? [] : [visible(approval.description)]),
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
  return `${code} (${visible(tool ?? title)})`;
}

/** What "always" covers of a command: everything that starts with these words. */
function prefixLine({ grantPrefixes }: ApprovalSummary): readonly QuestionLine[] {
  if (grantPrefixes === undefined) return [];
  const prefixes = grantPrefixes.map((prefix) => `${prefix} …`).join(", ");
  return [{ name: "prefix", value: visible(prefixes) }];
}

function digestPrefix({ digest }: ApprovalSummary): string {
  return digest.slice(0, DIGEST_SHOWN);
}

function shownParams({ params, code }: ApprovalSummary): string {
  const text = visible(JSON.stringify(params));
  if (text.length <= LONGEST_PARAMS) return text;
  const left = text.length - LONGEST_PARAMS;
  return `${text.slice(0, LONGEST_PARAMS)}… (${left} characters more: openclaw approvals show ${code})`;
}

function isEmpty(params: unknown): boolean {
  return params === null || JSON.stringify(params) === "{}";
}

function timeLeft({ expiresAt, timeoutBehavior }: ApprovalSummary, now: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  const after = timeoutBehavior === "deny" ? "then it is denied" : "then it is allowed";
  return `${duration(seconds)} left, ${after}`;
}
