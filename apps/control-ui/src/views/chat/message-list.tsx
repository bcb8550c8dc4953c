import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { text } from "./messages.js";

/** Height in pixels that an entry has until it is measured. */
const ESTIMATE = 96;
/** Distance from the end in pixels within which the list follows what is added. */
const NEAR_END = 80;
/** Entries above the first one on the screen from which earlier ones are read. */
const NEAR_START = 10;

/** Entry of the list. */
export interface ListRow {
  readonly key: string;
  readonly content: ComponentChildren;
}

/** Entries of a conversation, of which only those on the screen are in the document; it follows its end (UI-521). */
export function MessageList({
  rows,
  marked,
  onStart,
}: {
  rows: readonly ListRow[];
  /** Key of the entry that a search has found. */
  marked: string | undefined;
  /** Called when the first entries are on the screen. */
  onStart(): void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [list] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        ...{ count: 0, estimateSize: () => ESTIMATE, getScrollElement: () => scroll.current },
        ...{ observeElementRect, observeElementOffset, scrollToFn: elementScroll },
      }),
  );
  const frame = useRef(0);
  list.setOptions({
    ...list.options,
    ...{ count: rows.length, overscan: 6, anchorTo: "end", scrollEndThreshold: NEAR_END },
    followOnAppend: true,
    getItemKey: (index) => rows[index]?.key ?? index,
    onChange: (_list, isSync) => {
      if (isSync) {
        render(undefined);
        return;
      }
      if (frame.current !== 0) return;
      frame.current = requestAnimationFrame(() => {
        frame.current = 0;
        render(undefined);
      });
    },
  });
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const shown = list.getVirtualItems();
  const [first] = shown;
  const before = first?.start ?? 0;
  const after = list.getTotalSize() - (shown.at(-1)?.end ?? 0);
  useLayoutEffect(() => {
    // The policy forbids style attributes, and allows properties that a script sets.
    body.current?.style.setProperty("padding-block-start", `${before}px`);
    body.current?.style.setProperty("padding-block-end", `${Math.max(0, after)}px`);
  });
  const isAtStart = first !== undefined && first.index < NEAR_START;
  useEffect(() => {
    if (isAtStart) onStart();
  }, [isAtStart, rows[0]?.key]);
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === marked);
    if (index >= 0) list.scrollToIndex(index, { align: "center" });
  }, [marked]);
  const distance = list.getTotalSize() - (list.scrollOffset ?? 0) - (list.scrollRect?.height ?? 0);
  return (
    <div class="scroll-area">
      <div
        class="scroll"
        ref={scroll}
        role="log"
        aria-label={text.log}
        aria-live="off"
        tabIndex={0}
      >
        <div ref={body}>
          {shown.map(({ key, index }) => (
            <div
              key={key}
              class="entry"
              data-index={index}
              data-marked={rows[index]?.key === marked ? "" : undefined}
              ref={list.measureElement}
            >
              {rows[index]?.content}
            </div>
          ))}
        </div>
      </div>
      {rows.length > 0 && distance > 2 * NEAR_END && (
        <button
          class="btn small jump"
          type="button"
          onClick={() => list.scrollToIndex(rows.length - 1, { align: "end" })}
        >
          {text.jump}
        </button>
      )}
    </div>
  );
}
