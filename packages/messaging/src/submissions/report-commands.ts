import {
  budgetStates,
  budgetText,
  contextWindowOf,
  conversationSize,
  type TurnDependencies,
} from "@openclaw/agent";
import { displayUsd, escapeUnseen, parseUsd } from "@openclaw/foundation";
import type { Session, Store } from "@openclaw/store";
import type { ApprovalGrant } from "@openclaw/store/decisions";
import { duration } from "../approvals/duration.js";
import { approvalName } from "../approvals/request.js";
import type { ChannelStatus } from "../channels/manager.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { threadState } from "../sessions/threads.js";
import type { ReadWorkspaceInstructions } from "../turns/workspace-instructions.js";
import { sumByModel, type UsageGroup } from "../usage/sums.js";

/** Maximum number of grants that are read, more than approvers create. */
const MOST_GRANTS = 10_000;
const MOST_SHOWN = 30;

/** Cooldowns and circuit breakers of models. */
type HealthSnapshot = ReturnType<TurnDependencies["modelChain"]["health"]["snapshot"]>;

/** Dependencies of {@link ReportCommands}. */
export interface ReportCommandsDependencies {
  readonly store: Store;
  readonly live: Pick<LiveSessions, "turns" | "settingsOf">;
  readonly workspaceInstructions: ReadWorkspaceInstructions;
  /** Returns the state of the sandbox of commands in one line; absent when the host has none. */
  readonly sandboxState?: (() => Promise<string>) | undefined;
  /** Returns the state of each account of a channel. */
  channels(): readonly ChannelStatus[];
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Commands that show the state of a conversation: `/status`, `/approvals` and `/cost`. They change nothing. */
export class ReportCommands {
  readonly #dependencies: ReportCommandsDependencies;

  /** @param dependencies - store, turns, settings, instructions, sandbox, services and clock */
  constructor(dependencies: ReportCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Shows model, models that are not called after failures, workspace, instructions, size and tokens of the conversation. Folders and the sandbox are shown to
   * owners only.
   * @param routed - message that is the command
   */
  async status({ route, admitted }: RoutedMessage): Promise<string> {
    const { store, live } = this.#dependencies;
    const { sessionKey, agentId, modelRef, workspaceDir } = route;
    const session = await store.sessions.get(sessionKey);
    const pending = await store.decisions.approvals.pending(sessionKey);
    const model = live.settingsOf(sessionKey).model ?? modelRef;
    return [
      `Session: ${sessionKey}, agent ${agentId}`,
      `Model: ${model}`,
      ...unavailableModels(this.#dependencies.services().modelChain.health.snapshot()),
      ...(admitted.senderIsOwner ? await this.#machine(workspaceDir) : []),
      ...(await this.#size(session, model)),
      pending.length === 0
        ? "Approvals: none pending"
        : `Approvals: ${pending.length} pending; /approvals lists them`,
    ].join("\n");
  }

  /**
   * Lists the pending approval requests of the conversation, and the grants that allow its calls. Grants that reach
   * beyond the conversation are shown to owners only.
   * @param routed - message that is the command
   */
  async approvals({ route, admitted }: RoutedMessage): Promise<string> {
    const { store, now } = this.#dependencies;
    const { sessionKey, agentId } = route;
    const { senderIsOwner } = admitted;
    const pending = await store.decisions.approvals.pending(sessionKey);
    const stored = await store.decisions.grants.list({ limit: MOST_GRANTS });
    const grants = stored.filter((grant) => {
      if (grant.scope === "session") return grant.sessionKey === sessionKey;
      return senderIsOwner && (grant.scope === "global" || grant.agentId === agentId);
    });
    const more = grants.length - MOST_SHOWN;
    return [
      pending.length === 0
        ? "No pending approvals here."
        : "Pending; /approve <code> or /deny <code> decides one:",
      ...pending.map(
        (approval) => `  ${approvalName(approval)}, ${left(approval.expiresAt, now())}`,
      ),
      grants.length === 0
        ? "Nothing is allowed without approval by an earlier decision."
        : "Allowed by earlier decisions:",
      ...grants.slice(0, MOST_SHOWN).map((grant) => `  ${grantLine(grant, now())}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(grants.length > 0 && senderIsOwner
        ? ["openclaw approvals revoke <id> withdraws one."]
        : []),
    ].join("\n");
  }

  /**
   * Shows the tokens that models have used in the conversation, what they cost, and the budgets.
   * @param routed - message that is the command
   */
  async cost({ route }: RoutedMessage): Promise<string> {
    const { store } = this.#dependencies;
    const session = await store.sessions.get(route.sessionKey);
    const { sessionId = "" } = session ?? {};
    const groups = await sumByModel(sessionId, store);
    const total = await store.sessions.tokenTotals.of({ sessionId });
    if (groups.length === 0 && total === 0) return "No model has used tokens in this conversation.";
    const counted = groups.reduce((sum, { totalTokens }) => sum + totalTokens, 0);
    // Calls are removed before the totals are.
    const earlier = total - counted;
    return [
      "Tokens of this conversation, by model:",
      ...groups.map((group) => `  ${usageLine(group)}`),
      ...(earlier > 0 ? [`  other calls: ${earlier} tokens`] : []),
      `Cost: ${costText(groups)}`,
      ...(await this.#budgets(route.agentId, sessionId)),
    ].join("\n");
  }

  /** The budgets of the host are those of its owner, but they stop everyone, so everyone sees them. */
  async #budgets(agentId: string, sessionId: string): Promise<readonly string[]> {
    const { store, services } = this.#dependencies;
    const states = await budgetStates(services().budgets ?? {}, { agentId, sessionId }, store);
    return states.map((state) => `Budget of ${budgetText(state)}`);
  }

  async #machine(workspaceDir: string): Promise<readonly string[]> {
    const { workspaceInstructions, sandboxState } = this.#dependencies;
    const instructions = await workspaceInstructions(workspaceDir);
    const files = instructions?.files.map(
      ({ path, isCut }) => `${path}${isCut ? " (its beginning)" : ""}`,
    );
    const found = files === undefined || files.length === 0 ? "none" : files.join(", ");
    return [
      `Workspace: ${workspaceDir}${instructions?.isTrusted === false ? " (not trusted)" : ""}`,
      instructions?.isTrusted === false
        ? "Instructions: not read; trust the workspace with: openclaw trust"
        : `Instructions: ${found}`,
      ...(sandboxState === undefined ? [] : [`Sandbox: ${await sandboxState()}`]),
      ...channelLine(this.#dependencies.channels()),
    ];
  }

  async #size(session: Session | undefined, model: string): Promise<readonly string[]> {
    const { store, services } = this.#dependencies;
    if (session === undefined) return ["Conversation: not started"];
    const { sessionId } = session;
    const { messages, tokens } = await conversationSize(sessionId, store);
    const [provider = "", ...modelId] = model.split("/");
    const { contextTokenBudget: most } = contextWindowOf(
      { provider, modelId: modelId.join("/") },
      session.agentId,
      services(),
    );
    const used = await store.sessions.tokenTotals.of({ sessionId });
    const percent = Math.round((tokens / most) * 100);
    return [
      `Conversation: ${sessionId}, ${await threadState(session, this.#dependencies)}`,
      `Context: ${messages} messages, about ${tokens} of ${most} tokens (${percent} %)`,
      `Tokens used: ${used}; /cost shows them by model`,
    ];
  }
}

/** Returns a line for each model and provider that is not called at the moment (LLM-024). */
function unavailableModels({ models, providers }: HealthSnapshot): readonly string[] {
  return [
    ...models
      .filter(({ cooldownMs }) => cooldownMs > 0)
      .map(({ ref, cooldownMs, consecutiveFailures, lastError }) => {
        const failures =
          consecutiveFailures === 1 ? "1 failure" : `${consecutiveFailures} failures`;
        const cause = lastError === undefined ? "" : ` (${lastError.code})`;
        return `Not called: ${ref} after ${failures}${cause}, ${left(cooldownMs, 0)}`;
      }),
    ...providers
      .filter(({ breaker }) => breaker !== "closed")
      .map(({ provider, opensInMs }) =>
        opensInMs === undefined
          ? `Provider ${provider}: one request at a time, until it replies again`
          : `Provider ${provider}: not called after repeated failures, ${left(opensInMs, 0)}`,
      ),
  ];
}

function usageLine(group: UsageGroup): string {
  const { key, count, inputTokens, outputTokens } = group;
  const calls = count === 1 ? "1 call" : `${count} calls`;
  return `${key}: ${calls}, ${inputTokens} input and ${outputTokens} output tokens, ${costText([group])}`;
}

function costText(groups: readonly UsageGroup[]): string {
  const cost = groups.reduce((sum, { costUsd }) => sum + (parseUsd(costUsd) ?? 0n), 0n);
  const estimated = groups.reduce((sum, { estimatedCalls }) => sum + estimatedCalls, 0);
  const note = estimated === 0 ? "" : `, of which ${estimated} estimated`;
  const calls = groups.reduce((sum, { count }) => sum + count, 0);
  return `${displayUsd(cost)}${note === "" ? "" : ` (${calls} ${calls === 1 ? "call" : "calls"}${note})`}`;
}

function grantLine({ id, label, tool, scope, expiresAt }: ApprovalGrant, now: number): string {
  const what = label.includes(tool) ? label : `${tool}: ${label}`;
  const until = expiresAt === undefined ? "" : `, ${left(expiresAt, now)}`;
  return `${id}  ${escapeUnseen(what)} (${scope}${until})`;
}

function left(at: number, now: number): string {
  return `${duration(Math.max(0, Math.ceil((at - now) / 1000)))} left`;
}

/** Names the channels with their states; nothing without channels. */
function channelLine(channels: readonly ChannelStatus[]): readonly string[] {
  if (channels.length === 0) return [];
  const states = channels.map(({ channel, accountId, state, problem }) => {
    const name = accountId === "default" ? channel : `${channel}/${accountId}`;
    const reason = problem === undefined ? "" : ` (${escapeUnseen(problem.message)})`;
    return `${name} ${state}${reason}`;
  });
  return [`Channels: ${states.join(", ")}`];
}
