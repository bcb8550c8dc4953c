import type { Timers } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import type { TokenCallLimits } from "./call-rates.js";
import type { FailedAttempts } from "./failed-attempts.js";

/** Topics of failed attempts, whose text is a network, and of calls, whose text is JSON. */
const FAILURES = "failed-attempts";
const CALLS = "calls-of-tokens";
/** Interval in which a node tells the others of calls. */
const TELL_MS = 500;
/** Most calls of one token that a notice tells, and tokens of one notice, so that it fits. */
const MOST_TOKENS = 5;

/** Calls of one token: ID of its caller, requests, chat messages. */
type Counted = readonly [callerId: string, requests: number, chats: number];

/** Dependencies of {@link shareCounts}. */
export interface NodeCountsDependencies {
  readonly access: {
    readonly failures: Pick<FailedAttempts, "fail" | "watch">;
    readonly calls: Pick<TokenCallLimits, "add" | "watch">;
  };
  readonly store: Pick<Store, "topics" | "nodes">;
  readonly timers: Timers;
}

/**
 * Counts the failed attempts and the calls of all nodes of a database together: each node tells the others, of a failed
 * attempt at once and of calls twice in a second, so that the limits hold for all of them (SCALE-018).
 * @param dependencies - counts of this node, store and timers
 * @returns ends it
 */
export function shareCounts({ access, store, timers }: NodeCountsDependencies): () => void {
  if (store.nodes.own === undefined) return () => {};
  const { topics } = store;
  const { failures, calls } = access;
  const untold = new Map<string, [requests: number, chats: number]>();
  let timer: ReturnType<Timers["setTimeout"]> | undefined;
  const tell = () => {
    timer = undefined;
    const counted = [...untold].map(([id, counts]): Counted => [id, ...counts]);
    untold.clear();
    for (let start = 0; start < counted.length; start += MOST_TOKENS) {
      topics.publish(CALLS, JSON.stringify(counted.slice(start, start + MOST_TOKENS)));
    }
  };
  const ends = [
    failures.watch((network) => topics.publish(FAILURES, network)),
    calls.watch((callerId, which) => {
      const counts = untold.get(callerId) ?? [0, 0];
      counts[which === "requestsPerMinute" ? 0 : 1] += 1;
      untold.set(callerId, counts);
      timer ??= timers.setTimeout(tell, TELL_MS);
    }),
    topics.subscribe(FAILURES, (network, { isOwn }) => {
      if (!isOwn) failures.fail(network, { isElsewhere: true });
    }),
    topics.subscribe(CALLS, (text, { isOwn }) => {
      if (isOwn) return;
      for (const [callerId, requests, chats] of JSON.parse(text) as readonly Counted[]) {
        calls.add(callerId, "requestsPerMinute", requests);
        calls.add(callerId, "chatSendsPerMinute", chats);
      }
    }),
  ];
  return () => {
    for (const end of ends) end();
    timers.clearTimeout(timer);
  };
}
