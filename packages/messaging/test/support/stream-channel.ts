import type {
  Channel,
  ChannelContext,
  IncomingMessage,
  OutgoingResponse,
} from "@openclaw/plugin-sdk/channel-core";

/** Options of {@link streamChannel}. */
export interface StreamChannelOptions extends Partial<Channel> {
  /** Creates the stream of each start; called with the number of the start, from 1. */
  readonly stream: (context: ChannelContext, start: number) => AsyncIterable<IncomingMessage>;
}

/** Creates a channel from its streams, and records the replies. */
export function streamChannel({ stream, ...rest }: StreamChannelOptions): Channel & {
  readonly replies: OutgoingResponse[];
  readonly starts: number;
} {
  const replies: OutgoingResponse[] = [];
  let starts = 0;
  return {
    name: "test",
    respond: async (_message, response) => {
      replies.push(response);
      return { messageId: String(replies.length) };
    },
    ...rest,
    start(context) {
      starts += 1;
      return stream(context, starts);
    },
    replies,
    get starts() {
      return starts;
    },
  };
}

/** Returns a direct message of alice. */
export function incoming(id: string, changes: Partial<IncomingMessage> = {}): IncomingMessage {
  return {
    id,
    channel: "test",
    userId: "alice",
    content: `message ${id}`,
    receivedAt: new Date(0),
    ...changes,
  };
}

/** Waits until a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
