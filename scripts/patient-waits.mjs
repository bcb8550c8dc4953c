// Gives `vi.waitFor` and `vi.waitUntil` of every test the time of a busy machine: without it they give up after a second.
import { vi } from "vitest";

const PATIENCE_MS = 20_000;
/** Marks a function that is patient already: files of one worker share `vi`. */
const IS_PATIENT = Symbol.for("openclaw.patient-wait");

for (const name of ["waitFor", "waitUntil"]) {
  const wait = vi[name];
  if (IS_PATIENT in wait) continue;
  const patient = (check, options = {}) => {
    const given = typeof options === "number" ? { timeout: options } : options;
    return wait(check, { timeout: PATIENCE_MS, ...given });
  };
  vi[name] = Object.assign(patient, { [IS_PATIENT]: true });
}
