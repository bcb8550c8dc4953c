import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Number of rows from which only those on the screen are in the document. */
const FROM = 200;
/** Rows above and below the screen that are in the document. */
const OVERSCAN = 12;

/** Place of the screen in a list, in pixels. */
interface Place {
  /** Part of the list above the screen. */
  readonly above: number;
  /** Part of the list below the screen. */
  readonly below: number;
  /** Height of a row. */
  readonly height: number;
}

/** Rows of a list that are in the document. */
interface RowWindow {
  /** Position of the first one. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
  /** Height of a row in pixels. */
  readonly height: number;
  /** Measures the list again. */
  readonly look: RefObject<() => void>;
}

/**
 * Returns the rows of a list that are in the document: of a long one, those on the screen (UI-004). The space of the
 * others is padding of the element with the rows, of which each has the class `row` and the same height.
 * @param page - element that scrolls
 * @param body - element with the rows
 * @param onPlace - called when the list was scrolled, or has another size
 */
export function useRowWindow(
  page: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  count: number,
  onPlace: (place: Place) => void,
): RowWindow {
  const [height, setHeight] = useState(37);
  const [range, setRange] = useState({ from: 0, to: FROM });
  const isLong = count > FROM;
  const placed = useRef(onPlace);
  placed.current = onPlace;
  const look = useRef<() => void>(() => {});
  useEffect(() => {
    const element = page.current;
    if (element === null) return undefined;
    let frame = 0;
    const measure = () => {
      frame = 0;
      const first = body.current?.querySelector<HTMLElement>(".row");
      const measured = first?.offsetHeight ?? 37;
      setHeight(measured);
      const from = Math.max(0, Math.floor(element.scrollTop / measured) - OVERSCAN);
      const visible = Math.ceil(element.clientHeight / measured);
      setRange({ from, to: from + visible + 2 * OVERSCAN });
      placed.current({
        above: element.scrollTop,
        below: element.scrollHeight - element.scrollTop - element.clientHeight,
        height: measured,
      });
    };
    look.current = measure;
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    const observer = new ResizeObserver(onScroll);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [isLong]);
  const from = isLong ? Math.min(range.from, Math.max(0, count - 1)) : 0;
  const to = isLong ? Math.min(range.to, count) : count;
  const after = count - to;
  useLayoutEffect(() => {
    // The policy forbids style attributes, and allows properties that a script sets.
    body.current?.style.setProperty("padding-block-start", `${from * height}px`);
    body.current?.style.setProperty("padding-block-end", `${after * height}px`);
  }, [from, after, height]);
  return { from, to, height, look };
}
