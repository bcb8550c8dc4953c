import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import { type Gateway, markRestart, requestedRestart, stateFolderAt } from "@openclaw/gateway";
import { DEFAULT_AGENT, lastConversation, recordConversation } from "../chat/conversation.js";
import { hostedPartner } from "../chat/hosted-partner.js";
import { openChat } from "../chat/open-chat.js";
import { limitHeap } from "../host/heap-size.js";
import type { RunOptions } from "../host/options.js";
import { notePluginProblems } from "../host/plugin-problems.js";
import { startHost } from "../host/start.js";
import { printStartUp } from "../host/start-up-message.js";
import { aborted, stopSignal } from "../host/stop-signal.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { noteUntrusted, offerTrust } from "../workspaces/offer-trust.js";

/**
 * Runs `openclaw gateway run`: serves until stopped, and chats when there is an interactive terminal.
 * @param options - command-line options
 * @param context - terminal and environment
 */
export async function runCommand(
  options: RunOptions,
  { terminal, environment: inherited }: CommandContext,
): Promise<ExitCode> {
  const { config: OPENCLAW_CONFIG_PATH, stateDir: OPENCLAW_STATE_DIR } = options;
  const named = defined({ OPENCLAW_CONFIG_PATH, OPENCLAW_STATE_DIR });
  const context = { terminal, environment: { ...inherited, ...named } };
  const stopped = stopSignal();
  const quit = new AbortController();
  const onQuit = () => quit.abort(new Error("stopped by /quit"));
  const logs = options.logStdout === true;
  const gateway = await startHost(options, context, options.port ?? "configured", {
    onQuit,
    ownsProcess: true,
    doctor: {
      async examine() {
        const { examineInstallation } = await import("../doctor/examination.js");
        return await examineInstallation(context, false);
      },
    },
    // A process cannot replace itself on Windows.
    ...(process.platform === "win32" ? {} : { onRestart: () => restartHere(context.environment) }),
    ...defined({ logOutput: logs ? terminal.write : undefined }),
  });
  const signal = AbortSignal.any([stopped, quit.signal]);
  void limitHeap();
  if (!logs) printStartUp(gateway, terminal);
  notePluginProblems(gateway, terminal);
  const watches = options.watch === true ? await watchPlugins(gateway, options, terminal) : [];
  if (terminal.isInteractive && !logs) {
    terminal.print("");
    await chatHere(gateway, signal, context);
  } else {
    noteUntrusted(gateway.workspaceDir, context);
    await aborted(signal);
  }
  for (const close of watches) await close();
  const restart = stopped.aborted ? requestedRestart(gateway.state.dir) : undefined;
  if (restart !== undefined) await gateway.stop("restart");
  else await gateway.stop(stopped.aborted ? "signal" : "command");
  if (restart?.inPlace === true) startAgain();
  return EXIT.ok;
}

/** Stops this process in an orderly way, as `openclaw gateway restart` does without a service. */
function restartHere(environment: NodeJS.ProcessEnv): void {
  const { pid } = process;
  markRestart(stateFolderAt(stateDirOf(environment)).dir, { pid, inPlace: true });
  process.kill(pid, "SIGTERM");
}

/** Replaces this process by a new start of the same command, so that its terminal and its supervisor keep it. */
function startAgain(): void {
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], env);
}

/** Chats in the workspace of a gateway of this process. */
async function chatHere(
  gateway: Gateway,
  signal: AbortSignal,
  context: CommandContext,
): Promise<void> {
  const { environment } = context;
  const workspaceDir = gateway.workspaceOf(DEFAULT_AGENT);
  const place = { environment, workspaceDir, hostDir: workspaceDir };
  const sessionKey = lastConversation(place);
  recordConversation(sessionKey, place);
  const partner = hostedPartner(gateway, sessionKey);
  await offerTrust({ workspaceDir, partner }, context);
  const afterLeaving = "the gateway stops too";
  const { logPrinted } = gateway;
  await openChat({ partner, signal, workspaceDir, afterLeaving, logPrinted }, context);
}

async function watchPlugins(
  gateway: Gateway,
  { plugin = [] }: RunOptions,
  terminal: Terminal,
): Promise<(() => Promise<void>)[]> {
  process.setSourceMapsEnabled(true);
  const { watchPlugin } = await import("../plugins/watch.js");
  const watches = [];
  for (const path of plugin) {
    const close = await watchPlugin(gateway, resolve(path), terminal);
    if (close === undefined) terminal.note(`openclaw: no plugin found at ${resolve(path)}`);
    else watches.push(close);
  }
  return watches;
}
