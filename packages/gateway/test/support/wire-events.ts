/** One event of a stream of server-sent events. */
export interface StreamedEvent {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: assertions read payloads of every form
  readonly payload: any;
}

/** Reader of a stream of server-sent events. It keeps everything it has read. */
export class EventStreamReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";
  #isDone = false;

  private constructor(response: Response, body: ReadableStream<string>) {
    this.response = response;
    this.#reader = body.getReader();
  }

  /** Opens a stream; the response must have a body. */
  static async open(url: string, headers: Record<string, string>): Promise<EventStreamReader> {
    const response = await fetch(url, { headers });
    if (response.body === null) throw new Error("the response has no body");
    return new EventStreamReader(response, response.body.pipeThrough(new TextDecoderStream()));
  }

  /** Everything that was read. */
  get text(): string {
    return this.#text;
  }

  /** Events that were read. */
  get events(): readonly StreamedEvent[] {
    return this.#text.split("\n\n").flatMap((block) => {
      const fields = new Map(
        block.split("\n").map((line) => {
          const colon = line.indexOf(": ");
          return [line.slice(0, colon), line.slice(colon + 2)];
        }),
      );
      const [event, data] = [fields.get("event"), fields.get("data")];
      if (event === undefined || data === undefined) return [];
      return [{ event, id: fields.get("id"), payload: JSON.parse(data) }];
    });
  }

  /** Reads until an event has arrived. */
  async event(name: string): Promise<StreamedEvent> {
    for (;;) {
      const found = this.events.find(({ event }) => event === name);
      if (found !== undefined) return found;
      if (!(await this.#read())) throw new Error(`the stream ended without ${name}: ${this.#text}`);
    }
  }

  /** Reads until a text has arrived. */
  async says(part: string): Promise<void> {
    while (!this.#text.includes(part)) {
      if (!(await this.#read()))
        throw new Error(`the stream ended without "${part}": ${this.#text}`);
    }
  }

  /** Reads to the end of the stream. */
  async end(): Promise<void> {
    while (await this.#read());
  }

  /** Disconnects. */
  async cancel(): Promise<void> {
    if (!this.#isDone) await this.#reader.cancel();
  }

  async #read(): Promise<boolean> {
    const { done, value = "" } = await this.#reader.read();
    this.#text += value;
    this.#isDone = done;
    return !done;
  }
}
