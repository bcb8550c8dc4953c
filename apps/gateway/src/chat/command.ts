import type { HostOptions } from "../host/options.js";
import { notePluginProblems } from "../host/plugin-problems.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { startHost } from "../host/start.js";
import { unattendedLines, unservedLines } from "../host/start-up-message.js";
import { stopSignal } from "../host/stop-signal.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { chatUntilQuit, pipedText, sendOnce } from "./chat.js";
import { hostedPartner } from "./hosted-partner.js";
import type { ChatPartner } from "./partner.js";
import { connectPartner } from "./remote-partner.js";

/** Time in milliseconds that a single message waits for a gateway that went away, for example to restart. */
const GIVE_UP_MS = 60_000;

/** Options of `chat`. */
export interface ChatOptions extends HostOptions {
  message?: string;
  json?: boolean;
}

/**
 * Runs `openclaw chat`: chats with the agent at a prompt, or sends one message.
 * @param options - command-line options
 * @param context - terminal and environment
 * @throws UsageError when there is neither a message nor an interactive terminal
 */
export async function chatCommand(
  options: ChatOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const text = await messageOf(options);
  if (text === undefined && (!terminal.isInteractive || options.json === true)) {
    throw new UsageError("no message: pass one with -m or through a pipe");
  }
  const signal = stopSignal();
  const { partner, close } = await openPartner(options, context, text !== undefined);
  try {
    if (text !== undefined) {
      return await sendOnce(text, partner, terminal, { signal, json: options.json === true });
    }
    await chatUntilQuit(partner, terminal, signal);
    return EXIT.ok;
  } finally {
    await close();
  }
}

async function messageOf({ message }: ChatOptions): Promise<string | undefined> {
  const piped = await pipedText(message === undefined);
  if (message === undefined) return piped;
  return piped === undefined ? message : `${message}\n\n${piped}`;
}

/**
 * Hosts the chat in this process when the state folder is not locked; otherwise connects to the process that
 * holds the lock (GW-008).
 */
async function openPartner(
  options: ChatOptions,
  context: CommandContext,
  isSingle: boolean,
): Promise<{ partner: ChatPartner; close(): Promise<void> }> {
  const { terminal, environment } = context;
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) {
    const gateway = await startHost(options, context, undefined);
    notePluginProblems(gateway, terminal);
    if (gateway.modelNotice !== undefined) terminal.note(gateway.modelNotice.text);
    for (const line of unservedLines(gateway.plugins)) {
      terminal.note(`openclaw: registered and not used by this host: ${line}`);
    }
    for (const line of unattendedLines(gateway)) terminal.note(`openclaw: ${line}`);
    return { partner: hostedPartner(gateway), close: () => gateway.stop("command") };
  }
  if (options.plugin !== undefined || options.approveTool !== undefined) {
    throw new UsageError(
      `a gateway is running (process ${running.pid}); --plugin and --approve-tool apply to the process that hosts the agent, so pass them to \`gateway run\``,
    );
  }
  const { url, token, client } = running.http;
  const { model } = await client.readiness();
  if (model?.notice !== undefined) terminal.note(model.notice);
  const partner = await connectPartner({
    ...{ url, token, model: options.model },
    hasApprover: terminal.isInteractive && options.json !== true,
    ...(isSingle ? { giveUpMs: GIVE_UP_MS } : {}),
    note: (line) => {
      if (isSingle) terminal.note(`openclaw: ${line}`);
    },
  });
  return { partner, close: async () => partner.close() };
}
