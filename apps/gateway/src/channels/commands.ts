import { defined } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { ChannelUnknownError } from "./unknown-error.js";

type ChannelState = GatewayMethodResult<"channels.list">["channels"][number];

/** Option of every command. */
interface Format {
  json?: boolean;
}

const NONE = "No plugin offers a channel. See the plugins with `openclaw plugins list`.";

/**
 * Runs `openclaw channels list`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listChannelsCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { channels } = await withGatewayMethods(
    context,
    (call) => call("channels.list", {}),
    "reads",
  );
  if (json) terminal.print(JSON.stringify({ channels }));
  else if (channels.length === 0) terminal.print(NONE);
  else {
    const rows = channels.map((each) => [
      each.channel,
      each.accountId ?? "",
      each.pluginId,
      stateText(each),
    ]);
    printRows(rows, terminal, { titles: ["CHANNEL", "ACCOUNT", "PLUGIN", "STATE"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw channels status`.
 * @param channel - one channel; undefined for all
 * @param options - format
 * @param context - terminal and environment
 * @throws ChannelUnknownError when no plugin offers the channel
 */
export async function channelStatusCommand(
  channel: string | undefined,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { channels, isRunning } = await withGatewayMethods(
    context,
    async (call, host) => ({
      ...(await call("channels.list", {})),
      isRunning: host.isRunning,
    }),
    "reads",
  );
  const shown = channels.filter((each) => channel === undefined || each.channel === channel);
  if (channel !== undefined && shown.length === 0) {
    throw new ChannelUnknownError(
      channel,
      channels.map((each) => each.channel),
    );
  }
  const configured = shown.filter(({ state }) => state !== "unconfigured" && state !== "disabled");
  const isWell =
    isRunning && configured.every(({ state, lost }) => state === "connected" && lost === 0);
  if (json) terminal.print(JSON.stringify({ channels: shown, isRunning }));
  else if (shown.length === 0) terminal.print(NONE);
  else {
    if (!isRunning) terminal.note("openclaw: no gateway is running, so no channel is connected");
    for (const each of shown) printState(each, terminal);
  }
  return isWell ? EXIT.ok : EXIT.negative;
}

/**
 * Runs `openclaw channels test`.
 * @param options - account and format
 * @param context - terminal and environment
 * @throws ChannelNotFoundError
 */
export async function testChannelCommand(
  channel: string,
  { account: accountId, json = false }: Format & { account?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const tested = await withGatewayMethods(
    context,
    (call) => call("channels.test", { channel, ...defined({ accountId }) }),
    "reads",
  );
  const { ok, problem } = tested;
  if (json) terminal.print(JSON.stringify(tested));
  else if (problem === undefined) terminal.print(`${nameOf(tested)} works.`);
  else terminal.print(`${nameOf(tested)} does not work: ${problem.message} (${problem.code})`);
  return ok ? EXIT.ok : EXIT.negative;
}

/**
 * Runs `openclaw channels send`.
 * @param conversationId - conversation or person on the channel
 * @param text - message
 * @param options - account and format
 * @param context - terminal and environment
 * @throws ChannelNotFoundError, ChannelActionError
 */
export async function sendChannelCommand(
  channel: string,
  conversationId: string,
  text: string,
  { account: accountId, json = false }: Format & { account?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const sent = await withGatewayMethods(context, (call) =>
    call("channels.send", { channel, conversationId, text, ...defined({ accountId }) }),
  );
  terminal.print(json ? JSON.stringify(sent) : `Sent to ${conversationId} on ${nameOf(sent)}.`);
  return EXIT.ok;
}

function printState(state: ChannelState, terminal: Terminal): void {
  const { problem, retryAt, lastMessageAt, lastFailure, undelivered, lost } = state;
  terminal.print(`${nameOf(state)}: ${stateText(state)}`);
  const lines = [
    ...(problem === undefined || state.state === "incomplete"
      ? []
      : [`problem: ${problem.message} (${problem.code})`]),
    ...(retryAt === undefined ? [] : [`next attempt: ${timeOf(retryAt)}`]),
    `messages: ${state.received} received, ${state.ignored} not accepted, ${state.invalid} invalid`,
    ...(lastMessageAt === undefined ? [] : [`last message: ${timeOf(lastMessageAt)}`]),
    ...(state.restarts === 0 ? [] : [`reconnected: ${state.restarts} times`]),
    ...(undelivered === 0
      ? []
      : [`not delivered: ${undelivered}, last: ${lastFailure?.message ?? "unknown"}`]),
    ...(lost === 0 ? [] : [`lost: ${lost} (openclaw channels lost ${state.channel})`]),
  ];
  if (state.state !== "unconfigured" && state.state !== "disabled") {
    for (const line of lines) terminal.print(`  ${line}`);
  }
}

function stateText({ state, channel, problem }: ChannelState): string {
  if (state === "incomplete") return `incomplete: ${problem?.message ?? "it lacks settings"}`;
  if (state === "unconfigured") return `not configured (openclaw channels add ${channel})`;
  if (state === "disabled") return `disabled (channels.${channel}.enabled)`;
  return state;
}

function nameOf({ channel, accountId = "default" }: { channel: string; accountId?: string }) {
  return accountId === "default" ? channel : `${channel}, account ${accountId}`;
}
