import type { ReplyView, ToolView } from "@openclaw/client/conversation";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Item, Part, ReplyItem, TextPart } from "./item.js";
import {
  completed,
  emptyReply,
  type History,
  messageKey,
  replyKey,
  storedItems,
  toolPart,
} from "./stored-items.js";

/** Least time in milliseconds between two states of a text that streams: the eye sees no more of them. */
const STREAM_MS = 80;

/** Turn of an entry that streams. */
interface Ids {
  readonly runId?: string | undefined;
  readonly messageId?: string | undefined;
}

/** Conversation on the page: what the gateway has stored, and what streams. */
export class ConversationLog {
  readonly #items = signal<readonly Item[]>([]);
  /** First position that was read. */
  #firstSeq: number | undefined;
  #count = 0;

  /** Entries, oldest first. */
  get items(): ReadonlySignal<readonly Item[]> {
    return this.#items;
  }

  /** First position of the conversation that was read. */
  get firstSeq(): number | undefined {
    return this.#firstSeq;
  }

  /**
   * Adds a message of a person.
   * @param text - message
   * @param isForeign - true for another client
   * @param ids - message, where it is known
   */
  message(text: string, isForeign: boolean, { messageId }: Ids): void {
    const key = messageId === undefined ? this.#newKey() : messageKey(messageId);
    // The history may have it already.
    if (this.#items.value.some((item) => item.key === key)) return;
    this.#add({ kind: "message", key, text, isForeign, at: Date.now() });
  }

  /**
   * Adds a reply, or continues the one that the history has.
   * @param ids - turn, where it is known
   */
  reply({ runId }: Ids): { readonly item: ReplyItem; readonly view: ReplyView } {
    const known = this.#items.value.findLast(
      (item): item is ReplyItem => item.kind === "reply" && item.runId === runId,
    );
    const item =
      runId === undefined || known === undefined
        ? emptyReply(runId === undefined ? this.#newKey() : replyKey(runId), runId, Date.now())
        : known;
    item.problem.value = undefined;
    if (item !== known) this.#add(item);
    return { item, view: this.#viewOf(item) };
  }

  /**
   * Adds a line.
   * @param text - plain text
   * @param tone - importance
   */
  note(text: string, tone: "info" | "error"): void {
    this.#add({ kind: "note", key: this.#newKey(), text, isError: tone === "error" });
  }

  /**
   * Replaces what was read by the newest page of the history; earlier pages stay.
   * @param history - newest page
   * @param open - turns that stream into this page
   */
  refresh(history: History, open: ReadonlySet<string>): void {
    const stored = storedItems(history);
    const from = history.messages[0]?.seq;
    const known = new Map(this.#items.value.map((item) => [item.key, item] as const));
    const texts = new Set(
      stored.flatMap((item) => (item.kind === "reply" ? [item.problem.value?.text] : [])),
    );
    const keys = new Set(stored.map(({ key }) => key));
    const earlier = this.#earlierThan(from).filter(({ key }) => !keys.has(key));
    const merged = stored.map((item, index) => {
      const live = known.get(item.key);
      if (item.kind === "reply" && live?.kind === "reply") {
        // The page may begin in the middle of the first reply.
        const isWhole = index > 0 || earlier.length === 0;
        return open.has(item.runId ?? "") || !isWhole ? live : completed(item, live);
      }
      if (item.kind === "message" && live?.kind === "message")
        return { ...item, isForeign: live.isForeign };
      return item;
    });
    if (this.#firstSeq === undefined || earlier.length === 0) this.#firstSeq = from;
    const isKeptReply = (item: Item | undefined) =>
      // An answer of a command has no turn, and the gateway does not store it.
      item?.kind === "reply" && (item.runId === undefined || open.has(item.runId));
    const isKept = (item: Item, next: Item | undefined) =>
      isKeptReply(item) ||
      (item.kind === "message" && isKeptReply(next)) ||
      (item.kind === "note" && !texts.has(item.text));
    this.#items.value = inPlaces(this.#items.value, [...earlier, ...merged], isKept);
  }

  /**
   * Adds an earlier page of the history.
   * @param history - page before the first position
   */
  prepend(history: History): void {
    const known = new Map(this.#items.value.map((item) => [item.key, item] as const));
    const added: Item[] = [];
    for (const item of storedItems(history)) {
      const later = known.get(item.key);
      if (later === undefined) {
        added.push(item);
      } else if (item.kind === "reply" && later.kind === "reply") {
        // The pages divide the reply.
        later.parts.value = [...item.parts.value, ...later.parts.value];
      }
    }
    this.#firstSeq = history.messages[0]?.seq ?? this.#firstSeq;
    this.#items.value = [...added, ...this.#items.value];
  }

  /** Entries of pages before a position. */
  #earlierThan(seq: number | undefined): readonly Item[] {
    const first = this.#items.value.findIndex(
      (item) =>
        item.kind === "message" && item.seq !== undefined && seq !== undefined && item.seq >= seq,
    );
    if (this.#firstSeq === undefined || seq === undefined || this.#firstSeq >= seq) return [];
    return this.#items.value.slice(0, Math.max(0, first));
  }

  #viewOf(item: ReplyItem): ReplyView {
    const add = (part: Part) => {
      item.parts.value = [...item.parts.value, part];
    };
    let last: TextPart | undefined;
    let waiting: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const flush = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      timer = undefined;
      if (last !== undefined && waiting !== undefined) last.markdown.value = waiting;
      waiting = undefined;
    };
    return {
      startText(markdown) {
        flush();
        const before = item.parts.value.at(-1);
        if (before?.kind === "text" && before.markdown.peek() === markdown) {
          // The history was read before the answer came.
          last = before;
          return;
        }
        const id = `t${item.parts.value.length}`;
        last = { kind: "text", id, markdown: signal(markdown) };
        add(last);
      },
      setText(markdown) {
        waiting = markdown;
        // A frame that takes longer than that has one state too (UI-006).
        timer ??= setTimeout(() => {
          frame = requestAnimationFrame(flush);
        }, STREAM_MS);
      },
      tool(name, params, toolCallId): ToolView {
        flush();
        const known = item.parts.value.find(
          (part) => part.kind === "tool" && part.id === toolCallId,
        );
        const part = known?.kind === "tool" ? known : toolPart(toolCallId, name, params);
        if (part !== known) add(part);
        const { state } = part;
        if (state.value.status === "waiting") state.value = { ...state.value, status: "running" };
        return {
          output(output) {
            state.value = { ...state.value, output };
          },
          finish({ isOk, preview, failure, ...result }) {
            const status = failure ?? (isOk ? "ok" : "failed");
            const output = state.value.output === "" ? preview : state.value.output;
            state.value = { ...result, status, output };
          },
        };
      },
    };
  }

  #add(item: Item): void {
    this.#items.value = [...this.#items.value, item];
  }

  #newKey(): string {
    this.#count += 1;
    return `l${this.#count}`;
  }
}

/**
 * Puts entries of a list that another one does not have into it, each after the entry that it followed.
 * @param other - list that takes them
 * @param isTaken - returns true for an entry to take; it gets the following one as well
 */
function inPlaces(
  list: readonly Item[],
  other: readonly Item[],
  isTaken: (item: Item, next: Item | undefined) => boolean,
): readonly Item[] {
  const result = [...other];
  const positions = new Set(other.map(({ key }) => key));
  let before: string | undefined;
  for (const [index, item] of list.entries()) {
    if (positions.has(item.key)) {
      before = item.key;
    } else if (isTaken(item, list[index + 1])) {
      const key = before;
      const position = result.findLastIndex((each) => each.key === key);
      result.splice(position + 1, 0, item);
      positions.add(item.key);
      before = item.key;
    }
  }
  return result;
}
