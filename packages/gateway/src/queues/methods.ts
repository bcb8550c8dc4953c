import { defined } from "@openclaw/foundation";
import type { Messaging } from "@openclaw/messaging";
import { type DeadItemSummary, queueMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { type DeadItem, REPLY_QUEUE, type Store } from "@openclaw/store";
import { QueueItemNotFoundError } from "./errors.js";

/** Items of one answer, unless the caller asks for another number. */
const ITEMS = 100;
/** Characters of the text of a reply. */
const SHOWN = 200;

/** Dependencies of {@link createQueueMethods}. */
export interface QueueMethodDependencies {
  readonly store: Pick<Store, "deadItems" | "queues">;
  readonly failedReplies: Pick<Messaging["failedReplies"], "requeue">;
}

/**
 * Creates the methods of the queues of work (SCALE-014).
 * @param dependencies - store, and what sends replies again
 */
export function createQueueMethods({
  store,
  failedReplies,
}: QueueMethodDependencies): MethodRegistry<typeof queueMethods> {
  const { deadItems, queues } = store;
  const find = async (id: string): Promise<DeadItem> => {
    const [queue = "", ...key] = id.split(":");
    const item = await deadItems.get(queue, key.join(":"));
    if (item === undefined) throw new QueueItemNotFoundError(id);
    return item;
  };
  return MethodRegistry.of(queueMethods, {
    "queue.list": async () => ({ queues: [...(await deadItems.counts())] }),
    "queue.dead": async ({ queue, limit = ITEMS }) => ({
      items: (await deadItems.list({ queue, limit })).map(summaryOf),
    }),
    "queue.requeue": async ({ id }) => {
      const item = await find(id);
      const isReply = item.queue === REPLY_QUEUE;
      const hasChanged = isReply
        ? await failedReplies.requeue(item.key)
        : await queues.requeue(item.queue, item.key);
      if (!hasChanged) throw new QueueItemNotFoundError(id);
      return summaryOf(item);
    },
    "queue.discard": async ({ id }) => {
      const item = await find(id);
      if (!(await deadItems.discard(item.queue, item.key))) throw new QueueItemNotFoundError(id);
      return summaryOf(item);
    },
  });
}

function summaryOf({ queue, key, reply, ...item }: DeadItem): DeadItemSummary {
  const { attempts, failure, createdAt, failedAt } = item;
  return {
    ...{ id: `${queue}:${key}`, queue, attempts, createdAt },
    ...defined({
      failure: failure && { code: failure.code, message: failure.message },
      failedAt,
      sessionKey: reply?.sessionKey,
      channel: reply?.target.channel,
      to: reply?.target.to,
      text: reply?.content.slice(0, SHOWN).toWellFormed(),
    }),
  };
}
