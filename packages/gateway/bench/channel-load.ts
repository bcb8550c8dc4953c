// The load of the benchmark of channels, which its test uses with fewer messages. It is TypeScript, so that the check of
// types finds options that it no longer gives right; Node runs the file as it is.
import { setTimeout as wait } from "node:timers/promises";
import type { ModelProvider, PluginDefinition } from "@openclaw/plugin-sdk";
import {
  type Channel,
  type ChannelContext,
  defineChannelPluginEntry,
  type IncomingMessage,
  type OutgoingResponse,
} from "@openclaw/plugin-sdk/channel-core";
import { benchProvider, textParts } from "./bench-provider.ts";

/** Interval at which messages that are due are written, in milliseconds. */
const TICK_MS = 5;
/** Characters of one message of a channel; some replies are longer. */
const TEXT_LIMIT = 400;
const TAG = /#(\d+):(\d+)#/g;

/** Fault of the last channel during a phase. */
export type Fault = "none" | "hangs" | "floods";

/** Amount of messages. */
export interface LoadOptions {
  readonly sessions: number;
  /** Number of messages of earlier loads of the same host. */
  readonly earlier: number;
  /** Messages of all channels in a second, without those of a flood. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly fault: Fault;
}

/** Counts of the messages of a phase; those of a channel with a fault do not count. */
export interface LoadResult {
  readonly sent: number;
  readonly lost: number;
  readonly repeated: number;
  readonly disordered: number;
  /** Milliseconds from each message to its reply, in ascending order. */
  readonly latencies: readonly number[];
}

/** One conversation of a channel, with what was written and answered. */
interface Session {
  readonly number: number;
  readonly channel: LoadedChannel;
  written: number;
  answered: number[];
}

/** A channel in memory whose messages a load writes. */
export class LoadedChannel implements Channel {
  readonly name: string;
  readonly capabilities = { textLimit: TEXT_LIMIT };
  fault: Fault = "none";
  /** Called with each reply. */
  onReply: (text: string) => void = () => undefined;
  readonly #waiting: IncomingMessage[] = [];
  #wake: () => void = () => undefined;
  #flood = 0;
  /** Settles at the end of the fault. */
  #ended = pending();

  /** @param name - name of the channel */
  constructor(name: string) {
    this.name = name;
  }

  /** Returns a plugin that registers the channel. */
  asPlugin(): PluginDefinition {
    return defineChannelPluginEntry({ id: `${this.name}-channel`, plugin: this as Channel });
  }

  /**
   * Writes a message.
   * @param message - the message
   */
  write(message: IncomingMessage): void {
    this.#waiting.push(message);
    this.#wake();
  }

  /**
   * Sets the fault of the channel.
   * @param fault - from now on
   */
  set(fault: Fault): void {
    this.fault = fault;
    this.#ended.resolve();
    this.#ended = pending();
    this.#wake();
  }

  async *start({ signal, connected }: ChannelContext): AsyncGenerator<IncomingMessage> {
    connected();
    signal.addEventListener("abort", () => this.#wake());
    while (!signal.aborted) {
      const next = this.#waiting.shift() ?? this.#spam();
      if (next !== undefined) yield next;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async respond(_message: IncomingMessage, { content }: OutgoingResponse): Promise<void> {
    if (this.fault === "hangs") await this.#ended.promise;
    this.onReply(content);
  }

  #spam(): IncomingMessage | undefined {
    if (this.fault !== "floods") return undefined;
    this.#flood += 1;
    return incoming(this.name, "spammer", `spam-${this.#flood}`, "spam");
  }
}

function pending(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

/** Returns a provider whose model repeats what was written since its last reply. */
export function echoProvider(): ModelProvider {
  return benchProvider("echo", (prompt) => {
    const last = prompt.findLastIndex(({ role }) => role === "assistant");
    const written = prompt.slice(last + 1).filter(({ role }) => role === "user");
    return textParts(tagsIn(JSON.stringify(written)));
  });
}

/** The reply has each tag once; a long one is divided by the host. */
function tagsIn(text: string): string {
  const tags = text.match(TAG) ?? [];
  const isLong = text.includes("long");
  return tags.map((tag) => `${tag}${isLong ? " word".repeat(TEXT_LIMIT / 3) : ""}`).join(" ");
}

/**
 * Writes messages to channels for a time, and waits for their replies. Of each twenty, one is a command, one is sent
 * twice, one has a reply in several chunks, and the others are short; the first channel is a room with threads.
 * @param channels - channels of a running host; the last one has the fault
 * @param options - amount and fault
 */
export async function runChannelLoad(
  channels: readonly LoadedChannel[],
  { sessions: count, earlier, perSecond, seconds, fault }: LoadOptions,
): Promise<LoadResult> {
  const faulty = channels.at(-1);
  const latencies: number[] = [];
  const begun = new Map<string, number>();
  /** Tags of the messages of this load. */
  const tags = new Set<string>();
  const sessions: Session[] = [];
  for (let number = 0; number < count; number += 1) {
    const channel = channels[number % channels.length];
    if (channel !== undefined) sessions.push({ number, channel, written: 0, answered: [] });
  }
  for (const channel of channels) {
    channel.onReply = (text) => {
      for (const [tag, session, message] of text.matchAll(TAG)) {
        // The channel with a fault may answer messages of an earlier load now.
        if (!tags.has(tag)) continue;
        sessions[Number(session)]?.answered.push(Number(message));
        const at = begun.get(tag);
        if (at !== undefined && (fault === "none" || channel !== faulty)) {
          latencies.push(performance.now() - at);
        }
        begun.delete(tag);
      }
    };
  }
  faulty?.set(fault);
  const total = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  for (let written = 0; written < total; ) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond);
    for (; written < due; written += 1) {
      const number = earlier + written;
      writeMixed(sessions[number % count], number, { begun, tags });
    }
    await wait(TICK_MS);
  }
  const counted = sessions.filter(({ channel }) => fault === "none" || channel !== faulty);
  const isDone = () => counted.every(({ written, answered }) => answered.length >= written);
  for (let waited = 0; waited < 1000 && !isDone(); waited += 1) await wait(10);
  faulty?.set("none");
  const sum = (of: (session: Session) => number) =>
    counted.reduce((total, session) => total + of(session), 0);
  return {
    sent: sum(({ written }) => written),
    lost: sum(({ written, answered }) => written - new Set(answered).size),
    repeated: sum(({ answered }) => answered.length - new Set(answered).size),
    disordered: sum(
      ({ answered }) =>
        answered.filter((message, index) => message < (answered[index - 1] ?? -1)).length,
    ),
    latencies: latencies.sort((one, other) => one - other),
  };
}

function writeMixed(
  session: Session | undefined,
  number: number,
  { begun, tags }: { readonly begun: Map<string, number>; readonly tags: Set<string> },
): void {
  if (session === undefined) return;
  const { channel } = session;
  const userId = `user-${session.number}`;
  const kind = number % 20;
  const inRoom = channel.name.endsWith("-0");
  const write = (externalId: string, text: string) =>
    channel.write(incoming(channel.name, userId, externalId, text, inRoom));
  if (kind === 0) write(`${userId}-command-${number}`, "/ping");
  const tag = `#${session.number}:${session.written}#`;
  session.written += 1;
  tags.add(tag);
  begun.set(tag, performance.now());
  const text = kind === 1 ? `${tag} long` : tag;
  write(`${userId}-${number}`, text);
  if (kind === 2) write(`${userId}-${number}`, text);
}

function incoming(
  channel: string,
  userId: string,
  externalId: string,
  content: string,
  inRoom = false,
): IncomingMessage {
  const room = { kind: "channel", id: "room" } as const;
  return {
    ...{ id: crypto.randomUUID(), channel, userId, content, externalId, receivedAt: new Date() },
    ...(inRoom ? { room, threadId: userId, isMention: true } : {}),
  };
}
