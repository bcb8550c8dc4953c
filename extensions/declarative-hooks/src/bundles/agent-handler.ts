import { randomUUID } from "node:crypto";
import type { HostRuntime } from "@openclaw/plugin-sdk/services";
import { HookActionError } from "../errors.js";

/** Part of the session key of every agent of a hook. */
const SESSION = "bundle-hook-";

/** Task of an agent of a hook. */
export interface HookAgentTask {
  readonly hook: string;
  readonly prompt: string;
  readonly system: string;
  readonly model: string | undefined;
  readonly timeoutMs: number;
}

/**
 * Returns true for the session of an agent of a hook, in which hooks of bundles do not run: they would ask for themselves.
 * @param sessionKey - key of a session
 */
export function isHookSession(sessionKey = ""): boolean {
  return sessionKey.includes(SESSION);
}

/**
 * Runs the agent of a handler of type `agent` in a session that is deleted afterwards. It has the rights of a sender who
 * is not the owner, so that policy, guards and approvals decide about its calls (EXT-559).
 * @param task - prompt and time
 * @param runtime - runs agents
 * @returns the reply
 * @throws HookActionError when it fails
 */
export async function runHookAgent(
  { hook, prompt, system, model, timeoutMs }: HookAgentTask,
  { agent, subagent }: Pick<HostRuntime, "agent" | "subagent">,
): Promise<string> {
  const run = agent.runEmbeddedPiAgent;
  if (run === undefined) throw new HookActionError(hook, "this host runs no agents");
  const sessionKey = `${SESSION}${randomUUID()}`;
  try {
    const { payloads } = await run({
      ...{ prompt, sessionKey, extraSystemPrompt: system, timeoutMs },
      ...(model === undefined ? {} : { model }),
    });
    const failed = payloads.find(({ isError }) => isError === true);
    if (failed !== undefined) throw new HookActionError(hook, `its agent failed: ${failed.text}`);
    return payloads.map(({ text }) => text).join("\n");
  } finally {
    // An agent that is still stopping keeps its session.
    await subagent?.deleteSession({ sessionKey }).catch(() => undefined);
  }
}
