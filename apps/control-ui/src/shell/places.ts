import { computed, type ReadonlySignal } from "@preact/signals";
import type { IconName } from "../components/icons.js";
import { waiting } from "../state/approvals.js";
import { openRuns } from "../state/runs.js";

/** View that one can go to. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** Second key after `g`. */
  readonly key: string;
  readonly icon: IconName;
  /** Number next to the name, with the state that it counts. */
  readonly count?: ReadonlySignal<{ readonly number: number; readonly state: string }>;
}

const approvals = computed(() => ({ number: waiting.value.length, state: "approval" }));
const running = computed(() => ({
  number: openRuns.value?.filter(({ state }) => state === "running").length ?? 0,
  state: "running",
}));

/** Views of the console, in the order of the rail. */
export const PLACES: readonly Place[] = [
  { name: "Now", path: "/", key: "n", icon: "now" },
  { name: "Approvals", path: "/approvals", key: "a", icon: "approvals", count: approvals },
  { name: "Sessions", path: "/sessions", key: "s", icon: "sessions", count: running },
];

/**
 * Returns true when a path belongs to a place.
 * @param place - view
 * @param path - path of the page
 */
export function isAt({ path: own }: Place, path: string): boolean {
  return own === "/" ? path === "/" : path === own || path.startsWith(`${own}/`);
}
