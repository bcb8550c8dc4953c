import { computed, signal } from "@preact/signals";
import { type FailureCause, failures } from "../../state/runs.js";
import { toast } from "../../state/toast.js";
import { text } from "./messages.js";

/** Key of the causes that were seen, in the storage of the browser. */
const STORED = "openclaw.seen-failures";

/** Time of the newest run of each cause that a person has seen, by cause. */
const seen = signal<Readonly<Record<string, number>>>(stored());

/** Causes of failures with a run that was not seen. */
export const unseenFailures = computed(() =>
  failures.value.filter((cause) => timeOf(cause) > (seen.value[keyOf(cause)] ?? 0)),
);

/** Marks failures as seen in this browser, until a further run fails for their cause. */
export function markSeen(causes: readonly FailureCause[]): void {
  const before = seen.value;
  const present = new Set(failures.value.map(keyOf));
  const kept = Object.entries(before).filter(([key]) => present.has(key));
  const added = causes.map((cause) => [keyOf(cause), timeOf(cause)] as const);
  keep(Object.fromEntries([...kept, ...added]));
  toast.value = {
    text: text.markedSeen(causes.length),
    undo: () => {
      keep(before);
      toast.value = undefined;
    },
  };
}

function keyOf({ state, code, stage }: FailureCause): string {
  return JSON.stringify([state, code, stage]);
}

function timeOf({ last }: FailureCause): number {
  return last.endedAt ?? last.queuedAt;
}

function keep(value: Readonly<Record<string, number>>): void {
  seen.value = value;
  try {
    localStorage.setItem(STORED, JSON.stringify(value));
  } catch {
    // Without storage the marks end with the page.
  }
}

function stored(): Readonly<Record<string, number>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    );
  } catch {
    return {};
  }
}
