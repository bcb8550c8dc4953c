import { readFileSync, writeFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { defined, errorMessage } from "@openclaw/foundation";
import type { StoredSessions } from "@openclaw/gateway/upkeep";
import { visible } from "@openclaw/messaging";
import { withGatewayMethods } from "../host/methods.js";
import { confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import { UsageError } from "../shell/usage-error.js";
import { withSessions } from "./stored.js";

type StoredMessage = Awaited<ReturnType<StoredSessions["show"]>>["messages"][number];

/**
 * Runs `openclaw sessions list`: prints the stored sessions.
 * @param options - agent, limit and format
 * @param context - terminal and environment
 */
export async function listSessionsCommand(
  { agent, limit, json = false }: { agent?: string; limit: number; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const sessions = await withSessions(context, (stored) =>
    stored.list({ limit, ...defined({ agentId: agent }) }),
  );
  if (json) {
    terminal.print(JSON.stringify({ sessions }));
  } else if (sessions.length === 0) {
    terminal.print("No sessions.");
  } else {
    printRows(
      sessions.map(({ updatedAt, messageCount, model, sessionKey, label }) => [
        timeOf(updatedAt),
        String(messageCount),
        model ?? "",
        label === undefined ? sessionKey : `${sessionKey} (${label})`,
      ]),
      terminal,
      { titles: ["last used", "messages", "model", "session"] },
    );
    if (sessions.length === limit)
      terminal.note(`openclaw: showing the first ${limit}; raise --limit to see more`);
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw sessions show`: prints one session and the last messages of its conversation.
 * @param sessionKey - full key of the session
 * @param options - number of messages and format
 * @param context - terminal and environment
 */
export async function showSessionCommand(
  sessionKey: string,
  { last, json = false }: { last: number; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { print, colors } = context.terminal;
  const shown = await withSessions(context, (stored) => stored.show(sessionKey, { last }));
  if (json) {
    print(JSON.stringify(shown));
    return EXIT.ok;
  }
  const { session, messages } = shown;
  print(colors.bold(visible(session.sessionKey)));
  const model = session.model === undefined ? "" : `, model ${session.model}`;
  print(`  agent ${session.agentId}${model}, ${session.messageCount} messages`);
  print(`  created ${timeOf(session.createdAt)}, last used ${timeOf(session.updatedAt)}`);
  if (messages.length < session.messageCount) print(colors.dim("  …"));
  for (const { createdAt, message } of messages) {
    print(`${colors.dim(timeOf(createdAt))} ${message.role}`);
    for (const line of displayText(message).split("\n")) print(`  ${visible(line)}`);
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw sessions delete`: deletes a session; the gateway's plugins are notified (TURN-010).
 * @param sessionKey - full or short key of the session
 * @param options - consent and format
 * @param context - terminal and environment
 */
export async function deleteSessionCommand(
  sessionKey: string,
  { yes, json = false }: { yes?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const question = `Delete session ${visible(sessionKey)} with its messages?`;
  if (!(await confirmed(question, { yes, json }, context.terminal))) return EXIT.negative;
  const deleted = await withGatewayMethods(context, (call) =>
    call("sessions.delete", { sessionKey }),
  );
  context.terminal.print(
    json ? JSON.stringify(deleted) : `Deleted session ${visible(deleted.sessionKey)}.`,
  );
  return EXIT.ok;
}

/**
 * Runs `openclaw sessions export`: writes one session as a JSON document.
 * @param sessionKey - full key of the session
 * @param options - output file; standard output when absent
 * @param context - terminal and environment
 */
export async function exportSessionCommand(
  sessionKey: string,
  { output, json = false }: { output?: string; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const document = await withSessions(context, (stored) => stored.export(sessionKey));
  if (output === undefined) {
    terminal.print(JSON.stringify(document));
    return EXIT.ok;
  }
  try {
    writeFileSync(output, `${JSON.stringify(document)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new UsageError(`cannot write ${output}: ${reasonOf(error)}`);
  }
  if (json) terminal.print(JSON.stringify({ sessionKey, file: output }));
  else terminal.note(`openclaw: written to ${output}`);
  return EXIT.ok;
}

/**
 * Runs `openclaw sessions import`: adds a session from a document.
 * @param file - path of the document, `-` for standard input
 * @param options - key of the new session, and format
 * @param context - terminal and environment
 */
export async function importSessionCommand(
  file: string,
  { as, json = false }: { as?: string; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const document = await readDocument(file);
  const imported = await withSessions(
    context,
    (stored) => stored.import(document, defined({ as })),
    { writable: true },
  );
  terminal.print(
    json ? JSON.stringify(imported) : `Imported session ${visible(imported.sessionKey)}.`,
  );
  return EXIT.ok;
}

async function readDocument(file: string): Promise<unknown> {
  try {
    return JSON.parse(file === "-" ? await readAll(process.stdin) : readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`cannot read ${file} as JSON: ${reasonOf(error)}`);
  }
}

/** Returns the text of a message, with a placeholder for each part that is not text. */
function displayText({ content }: StoredMessage["message"]): string {
  const parts = typeof content === "string" ? [content] : content.map(partText);
  return parts.join(" ");
}

function partText(part: object): string {
  if ("text" in part && typeof part.text === "string") return part.text;
  if ("name" in part && typeof part.name === "string") return `[${part.name}]`;
  return "type" in part ? `[${String(part.type)}]` : "";
}

function reasonOf(error: unknown): string {
  return errorMessage(error);
}
