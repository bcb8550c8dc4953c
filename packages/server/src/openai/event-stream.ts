/** Body of a streamed reply: server-sent events that a reader consumes at its own speed. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Adds a chunk of the reply or of the reasoning before it. While the reader is slow, chunks are merged into
   * one event, so that a stalled reader costs no more memory than the text itself.
   * @param delta - next chunk
   * @param kind - default `text`
   */
  text(delta: string, kind?: TextKind): void;
  /**
   * Sends an event.
   * @param data - data on one line
   * @param name - name of the event; plain clients of chat completions ignore events with a name
   */
  event(data: string, name?: string): void;
  /**
   * Sends a comment, which keeps the connection alive.
   * @param text - text for people who inspect the stream
   */
  comment(text: string): void;
  /** Sends the text that waits for the reader, so that it precedes what the caller creates next. */
  flush(): void;
  /** Sends the remaining text and ends the stream. A reader that has disconnected receives nothing. */
  end(): void;
}

/** Reply, or the reasoning before it. */
export type TextKind = "text" | "reasoning";

/** Event of a stream. */
export interface StreamEvent {
  /** Data on one line. */
  readonly data: string;
  readonly name?: string | undefined;
}

const encoder = new TextEncoder();

/**
 * Opens a stream.
 * @param textEvents - converts a chunk of text to events
 */
export function openEventStream(
  textEvents: (text: string, kind: TextKind) => readonly StreamEvent[],
): EventStream {
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting = "";
  let waitingKind: TextKind = "text";

  function send({ data, name }: StreamEvent): void {
    const named = name === undefined ? "" : `event: ${name}\n`;
    reader?.enqueue(encoder.encode(`${named}data: ${data}\n\n`));
  }

  function sendWaiting(): void {
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    for (const event of textEvents(text, waitingKind)) send(event);
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      reader = controller;
    },
    pull: sendWaiting,
    cancel() {
      reader = undefined;
    },
  });
  return {
    body,
    event(data, name) {
      sendWaiting();
      send({ data, name });
    },
    flush: sendWaiting,
    comment(text) {
      sendWaiting();
      reader?.enqueue(encoder.encode(`: ${text.replace(/\s+/g, " ")}\n\n`));
    },
    text(delta, kind = "text") {
      if (kind !== waitingKind) sendWaiting();
      waitingKind = kind;
      waiting += delta;
      if ((reader?.desiredSize ?? 0) > 0) sendWaiting();
    },
    end() {
      sendWaiting();
      reader?.close();
      reader = undefined;
    },
  };
}
