import type { ReadonlySignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import type { IconName } from "../components/icons.js";

/** View that one can go to. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** Path for the router; the paths below the place are its too. */
  readonly route: string;
  readonly view: FunctionComponent;
  /** Second key after `g`. */
  readonly key: string;
  readonly icon: IconName;
  /** Heading of the rail below which it is listed; without one it is on top, and in the bar of narrow screens. */
  readonly group?: PlaceGroup | undefined;
  /** Number next to the name, with the state that it counts. */
  readonly count?: ReadonlySignal<{ readonly number: number; readonly state: string }> | undefined;
}

/** Headings of the rail, in their order. */
export const PLACE_GROUPS = ["work", "agents", "control", "system"] as const;

/** Heading of the rail. */
export type PlaceGroup = (typeof PLACE_GROUPS)[number];

/**
 * Returns true when a path belongs to a place.
 * @param place - view
 * @param path - path of the page
 */
export function isAt({ path: own }: Pick<Place, "path">, path: string): boolean {
  return own === "/" ? path === "/" : path === own || path.startsWith(`${own}/`);
}
