import { defined } from "@openclaw/foundation";
import { channelMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { HostChannels } from "../host/channels.js";

/** Counters of a channel that does not run. */
const NOTHING = { restarts: 0, received: 0, ignored: 0, invalid: 0 };

/** Dependencies of {@link createChannelMethods}. */
export interface ChannelMethodDependencies {
  readonly channels: HostChannels;
  readonly store: Pick<Store, "messages">;
}

/**
 * Creates the methods of channels and of the senders that they accept.
 * @param dependencies - channels of the host, and failed deliveries
 */
export function createChannelMethods({
  channels,
  store,
}: ChannelMethodDependencies): MethodRegistry<typeof channelMethods> {
  return MethodRegistry.of(channelMethods, {
    "channels.list": async () => {
      const failures = await store.messages.outbox.failures();
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
          ...(last === undefined ? {} : { lastFailure: { at: last.at, message: last.message } }),
        };
      };
      const running = channels.manager.status.map((status) => withFailures(defined(status)));
      const idle = channels.idle.map((each) => withFailures({ ...NOTHING, ...each }));
      return { channels: [...running, ...idle] };
    },
    "channels.test": async ({ channel, accountId }) => {
      const { manager } = channels;
      const account = manager.require(channel, accountId);
      const problem = await manager.check(channel, account.accountId);
      const place = { channel, accountId: account.accountId };
      return problem === undefined ? { ...place, ok: true } : { ...place, ok: false, problem };
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
      return { channel, senderId, accounts: [...accounts] };
    },
  });
}
