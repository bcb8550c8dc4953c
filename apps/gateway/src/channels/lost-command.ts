import type { CallMethod, GatewayMethodResult, GatewayMethods } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { timeOf } from "../shell/table.js";

/** Options of {@link lostMessagesCommand}. */
interface LostOptions {
  readonly replay?: string;
  readonly discard?: string;
  readonly json?: boolean;
}

type Lost = GatewayMethodResult<"channels.lost">["messages"][number];

/** Message with the outcome of its replay or deletion. */
interface LostOutcome {
  readonly id: string;
  readonly outcome: "accepted" | "ignored" | "discarded";
}

/**
 * Runs `openclaw channels lost`.
 * @param channel - one channel; undefined for all
 * @param options - messages to replay or to discard, and format
 * @param context - terminal and environment
 * @throws LostMessageNotFoundError, LostMessageIncompleteError
 */
export async function lostMessagesCommand(
  channel: string | undefined,
  { replay, discard, json = false }: LostOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  if (replay === undefined && discard === undefined) {
    const { messages } = await withGatewayMethods(
      context,
      (call) => listed(call, channel),
      "reads",
    );
    if (json) terminal.print(JSON.stringify({ messages }));
    else if (messages.length === 0) terminal.print("No message was lost.");
    else for (const message of messages) terminal.print(lineOf(message));
    return messages.length === 0 ? EXIT.ok : EXIT.negative;
  }
  const outcomes = await withGatewayMethods(context, async (call) => {
    const { messages } = await listed(call, channel);
    const chosen = (id: string | undefined) =>
      id === "all" ? messages.map((each) => each.id) : id === undefined ? [] : [id];
    const done: LostOutcome[] = [];
    for (const id of chosen(discard)) {
      await call("channels.discard", { id });
      done.push({ id, outcome: "discarded" });
    }
    for (const id of chosen(replay)) done.push(await call("channels.replay", { id }));
    return done;
  });
  if (json) terminal.print(JSON.stringify({ outcomes }));
  else for (const { id, outcome } of outcomes) terminal.print(`${id}: ${TEXTS[outcome]}`);
  return outcomes.some(({ outcome }) => outcome === "ignored") ? EXIT.negative : EXIT.ok;
}

const TEXTS: Readonly<Record<LostOutcome["outcome"], string>> = {
  accepted: "handed to the gateway",
  ignored: "not accepted: the rules of the channel do not admit its sender; it remains",
  discarded: "deleted",
};

async function listed(call: CallMethod<GatewayMethods>, channel: string | undefined) {
  return await call("channels.lost", channel === undefined ? {} : { channel });
}

function lineOf({ id, channel, accountId, lostAt, part, text, ...sender }: Lost): string {
  const place = accountId === "default" ? channel : `${channel}, account ${accountId}`;
  const name = sender.senderName ?? sender.senderId ?? "an unknown sender";
  const content = text === undefined ? "its text is unknown" : text;
  return `${id}  ${timeOf(lostAt)}  ${place}  ${name}: ${content}\n    lost because this host does not have ${part}`;
}
