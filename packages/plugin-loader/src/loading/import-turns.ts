import { withDeadline } from "@openclaw/foundation";

/** Maximum time for which a module with a top-level `await` delays the next one, in milliseconds. */
const LONGEST_TURN_MS = 1000;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Imports plugins one after another, so that it is known which of them changed a built-in object, and no other code
 * runs before that is undone. Node reads and compiles modules one at a time anyway; a plugin that waits for
 * something lets the next one begin.
 * @param work - imports a plugin
 */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = turn.then(() => ({ result: work() }));
  turn = begun.then(({ result }) => withDeadline(LONGEST_TURN_MS, () => result).catch(ignore));
  return (await begun).result;
}

function ignore(): void {}
