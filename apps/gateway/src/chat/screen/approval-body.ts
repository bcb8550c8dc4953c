import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { changeOfArguments, type DescribedChange } from "@openclaw/client/conversation";
import { escapeUnseen } from "@openclaw/foundation";
import { approvalLines } from "@openclaw/messaging";
import { beyondCommand, commandFacts, sessionFact } from "../approval-facts.js";
import type { ShownRequest } from "../view.js";
import { diffRows } from "./diff-lines.js";
import { colors } from "./theme.js";

/** Facts of which one line is enough. */
const ORIGIN: ReadonlySet<string> = new Set(["tool", "agent", "for", "severity", "code"]);

/**
 * Returns the change that a request is about: the one that the host found by comparing the files, else the one that
 * the arguments describe.
 * @param approval - approval request
 */
export function changeOfRequest({
  tool,
  change,
  params,
}: ShownRequest["approval"]): DescribedChange | undefined {
  if (change !== undefined) return { diff: change, others: {} };
  return tool === "exec" ? undefined : changeOfArguments(params);
}

/**
 * Returns what a person needs to know to decide a request.
 * @param shown - request, and the conversation in which the chat shows it
 * @param change - change that the request is about
 * @param width - width in characters
 * @returns rows of each line
 */
export function approvalBody(
  shown: ShownRequest,
  change: DescribedChange | undefined,
  width: number,
): readonly string[][] {
  const { approval } = shown;
  const commands = commandFacts(shown);
  const isCommand = commands.length > 0;
  const lines =
    approval.description === "" || isCommand ? [] : [escapeUnseen(approval.description)];
  const further = isCommand ? { ...approval, ...beyondCommand(approval) } : approval;
  const unshown = change === undefined ? further : { ...further, params: change.others };
  const facts = [
    ...sessionFact(shown),
    ...commands,
    ...approvalLines(unshown, Date.now(), "whole"),
  ];
  const origin: string[] = [];
  for (const { name, value } of facts) {
    if (name === "always" || name === "time") continue;
    if (ORIGIN.has(name)) origin.push(`${name} ${value}`);
    else lines.push(`${colors.dim(name.padEnd(8))} ${value}`);
  }
  lines.push(colors.dim(origin.join(" · ")));
  const wrapped = lines.map((line) => wrapTextWithAnsi(line, width));
  return change === undefined ? wrapped : [...wrapped, ...diffRows(change.diff, width)];
}
