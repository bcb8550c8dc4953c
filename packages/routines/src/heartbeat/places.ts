import { defined } from "@openclaw/foundation";
import { mainSessionKey } from "@openclaw/messaging";
import type { DeliveryTarget, Store } from "@openclaw/store";
import type { HeartbeatSettings } from "./settings.js";

const DAY = 86_400_000;
/** Age up to which a conversation of the operator counts. */
const KNOWN_MS = 30 * DAY;
/** Requests of other services, not of people. */
const OF_SERVICES = "webhook";

/** A conversation, and the session with its history. */
export interface Place {
  readonly sessionKey: string;
  readonly target: DeliveryTarget;
}

/** The newest messages of people. */
export interface PeopleMessages {
  /** Time of the newest message of a person, of any of them; undefined when there is none. */
  readonly lastAt: number | undefined;
  /** Private conversations of the operator, the one in which the operator wrote last first. */
  readonly ofOperator: readonly Place[];
}

/**
 * Reads who wrote last and where, from the inbox.
 * @param store - the inbox
 * @param now - milliseconds since the epoch
 */
export async function peopleMessages(
  { messages }: Pick<Store, "messages">,
  now: number,
): Promise<PeopleMessages> {
  const newest = await messages.inbox.newestOfConversations(now - KNOWN_MS);
  const found = newest.filter(({ channel }) => channel !== OF_SERVICES);
  const ofOperator = found.flatMap((row): readonly Place[] => {
    const { channel, conversationId, accountId, threadId, sessionKey, metadata } = row;
    const isRoom = sessionKey === undefined || /:(?:group|channel):/.test(sessionKey);
    if (isRoom || metadata.senderIsOwner !== true) return [];
    return [{ sessionKey, target: defined({ channel, to: conversationId, accountId, threadId }) }];
  });
  return { lastAt: found[0]?.receivedAt, ofOperator };
}

/**
 * Returns the conversations that get what a heartbeat has to tell (JOB-036): the configured one, and without one a
 * conversation of the operator on each channel.
 * @param settings - channel and conversation
 * @param people - where the operator wrote
 */
export function notifiedPlaces(
  { channel, to, accountId, agentId }: HeartbeatSettings,
  { ofOperator }: PeopleMessages,
): readonly Place[] {
  if (channel === undefined) return newestOfChannels(ofOperator);
  const known = ofOperator.filter(
    ({ target }) =>
      target.channel === channel &&
      (to === undefined || target.to === to) &&
      (accountId === undefined || target.accountId === accountId),
  );
  const [first] = known;
  if (first !== undefined) return [first];
  if (to === undefined) return [];
  const target = defined({ channel, to, accountId });
  return [{ sessionKey: mainSessionKey(agentId), target }];
}

function newestOfChannels(places: readonly Place[]): readonly Place[] {
  const channels = new Map<string, Place>();
  for (const place of places) {
    const { channel, accountId = "default" } = place.target;
    const key = JSON.stringify([channel, accountId]);
    if (!channels.has(key)) channels.set(key, place);
  }
  return [...channels.values()];
}
