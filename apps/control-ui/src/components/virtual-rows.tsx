import type { RefObject } from "preact";
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useRowWindow } from "./row-window.js";

/** Rows below the screen from which the end is near. */
const NEAR_END = 30;
/** Height of the head in pixels. */
const HEAD = 30;

/** Column of a list. */
export interface Column {
  readonly name: string;
  readonly class?: string | undefined;
  /** True when only screen readers get the name. */
  readonly isHidden?: boolean | undefined;
}

/** Properties of {@link VirtualRows}. */
interface VirtualRowsProps<Item> {
  readonly class: string;
  readonly label: string;
  readonly items: readonly Item[];
  /** Number of all items, where the rest is read when the end is near. */
  readonly total?: number | undefined;
  readonly columns: readonly Column[];
  keyOf(item: Item): string;
  /** Renders the cells of a row; every row of a list has the same height. */
  row(item: Item): ComponentChildren;
  /** True for a row that is selected. */
  isSelected?(item: Item): boolean;
  /** Key of the row with the cursor, which is kept on the screen. */
  readonly cursor?: string | undefined;
  /** Called when the end of the list is near. */
  onEnd?(): void;
  /** Called when the beginning of the list is near. */
  onStart?(): void;
  /** Makes it a list that grows at its end, and stays there while the end is on the screen. */
  readonly tail?: Tail | undefined;
}

/** List that grows at its end. */
interface Tail {
  /** Number of rows before the first one, from a fixed point, so that rows that are added or dropped there move nothing. */
  readonly base: number;
  /** Called when the end comes to the screen, or leaves it. */
  onEnd(isThere: boolean): void;
  /** Receives a function that goes to the end. */
  readonly toEnd: RefObject<(() => void) | undefined>;
}

/** List with a head. Of a long one, only the rows on the screen are in the document (UI-004). */
export function VirtualRows<Item>({
  class: name,
  label,
  items,
  total = items.length,
  columns,
  keyOf,
  row,
  isSelected,
  cursor,
  onEnd,
  onStart,
  tail,
}: VirtualRowsProps<Item>) {
  const page = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const end = useRef(onEnd);
  end.current = onEnd;
  const start = useRef(onStart);
  start.current = onStart;
  const follow = useRef(tail);
  follow.current = tail;
  const isAtEnd = useRef(true);
  const { from, to, height, look } = useRowWindow(page, body, items.length, (place) => {
    const { above, below, height: measured } = place;
    if (below < NEAR_END * measured) end.current?.();
    if (above < NEAR_END * measured) start.current?.();
    if (follow.current !== undefined && isAtEnd.current !== below < measured) {
      isAtEnd.current = below < measured;
      follow.current.onEnd(isAtEnd.current);
    }
  });
  useEffect(() => {
    const element = page.current;
    const index = items.findIndex((item) => keyOf(item) === cursor);
    if (element === null || index < 0) return;
    const top = index * height;
    const room = element.clientHeight - HEAD - height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + room) element.scrollTop = top - room;
  }, [cursor]);
  const shown = items.slice(from, to);
  const after = items.length - to;
  const base = useRef(tail?.base ?? 0);
  useLayoutEffect(() => {
    const element = page.current;
    if (element === null || tail === undefined) return;
    const moved = (tail.base - base.current) * height;
    base.current = tail.base;
    const toEnd = () => {
      element.scrollTop = element.scrollHeight;
      look.current?.();
    };
    tail.toEnd.current = toEnd;
    if (isAtEnd.current) toEnd();
    else if (moved !== 0) element.scrollTop -= moved;
  }, [tail?.base, items.length, height, after]);
  return (
    <div class="page" ref={page}>
      <div class={`rows ${name}`} role="table" aria-label={label} aria-rowcount={total + 1}>
        <div class="row head" role="row">
          {columns.map((column) => (
            <span key={column.name} role="columnheader" class={column.class}>
              {column.isHidden === true ? <span class="vh">{column.name}</span> : column.name}
            </span>
          ))}
        </div>
        <div ref={body} role="rowgroup">
          {shown.map((item, index) => (
            <div
              class="row act"
              role="row"
              aria-rowindex={from + index + 2}
              key={keyOf(item)}
              data-selected={isSelected?.(item) === true ? "" : undefined}
              data-focus={cursor !== undefined && keyOf(item) === cursor ? "" : undefined}
            >
              <Fragment>{row(item)}</Fragment>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
