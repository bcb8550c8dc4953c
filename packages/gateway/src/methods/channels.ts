import { defined } from "@openclaw/foundation";
import { type JobCreator, type Jobs, ownerOf } from "@openclaw/jobs";
import { mainSessionKey } from "@openclaw/messaging";
import { channelMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Routines } from "@openclaw/routines";
import type { LostMessage, Store } from "@openclaw/store";
import type { HostChannels } from "../host/channels.js";

/** Counters of a channel that does not run. */
const NOTHING = { restarts: 0, received: 0, ignored: 0, invalid: 0 };

/** Dependencies of {@link createChannelMethods}. */
export interface ChannelMethodDependencies {
  readonly channels: Pick<HostChannels, "describe" | "idle" | "manager" | "pairing"> & {
    readonly messages: Pick<HostChannels["messages"], "act">;
    readonly lost: Pick<HostChannels["lost"], "list" | "replay" | "discard">;
  };
  /** Agents; a sent message is recorded with the main session of the default one. */
  readonly agents: { readonly defaultAgent: string };
  readonly store: Pick<Store, "messages">;
  /** Work of senders. */
  readonly work: SenderWork;
}

/** Jobs and routines, which continue without their sender. */
interface SenderWork {
  readonly jobs: Pick<Jobs, "cancel" | "get" | "list">;
  readonly routines: Pick<Routines, "list" | "update">;
}

const MOST_JOBS = 10_000;
const UNFINISHED = ["pending", "in_progress", "stuck"] as const;

/**
 * Creates the methods of channels and of the senders that they accept.
 * @param dependencies - channels of the host, failed deliveries, and the work of senders
 */
export function createChannelMethods({
  channels,
  agents,
  store,
  work,
}: ChannelMethodDependencies): MethodRegistry<typeof channelMethods> {
  return MethodRegistry.of(channelMethods, {
    "channels.list": async () => {
      const failures = await store.messages.outbox.failures();
      const lost = await channels.lost.list();
      const withFailures = <State extends { channel: string; accountId?: string }>(
        state: State,
      ) => {
        const own = failures.filter(
          ({ channel, accountId = "default" }) =>
            channel === state.channel && accountId === (state.accountId ?? "default"),
        );
        const [last] = own;
        return {
          ...state,
          undelivered: own.reduce((sum, { count }) => sum + count, 0),
          lost: lost.filter(
            ({ channel, accountId }) =>
              channel === state.channel && accountId === (state.accountId ?? "default"),
          ).length,
          ...(last === undefined ? {} : { lastFailure: { at: last.at, message: last.message } }),
        };
      };
      const running = channels.manager.status.map((status) => withFailures(defined(status)));
      const idle = channels.idle.map((each) => withFailures({ ...NOTHING, ...each }));
      return { channels: [...running, ...idle] };
    },
    "channels.lost": async ({ channel }) => {
      const messages = await channels.lost.list();
      return {
        messages: messages
          .filter((each) => channel === undefined || each.channel === channel)
          .map(shownLoss),
      };
    },
    "channels.replay": async ({ id }) => ({ id, outcome: await channels.lost.replay(id) }),
    "channels.discard": async ({ id }) => {
      await channels.lost.discard(id);
      return { id };
    },
    "channels.test": async ({ channel, accountId }) => {
      const { manager } = channels;
      const account = manager.require(channel, accountId);
      const problem = await manager.check(channel, account.accountId);
      const place = { channel, accountId: account.accountId };
      return problem === undefined ? { ...place, ok: true } : { ...place, ok: false, problem };
    },
    "channels.describe": async ({ channel }) => {
      const { settings, steps, ...named } = channels.describe(channel);
      return { ...named, ...(settings && { settings: { ...settings } }), steps: [...steps] };
    },
    "channels.send": async ({ channel, accountId, conversationId, threadId, text }) => {
      const account = channels.manager.require(channel, accountId);
      const place = { channel, accountId: account.accountId };
      const agentId = agents.defaultAgent;
      const messageId = await channels.messages.act(
        { ...place, to: conversationId, ...defined({ threadId }) },
        { action: "send", text },
        { sessionKey: mainSessionKey(agentId), agentId },
      );
      return { ...place, conversationId, ...defined({ messageId }) };
    },
    "pairing.list": async () => {
      const { pending, admitted } = await channels.pairing.list();
      return {
        pending: pending.map((each) => defined(each)),
        admitted: admitted.map((each) => defined(each)),
      };
    },
    "pairing.approve": async ({ channel, code }, { caller }) =>
      defined(await channels.pairing.approve(channel, code, caller.id)),
    "pairing.revoke": async ({ channel, senderId, accountId }) => {
      const accounts = await channels.pairing.revoke(channel, senderId, accountId);
      for (const each of accounts) await endWork({ channel, senderId, accountId: each }, work);
      return { channel, senderId, accounts: [...accounts] };
    },
  });
}

function shownLoss({ message, replayedAt: _replayedAt, ...lost }: LostMessage) {
  const text = (field: string) => {
    const value = message[field];
    return typeof value === "string" ? value : undefined;
  };
  return defined({
    ...lost,
    text: text("text"),
    senderId: text("senderId"),
    senderName: text("senderName"),
    conversationId: text("conversationId"),
  });
}

/**
 * Ends what a removed sender asked for: it would continue with the rights of the sender, and tell the sender the results
 * (JOB-520).
 */
async function endWork(
  sender: Pick<JobCreator, "channel" | "accountId" | "senderId">,
  { jobs, routines }: SenderWork,
): Promise<void> {
  const viewer = { isOperator: false, owner: ownerOf(sender) };
  for (const { routine } of await routines.list(viewer)) {
    if (routine.enabled) await routines.update(routine.routineId, viewer, { enabled: false });
  }
  for (const { jobId } of await jobs.list(viewer, { states: UNFINISHED, limit: MOST_JOBS })) {
    // A job above it has taken it along.
    const { state } = await jobs.get(jobId, viewer);
    if (state !== "cancelled") await jobs.cancel(jobId, viewer);
  }
}
