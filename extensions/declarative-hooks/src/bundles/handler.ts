import { AsyncLocalStorage } from "node:async_hooks";
import { resolve } from "node:path";
import { type ClientCall, clientCall } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolRequester } from "@openclaw/plugin-sdk/tools";
import type { BundleAction, HookDefinition } from "../definition/definition.js";
import { CONTINUE, type Outcome } from "../definition/outcome.js";
import type { HookInput } from "../points/input.js";
import { isHookSession } from "./agent-handler.js";
import { eventInput } from "./event.js";
import { fitsRule } from "./matching.js";

/** Part of an API that runs of bundles use. */
export type BundleApi = Pick<
  OpenClawPluginApi,
  "enqueueNextTurnInjection" | "lifecycle" | "logger" | "on"
>;

/** Hook that runs and counts its runs. */
export interface RunnableHook {
  readonly definition: HookDefinition;
  run(input: HookInput, signal: () => AbortSignal): Outcome | Promise<Outcome>;
}

/** Removes what was registered. */
export type Remove = () => void;

/** Session of an event. */
export interface BundleContext {
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly workspaceDir?: string | undefined;
  readonly signal?: AbortSignal;
  /** Channel, conversation and sender of the message of the turn. */
  readonly messageProvider?: string | undefined;
  readonly channelId?: string | undefined;
  readonly senderId?: string | undefined;
  readonly senderIsOwner?: boolean | undefined;
  readonly accountId?: string | undefined;
  readonly threadId?: string | number | undefined;
  readonly groupId?: string | undefined;
}

/** Call of a tool by a hook, for which no further hooks of bundles run while it lasts. */
const toolCalls = new AsyncLocalStorage<{ isRunning: boolean }>();

/** Hook of a bundle with its sessions: conditions, single runs, and runs that nothing waits for. */
export class BundleHandler {
  readonly #hook: RunnableHook;
  readonly #action: BundleAction;
  readonly #api: BundleApi;
  /** Sessions in which a handler with `once` has run. */
  readonly #done = new Set<string>();

  /**
   * @param action - its handler
   * @param api - host
   */
  constructor(hook: RunnableHook, action: BundleAction, api: BundleApi) {
    this.#hook = hook;
    this.#action = action;
    this.#api = api;
  }

  get name(): string {
    return this.#hook.definition.name;
  }

  /**
   * Returns true when the handler is for an event without a tool.
   * @param names - reason or kind of the event; empty for an event that matchers do not select
   */
  accepts(...names: readonly string[]): boolean {
    return names.length === 0 || this.#action.matches(names);
  }

  /**
   * Returns true when the handler is for a call.
   * @param call - call as Claude Code names it
   */
  acceptsCall({ tool, aliases, input }: ClientCall): boolean {
    const names = [tool, ...aliases];
    const { rule } = this.#action;
    return this.#action.matches(names) && (rule === undefined || fitsRule(rule, names, input));
  }

  /**
   * Runs the handler with an event.
   * @param context - session of the event, and its deadline
   * @param fields - fields of the event as Claude Code documents them
   * @throws HookActionError when it fails
   */
  async run(context: BundleContext, fields: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const { event, once, isAsync } = this.#action;
    const { sessionId = "", sessionKey } = context;
    if (toolCalls.getStore()?.isRunning === true || isHookSession(sessionKey)) return CONTINUE;
    if (once && this.#done.has(sessionId)) return CONTINUE;
    this.#done.add(sessionId);
    const data = eventInput(event, context, fields);
    const input = { point: event, session: sessionKey, data, requester: requesterOf(context) };
    const run = (signal: AbortSignal) => this.#runHook(input, signal);
    if (!isAsync) return await run(context.signal ?? this.#deadline());
    void Promise.resolve()
      .then(() => run(this.#deadline()))
      .then((outcome) => this.#tellLater(outcome, sessionKey))
      .catch((error: unknown) => this.#api.logger.warn(`hook "${this.name}" failed`, { error }));
    return CONTINUE;
  }

  async #runHook(input: HookInput, signal: AbortSignal): Promise<Outcome> {
    const run = async () => await this.#hook.run(input, () => signal);
    if (this.#action.call.type !== "mcp_tool") return await run();
    const call = { isRunning: true };
    try {
      return await toolCalls.run(call, run);
    } finally {
      // Work that the call began and that lasts longer, such as a server, has hooks again.
      call.isRunning = false;
    }
  }

  #deadline(): AbortSignal {
    const { timeoutMs } = this.#hook.definition;
    return AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#api.lifecycle.signal]);
  }

  /** The event is over, so that the answer is for the next turn. */
  async #tellLater(outcome: Outcome, sessionKey: string | undefined): Promise<void> {
    const text = outcome.action === "block" ? outcome.reason : contextOf(outcome);
    if (text === undefined || sessionKey === undefined) return;
    await this.#api.enqueueNextTurnInjection({ sessionKey, text: `Hook ${this.name}: ${text}` });
  }
}

function requesterOf({
  messageProvider: channel,
  channelId = "",
  senderId,
  senderIsOwner = false,
  accountId,
  threadId,
  groupId,
}: BundleContext): ToolRequester | undefined {
  if (channel === undefined || senderId === undefined) return undefined;
  return {
    ...{ channel, channelId, senderId, senderIsOwner },
    ...(accountId === undefined ? {} : { accountId }),
    ...(threadId === undefined ? {} : { threadId: String(threadId) }),
    ...(groupId === undefined ? {} : { groupId }),
  };
}

/**
 * Returns the text that an outcome adds for the model.
 * @param outcome - decision of a hook
 */
export function contextOf(outcome: Outcome): string | undefined {
  return "context" in outcome ? outcome.context : undefined;
}

/**
 * Returns a call as Claude Code names it, with absolute paths.
 * @param params - arguments
 */
export function callOf(
  toolName: string,
  params: Readonly<Record<string, unknown>>,
  workspaceDir = process.cwd(),
): ClientCall {
  return clientCall(toolName, params, (path) => resolve(workspaceDir, path));
}
