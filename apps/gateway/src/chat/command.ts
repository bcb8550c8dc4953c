import type { ConversationPartner } from "@openclaw/client/conversation";
import type { Gateway } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import type { HostOptions } from "../host/options.js";
import { notePluginProblems } from "../host/plugin-problems.js";
import { findRunningGateway, type RunningGateway } from "../host/running-gateway.js";
import { startHost } from "../host/start.js";
import { limitedLines, unattendedLines, unservedLines } from "../host/start-up-message.js";
import { stopSignal } from "../host/stop-signal.js";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { workspaceFolderOf } from "../workspaces/folder.js";
import { noteUntrusted, offerTrust } from "../workspaces/offer-trust.js";
import { pipedText, sendOnce } from "./chat.js";
import {
  agentOfOptions,
  type ConversationOptions,
  chooseConversation,
  recordConversation,
} from "./conversation.js";
import { hostedPartner } from "./hosted-partner.js";
import { openChat } from "./open-chat.js";
import { connectPartner } from "./remote-partner.js";
import { resumeFromList } from "./resume.js";

/** Time in milliseconds that a single message waits for a gateway that went away, for example to restart. */
const GIVE_UP_MS = 60_000;

/** Options of `chat`. */
export interface ChatOptions extends HostOptions, ConversationOptions {
  message?: string;
  json?: boolean;
}

/** Chat that can begin. */
interface OpenedChat {
  readonly partner: ConversationPartner;
  readonly afterLeaving: string;
  readonly logPrinted?: Gateway["logPrinted"] | undefined;
  close(): Promise<void>;
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
  const { terminal, environment } = context;
  const configuration = await loadOperatorConfiguration(environment);
  const agent = agentOfOptions(options);
  const { dir: workspaceDir, notice } = workspaceFolderOf(environment, configuration, agent);
  const running = await findRunningGateway(environment);
  // An agent with its own workspace has its main session there.
  const isOwn = workspaceDir !== workspaceFolderOf(environment, configuration).dir;
  const hostDir = (isOwn ? undefined : await workspaceOf(running)) ?? workspaceDir;
  const place = { environment, workspaceDir, hostDir };
  const chosen = chooseConversation(options, place);
  const sessionKey =
    chosen.kind === "session"
      ? chosen.sessionKey
      : await resumeFromList(chosen.conversations, workspaceDir, context);
  if (sessionKey === undefined) return EXIT.ok;
  const text = await messageOf(options);
  if (text === undefined && (!terminal.isInteractive || options.json === true)) {
    throw new UsageError("no message: pass one with -m or through a pipe");
  }
  const signal = stopSignal();
  if (notice !== undefined) terminal.note(notice);
  recordConversation(sessionKey, place);
  const isSingle = text !== undefined;
  const { partner, afterLeaving, logPrinted, close } = await openPartner(
    { ...options, sessionKey, workspaceDir, isSingle, running },
    context,
  );
  try {
    if (isSingle || !terminal.isInteractive) noteUntrusted(workspaceDir, context);
    else await offerTrust({ workspaceDir, partner }, context);
    if (text !== undefined) {
      return await sendOnce(text, partner, terminal, {
        ...{ workspaceDir, signal, json: options.json === true, attach: options.message ?? "" },
      });
    }
    await openChat({ partner, signal, workspaceDir, afterLeaving, logPrinted }, context);
    return EXIT.ok;
  } finally {
    await close();
  }
}

async function messageOf({ message }: ChatOptions): Promise<string | undefined> {
  if (message?.trim() === "") throw new UsageError("the message is empty; write it after -m");
  const piped = await pipedText(message === undefined);
  if (message === undefined) return piped;
  return piped === undefined ? message : `${message}\n\n${piped}`;
}

async function workspaceOf(running: RunningGateway | undefined): Promise<string | undefined> {
  if (running?.http === undefined) return undefined;
  const { workspaceDir } = await running.http.client.call("host.status", {});
  return workspaceDir;
}

interface PartnerOptions extends ChatOptions {
  readonly sessionKey: string;
  readonly workspaceDir: string;
  readonly isSingle: boolean;
  readonly running: RunningGateway | undefined;
}

/**
 * Hosts the chat in this process when the state folder is not locked; otherwise connects to the process that
 * holds the lock (GW-008).
 */
async function openPartner(options: PartnerOptions, context: CommandContext): Promise<OpenedChat> {
  const { terminal } = context;
  const { sessionKey, isSingle, running } = options;
  if (running?.http === undefined) {
    const gateway = await startHost(options, context, undefined);
    notePluginProblems(gateway, terminal);
    if (gateway.modelNotice !== undefined) terminal.note(gateway.modelNotice.text);
    for (const line of unservedLines(gateway.plugins)) {
      terminal.note(`openclaw: registered and not used by this host: ${line}`);
    }
    for (const line of limitedLines(gateway.plugins)) terminal.note(`openclaw: limited: ${line}`);
    for (const line of unattendedLines(gateway)) terminal.note(`openclaw: ${line}`);
    return {
      partner: hostedPartner(gateway, sessionKey),
      afterLeaving: "the conversation is kept",
      logPrinted: gateway.logPrinted,
      close: () => gateway.stop("command"),
    };
  }
  if (options.plugin !== undefined || options.approveTool !== undefined) {
    const { command } = installation;
    throw new UsageError(
      `a gateway is running (process ${running.pid}); --plugin and --approve-tool apply to the process that hosts the agent: end it with \`${command} gateway stop\` and repeat this command, or pass them to \`${command} gateway run\``,
    );
  }
  const { url, token, client } = running.http;
  const { model } = await client.readiness();
  if (model?.notice !== undefined) terminal.note(model.notice);
  const partner = await connectPartner({
    ...{ url, token, sessionKey, model: options.model },
    hasApprover: terminal.isInteractive && options.json !== true,
    ...(isSingle ? { giveUpMs: GIVE_UP_MS } : {}),
    note: (line) => {
      if (isSingle) terminal.note(`openclaw: ${line}`);
    },
  });
  return {
    partner,
    afterLeaving: "the gateway keeps running",
    close: async () => partner.close(),
  };
}
