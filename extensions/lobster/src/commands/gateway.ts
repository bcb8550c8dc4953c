import { stderr } from "node:process";
import type { CliContext } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Envelope } from "../envelope/envelope.js";
import { LobsterError } from "../errors.js";
import { TOOL } from "../tool.js";

const NOTICE_AFTER_MS = 3000;

/** Result of the gateway method `tools.invoke`. */
interface Invoked {
  readonly content: readonly { readonly type?: string; readonly text?: string }[];
}

/**
 * Calls the tool in a session as the operator, through the gateway (LOB-033).
 * @param context - command line
 * @param sessionKey - session of the run
 * @param params - arguments of the tool
 * @throws LobsterError when the tool was denied, or there is no gateway
 */
export async function callLobster(
  context: CliContext,
  sessionKey: string,
  params: JsonObject,
): Promise<Envelope> {
  const notice = noticeOfWait();
  const { content } = (await callMethod(context, "tools.invoke", {
    sessionKey,
    tool: TOOL,
    params,
  }).finally(() => clearTimeout(notice))) as Invoked;
  const text = content.flatMap((part) => part.text ?? []).join("\n");
  try {
    const envelope = JSON.parse(text) as Envelope;
    if (envelope.protocolVersion === 1) return envelope;
  } catch {
    // The host denied the call with a sentence.
  }
  const isOff = /Unknown tool|optional: not enabled/.test(text);
  const hint = `turn it on with: openclaw config set tools.alsoAllow '["plugin:lobster"]'`;
  throw new LobsterError("denied", isOff ? `the tool lobster is off; ${hint}` : text);
}

/** Tells a person at a terminal, after some seconds, what a run may wait for; the caller clears the returned timer. */
export function noticeOfWait(): NodeJS.Timeout | undefined {
  if (!stderr.isTTY) return undefined;
  return setTimeout(() => {
    stderr.write("Still running. If a step waits for an approval: openclaw approvals list\n");
  }, NOTICE_AFTER_MS);
}

/**
 * Calls a method of the gateway.
 * @param context - command line
 * @param params - its parameters
 */
export async function callMethod(
  { callGateway }: CliContext,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (callGateway === undefined) {
    throw new LobsterError("runtime_error", "this command line has no gateway");
  }
  return await callGateway(method, params);
}
