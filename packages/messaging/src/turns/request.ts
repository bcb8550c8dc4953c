import type { TurnEvent, TurnRequest } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { HookDispatch } from "@openclaw/hook-runner";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ChannelCapabilities } from "@openclaw/plugin-sdk/channel-core";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { Store, Turn } from "@openclaw/store";
import type { ApprovalKind } from "@openclaw/store/decisions";
import type { ApproverPresence } from "../approvals/approver-presence.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import type { MessageRouter } from "../messages/route.js";
import { messageTrace } from "../messages/trace.js";
import { jobBounds } from "../sessions/job-bounds.js";
import { sessionLineage } from "../sessions/lineage.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { QueuedTurn } from "../sessions/queued-turn.js";
import { subagentBounds } from "../sessions/subagent-bounds.js";
import type { BackgroundPace } from "./background-pace.js";
import type { TurnInput } from "./input.js";
import { takeSteering } from "./steering.js";
import type { ReadWorkspaceInstructions } from "./workspace-instructions.js";

/** Dependencies of {@link TurnRequests}. */
export interface TurnRequestsDependencies {
  readonly router: Pick<MessageRouter, "route">;
  readonly store: Store;
  readonly presence: Pick<ApproverPresence, "isAttended">;
  readonly live: Pick<LiveSessions, "settingsOf">;
  readonly events: Pick<ConversationEvents, "progressed">;
  /** Returns the capabilities of a channel; undefined where it declares none. */
  capabilitiesOf(channel: string, accountId: string | undefined): ChannelCapabilities | undefined;
  /** Returns the extent of a reply on a channel; undefined for all. */
  replyExtentOf(channel: string, accountId: string | undefined): TurnRequest["reply"];
  readonly pace: Pick<BackgroundPace, "beforeStep">;
  readonly logger: Logger;
  readonly workspaceInstructions: ReadWorkspaceInstructions;
}

/** Settings of agents that follow the configuration. */
export interface AgentSettings {
  /** Returns the system prompt of an agent instead of the built-in one. */
  instructionsOf?(agentId: string): string | undefined;
  /**
   * Returns the model for a message of this size, `models.routing` (LLM-034). It is used when neither the caller nor the
   * session names a model; undefined leaves the model of the agent.
   * @param text - text of the message
   */
  modelBySize?(agentId: string, text: string): string | undefined;
}

/** Builds the agent requests of turns. */
export class TurnRequests {
  readonly #dependencies: TurnRequestsDependencies;
  readonly #agents: AgentSettings;

  /** @param dependencies - router, store, approver presence, settings, events and log */
  constructor(dependencies: TurnRequestsDependencies, agents: AgentSettings) {
    this.#dependencies = dependencies;
    this.#agents = agents;
  }

  /**
   * Returns the request of a turn, without its signal.
   * @param turn - stored turn
   * @param queued - the turn in its queue
   * @param hooks - hooks of the plugins that it runs with
   */
  async create(
    turn: Turn,
    input: TurnInput,
    queued: QueuedTurn,
    hooks: HookDispatch<HookMap>,
  ): Promise<Omit<TurnRequest, "signal">> {
    const { router, store, presence, live, events, pace, logger } = this.#dependencies;
    const { workspaceInstructions, capabilitiesOf, replyExtentOf } = this.#dependencies;
    const { runId, inboxId, sessionKey, sessionId, agentId, trigger } = turn;
    const { text, attachments, extraInstructions, history, client } = input;
    const { senderId, senderIsOwner } = input;
    const route = router.route({ ...input, sessionKey, agentId });
    const { channel, to: channelId, accountId } = route.deliveryContext;
    const { groupId, senderName } = route.toolPolicyInput;
    const subagent = await subagentBounds(sessionKey, store);
    const job = await jobBounds(sessionKey, store);
    const lineage = await sessionLineage(sessionKey, store);
    // A subagent or job works where the session that started the work does.
    const { workspaceDir } = router.route({
      ...input,
      sessionKey: lineage.at(-1) ?? sessionKey,
      agentId,
    });
    return defined({
      runId,
      agentId,
      sessionKey,
      sessionId,
      trigger,
      subagent,
      job,
      origin: defined({
        channel,
        channelId,
        messageId: inboxId,
        senderId,
        senderIsOwner,
        accountId,
        threadId: input.threadId,
        groupId,
        senderName,
      }),
      text,
      trace: messageTrace(inboxId),
      attachments,
      model:
        input.model ??
        live.settingsOf(sessionKey).model ??
        this.#agents.modelBySize?.(agentId, text) ??
        route.modelRef,
      workspaceDir,
      workspaceInstructions: (await workspaceInstructions(workspaceDir))?.text,
      async takeSteering() {
        await pace.beforeStep(turn);
        return await takeSteering(queued, hooks, { store, logger });
      },
      onEvent(event: TurnEvent) {
        events.progressed(turn, event);
        for (const each of queued.callers) each.onEvent?.(event);
      },
      // Every begin counts, so the first attempt finds no step of an earlier one, except those of a forked run.
      isNew: turn.attempts === 1 && input.forkedFrom === undefined,
      instructions: this.#agents.instructionsOf?.(agentId),
      extraInstructions,
      history,
      client,
      channelCapabilities: capabilitiesOf(channel, accountId),
      reply: trigger === "user" ? replyExtentOf(channel, accountId) : undefined,
      isAttended: (kind?: ApprovalKind) => presence.isAttended(lineage, kind),
    });
  }
}
