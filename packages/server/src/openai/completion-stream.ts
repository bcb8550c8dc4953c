/** Body of a streamed completion: server-sent events that a reader consumes at its own speed. */
export interface CompletionStream {
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Adds a chunk of text. While the reader is slow, chunks are merged into one event, so that a stalled
   * reader costs no more memory than the text itself.
   * @param delta - next chunk
   */
  text(delta: string): void;
  /**
   * Sends an event with its own name, which plain clients of the protocol ignore.
   * @param name - name of the event
   * @param data - data on one line
   */
  event(name: string, data: string): void;
  /**
   * Sends a comment, which keeps the connection alive.
   * @param text - text for people who inspect the stream
   */
  comment(text: string): void;
  /**
   * Sends the remaining text and the last events, and ends the stream. A reader that has disconnected
   * receives nothing.
   * @param events - data of each event
   */
  end(events: readonly string[]): void;
}

const encoder = new TextEncoder();

/**
 * Opens a stream.
 * @param opening - data of the first event
 * @param textEvent - converts a chunk of text to the data of an event
 */
export function openCompletionStream(
  opening: string,
  textEvent: (text: string) => string,
): CompletionStream {
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  let waiting = "";

  function send(data: string): void {
    reader?.enqueue(encoder.encode(`data: ${data}\n\n`));
  }

  function sendWaiting(): void {
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    send(textEvent(text));
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      reader = controller;
      send(opening);
    },
    pull: sendWaiting,
    cancel() {
      reader = undefined;
    },
  });
  return {
    body,
    event(name, data) {
      sendWaiting();
      reader?.enqueue(encoder.encode(`event: ${name}\ndata: ${data}\n\n`));
    },
    comment(text) {
      sendWaiting();
      reader?.enqueue(encoder.encode(`: ${text.replace(/\s+/g, " ")}\n\n`));
    },
    text(delta) {
      waiting += delta;
      if ((reader?.desiredSize ?? 0) > 0) sendWaiting();
    },
    end(events) {
      sendWaiting();
      for (const data of events) send(data);
      reader?.close();
      reader = undefined;
    },
  };
}
