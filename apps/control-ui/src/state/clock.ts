import { signal } from "@preact/signals";

const TICK_MS = 1000;

/** Time of the page in milliseconds since the epoch, once a second while the tab is visible. */
export const now = signal(Date.now());

let timer: ReturnType<typeof setInterval> | undefined;

/** Runs the clock while the tab is visible. */
export function startClock(): void {
  document.addEventListener("visibilitychange", follow);
  follow();
}

function follow(): void {
  clearInterval(timer);
  timer = undefined;
  if (document.visibilityState === "hidden") return;
  now.value = Date.now();
  timer = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
}
