import { defined } from "@openclaw/foundation";
import type { DeadItemSummary } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";

/** Option of every command. */
interface Format {
  json?: boolean;
}

/** Options of `openclaw queue dead`. */
interface DeadOptions extends Format {
  queue?: string;
  limit?: number;
}

/** Runs `openclaw queue list`. */
export async function listQueuesCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const list = await withGatewayMethods(context, (call) => call("queue.list", {}), "reads");
  if (json) terminal.print(JSON.stringify(list));
  else {
    const rows = list.queues.map(({ queue, open, dead }) => [queue, String(open), String(dead)]);
    printRows(rows, terminal, { titles: ["QUEUE", "RUN OR WAIT", "FAILED"] });
  }
  return EXIT.ok;
}

/** Runs `openclaw queue dead`. */
export async function deadItemsCommand(
  { queue, limit, json = false }: DeadOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const selection = defined({ queue, limit });
  const dead = await withGatewayMethods(context, (call) => call("queue.dead", selection), "reads");
  if (json) terminal.print(JSON.stringify(dead));
  else if (dead.items.length === 0) terminal.print("No work has failed for good.");
  else {
    const titles = ["ID", "FAILED", "FOR", "REASON"];
    printRows(dead.items.map(rowOf), terminal, { titles });
    terminal.print(
      "`openclaw queue requeue <id>` lets one run again, `openclaw queue discard <id>` gives it up.",
    );
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw queue requeue`.
 * @throws GatewayRefusedError with the code `QUEUE_ITEM_NOT_FOUND` or `MESSAGE_TARGET_NOT_FOUND`
 */
export async function requeueCommand(
  id: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const item = await withGatewayMethods(context, (call) => call("queue.requeue", { id }));
  const text = `${item.id} runs again; if it fails once more, \`openclaw queue dead\` shows it.`;
  context.terminal.print(json ? JSON.stringify(item) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw queue discard`.
 * @throws GatewayRefusedError with the code `QUEUE_ITEM_NOT_FOUND`
 */
export async function discardCommand(
  id: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const item = await withGatewayMethods(context, (call) => call("queue.discard", { id }));
  context.terminal.print(json ? JSON.stringify(item) : `${item.id} is given up.`);
  return EXIT.ok;
}

function rowOf({ id, failedAt, createdAt, channel, to, failure }: DeadItemSummary): string[] {
  const receiver = channel === undefined ? "-" : `${channel} ${to ?? ""}`.trim();
  return [id, timeOf(failedAt ?? createdAt), receiver, failure?.message ?? "unknown"];
}
