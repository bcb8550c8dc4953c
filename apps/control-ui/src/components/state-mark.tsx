/** State as the console draws it: each has its own shape and colour. */
export type MarkState =
  | "waiting"
  | "approval"
  | "running"
  | "done"
  | "failed"
  | "blocked"
  | "stuck"
  | "interrupted";

/** Words of the gateway by the state that they are drawn as. */
const WORDS: Readonly<Record<string, MarkState>> = {
  queued: "waiting",
  pending: "approval",
  awaiting_approval: "approval",
  running: "running",
  in_progress: "running",
  submitted: "done",
  accepted: "done",
  attention: "approval",
  skipped: "interrupted",
  missed: "interrupted",
  completed: "done",
  ok: "done",
  connected: "done",
  loaded: "done",
  "allowed-once": "done",
  "allowed-always": "done",
  failed: "failed",
  error: "failed",
  denied: "blocked",
  refused: "blocked",
  withheld: "blocked",
  blocked: "blocked",
  stuck: "stuck",
  degraded: "stuck",
  interrupted: "interrupted",
  cancelled: "interrupted",
  "timed-out": "interrupted",
  disabled: "interrupted",
};

/**
 * Returns the state that a word of the gateway is drawn as; an unknown one waits.
 * @param word - word of the gateway
 */
export function markOf(word: string): MarkState {
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? "waiting") : "waiting";
}

/** Shape and colour of a state, with its word for screen readers. */
export function StateMark({ state, label }: { state: MarkState; label: string }) {
  return <span class="st" data-s={state} role="img" aria-label={label} />;
}
