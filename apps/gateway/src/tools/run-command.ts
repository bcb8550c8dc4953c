import type { ConversationPartner } from "@openclaw/client/conversation";
import { visible } from "@openclaw/messaging";
import { terminalApprovals } from "../chat/approval-prompt.js";
import { hostedPartner } from "../chat/hosted-partner.js";
import { connectPartner } from "../chat/remote-partner.js";
import { type CommandHost, withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { readJsonObject } from "../shell/json-argument.js";
import { withProgress } from "../shell/progress.js";

/** Options of `openclaw tool run`. */
export interface RunToolOptions {
  readonly params: string;
  readonly session: string;
  readonly json?: boolean;
}

/**
 * Runs `openclaw tool run`: runs a tool as the operator, through policy, hooks and approval (HOST-032). A terminal
 * decides the approval requests of the call.
 * @param name - name of the tool
 * @param options - arguments, session and format
 * @param context - terminal and environment
 * @throws UsageError when the arguments are not a JSON object; ToolNotFoundError, SessionNotFoundError
 */
export async function runToolCommand(
  name: string,
  { params: text, session: sessionKey, json = false }: RunToolOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const params = { ...(await readJsonObject(text, "--params")) };
  const result = await withGatewayMethods(context, async (call, host) => {
    // Rejects a name that does not exist, with the nearest one.
    await call("policy.explain", { tool: name });
    const { workspaceDir } = await call("host.status", {});
    const asked = { host, sessionKey, workspaceDir };
    const approver = json ? undefined : await approveAtTerminal(asked, context);
    try {
      const run = () => call("tools.invoke", { sessionKey, tool: name, params });
      return await (approver === undefined
        ? withProgress(`Running ${name}`, terminal, run)
        : run());
    } finally {
      approver?.close();
    }
  });
  if (json) terminal.print(JSON.stringify(result));
  else {
    for (const part of result.content) terminal.print(textOf(part));
    if (result.isError) terminal.note(`openclaw: ${name} failed or was denied`);
  }
  return result.isError ? EXIT.negative : EXIT.ok;
}

/** Call whose approval requests are decided at the terminal. */
interface AskedCall {
  readonly host: CommandHost;
  readonly sessionKey: string;
  readonly workspaceDir: string;
}

/** Prompts for the approval requests of the call, when a person is at the terminal. */
async function approveAtTerminal(
  { host, sessionKey, workspaceDir }: AskedCall,
  { terminal }: CommandContext,
): Promise<{ close(): void } | undefined> {
  if (!terminal.isInteractive) return undefined;
  const { partner, close } = await partnerOf(host, sessionKey);
  const input = terminal.openInput();
  const prompts = terminalApprovals({
    ...{ terminal, input, partner, workspaceDir, isFree: () => true },
  });
  const attending = partner.attend?.(prompts.show);
  return {
    close() {
      attending?.end();
      input.close();
      close();
    },
  };
}

async function partnerOf(
  host: CommandHost,
  sessionKey: string,
): Promise<{ partner: ConversationPartner; close(): void }> {
  if (!host.isRunning)
    return { partner: hostedPartner(host.gateway, sessionKey), close: () => undefined };
  const { url, token } = host;
  const partner = await connectPartner({
    url,
    token,
    sessionKey,
    hasApprover: true,
    note: () => undefined,
  });
  return { partner, close: () => partner.close() };
}

function textOf(part: Readonly<Record<string, unknown>>): string {
  const text = typeof part.text === "string" ? part.text : JSON.stringify(part);
  return text.split("\n").map(visible).join("\n");
}
