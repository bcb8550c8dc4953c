import { resolve } from "node:path";
import { escapeUnseen } from "@openclaw/foundation";
import type { ApprovalLine } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { ShownRequest } from "./view.js";

/**
 * Returns the line that names the session of a request, unless it is the session of the chat.
 * @param shown - request, and session of the chat
 */
export function sessionFact({ approval, sessionKey }: ShownRequest): readonly ApprovalLine[] {
  if (approval.sessionKey === sessionKey) return [];
  return [
    { name: "session", value: `${escapeUnseen(approval.sessionKey)} (not this conversation)` },
  ];
}

/**
 * Returns what a person needs to know of a shell command: its text as the model wrote it, the parts that need
 * approval and why, and the folder in which it runs.
 * @param shown - request, session and folder of the chat
 * @returns no line for a request of another kind
 */
export function commandFacts({
  approval: { tool, params, description, sessionKey: requesting },
  sessionKey,
  workspaceDir,
}: ShownRequest): readonly ApprovalLine[] {
  if (tool !== "exec" || !isRecord(params)) return [];
  const { command, workdir } = params;
  if (typeof command !== "string") return [];
  const below = typeof workdir === "string" ? workdir : ".";
  const folder =
    requesting === sessionKey
      ? resolve(workspaceDir, below)
      : `${below} in the workspace of that session`;
  return [
    ...named("command", command.split("\n").map(escapeUnseen)),
    ...(description === "" ? [] : named("because", description.split("; ").map(escapeUnseen))),
    { name: "folder", value: escapeUnseen(folder) },
  ];
}

/**
 * Returns the parameters that {@link commandFacts} does not show, and the programs if they differ from the command as
 * it was typed.
 * @param approval - request to run a command
 */
export function beyondCommand({
  params,
  commands = [],
}: Pick<ApprovalSummary, "params" | "commands">) {
  if (!isRecord(params)) return { params, commands };
  const { command, workdir: _workdir, ...others } = params;
  const isTyped = commands.length === 1 && commands[0] === command;
  return { params: others, commands: isTyped ? [] : commands };
}

function named(name: string, values: readonly string[]): readonly ApprovalLine[] {
  return values.map((value, index) => ({ name: index === 0 ? name : "", value }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
