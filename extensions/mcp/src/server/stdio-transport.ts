import { setTimeout } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { parseJSONRPCMessage, serializeMessage } from "@modelcontextprotocol/client";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { ProcessEnd, RunningProcess } from "@openclaw/plugin-sdk/services";

/** Maximum size of one message in bytes; a server that sends a larger one is ended. */
const MAXIMUM_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Maximum number of lines that are not messages; a server that writes more is ended. */
const MAXIMUM_FOREIGN_LINES = 100;
/** Maximum number of notifications in a second; a server that sends more is ended. */
const MAXIMUM_NOTIFICATIONS = 5000;
const SECOND_MS = 1000;
const NEWLINE = 0x0a;

/** Reports of a {@link StdioTransport}. */
export interface StdioReports {
  /**
   * Receives one line of standard error, or of standard output that is not a message.
   * @param line - line without its end
   */
  onLine(line: string): void;
  /**
   * Called before the connection closes on its own: the program ended, or did not keep to the protocol.
   * @param reason - end of a sentence that begins with the server
   */
  onEnd(reason: string): void;
}

/**
 * Connection to a program over its standard streams: one JSON message on each line. It has the properties `stderr` and
 * `pid`, by which the client knows that it need not probe the version with a second process.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: () => Promise<RunningProcess>;
  readonly #reports: StdioReports;
  #process: RunningProcess | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #foreignLines = 0;
  #notifications = { since: 0, count: 0 };
  /** True when a message could not be written. */
  #isBroken = false;
  #isClosed = false;

  /**
   * @param start - starts the program
   * @param reports - receives what the program writes that is not a message
   */
  constructor(start: () => Promise<RunningProcess>, reports: StdioReports) {
    this.#start = start;
    this.#reports = reports;
  }

  get stderr() {
    return this.#process?.stderr ?? null;
  }

  get pid() {
    return this.#process?.pid ?? null;
  }

  async start(): Promise<void> {
    const process = await this.#start();
    if (this.#isClosed) {
      await process.stop();
      throw new Error("the connection was closed while the program started");
    }
    this.#process = process;
    process.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    readLines(process.stderr, (line) => this.#reports.onLine(line));
    void process.ended.then((end) => {
      if (!this.#isClosed) this.#reports.onEnd(describeEnd(end));
      this.#closed();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const process = this.#process;
    if (process === undefined || this.#isClosed) throw new Error("the program has ended");
    await new Promise<void>((resolve, reject) => {
      process.stdin.write(serializeMessage(message), (error) => {
        if (!error) return resolve();
        this.#isBroken = true;
        reject(error);
      });
    });
  }

  /** Waits a moment for the end of a program that has closed one of its streams, which says more than the stream. */
  async settled(): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    const { stdout, ended } = process;
    if (!stdout.readableEnded && !this.#isBroken) return;
    const end = await Promise.race([ended, setTimeout(SECOND_MS, undefined, { ref: false })]);
    // The client may have closed the connection because of the stream already.
    if (end !== undefined && end.code !== null) this.#reports.onEnd(describeEnd(end));
  }

  async close(): Promise<void> {
    this.#closed();
    await this.#process?.stop();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting = [];
    this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && !this.#isClosed; ) {
      this.#waiting.push(chunk.subarray(from, end));
      const line = Buffer.concat(this.#waiting).toString("utf8");
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#handleLine(line);
      from = end + 1;
      end = chunk.indexOf(NEWLINE, from);
    }
    if (this.#isClosed) return;
    const rest = chunk.subarray(from);
    this.#waiting.push(rest);
    this.#waitingBytes += rest.byteLength;
    if (this.#waitingBytes > MAXIMUM_MESSAGE_BYTES) {
      this.#violate(`sent a message of more than ${MAXIMUM_MESSAGE_BYTES} bytes`);
    }
  }

  #handleLine(line: string): void {
    if (line.trim() === "") return;
    const messages = messagesOf(line);
    if (messages === undefined) {
      this.#foreignLines += 1;
      if (this.#foreignLines > MAXIMUM_FOREIGN_LINES) {
        this.#violate("writes text that is not a JSON-RPC message to its standard output");
      } else this.#reports.onLine(line);
      return;
    }
    for (const message of messages) {
      if ("method" in message && !("id" in message) && this.#isFlood()) {
        this.#violate(`sent more than ${MAXIMUM_NOTIFICATIONS} notifications in a second`);
        return;
      }
      this.onmessage?.(message);
    }
  }

  #isFlood(): boolean {
    const now = performance.now();
    if (now - this.#notifications.since > SECOND_MS) this.#notifications = { since: now, count: 0 };
    this.#notifications.count += 1;
    return this.#notifications.count > MAXIMUM_NOTIFICATIONS;
  }

  #violate(reason: string): void {
    this.#reports.onEnd(reason);
    const process = this.#process;
    // Calls fail at once; the program gets its time to end.
    this.#closed();
    void process?.stop(0);
  }
}

function describeEnd({ code, signal }: ProcessEnd): string {
  return code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`;
}

/** A server of protocol version 2025-03-26 may send several messages in one list. */
function messagesOf(line: string): readonly JSONRPCMessage[] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return (Array.isArray(value) ? value : [value]).map((each) => parseJSONRPCMessage(each));
  } catch {
    return undefined;
  }
}

/** Longest line of standard error that is kept, in characters. */
const MAXIMUM_LINE = 2000;

function readLines(stream: RunningProcess["stderr"], onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = startOfText(lines.pop() ?? "", MAXIMUM_LINE);
    for (const line of lines) if (line.trim() !== "") onLine(startOfText(line, MAXIMUM_LINE));
  });
  stream.on("end", () => {
    if (rest.trim() !== "") onLine(rest);
  });
}
