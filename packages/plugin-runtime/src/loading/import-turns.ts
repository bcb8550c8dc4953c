import { withDeadline } from "@openclaw/foundation";

/** How long a module with a top-level `await` keeps the next one waiting, in milliseconds. */
const LONGEST_TURN_MS = 1000;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Evaluates modules of plugins one after another, so that it is known which of them changed a built-in object. Node
 * reads and compiles modules one at a time anyway; one that waits for something lets the next one begin.
 * @param evaluate - imports a module
 */
export async function inTurn<Result>(evaluate: () => Promise<Result>): Promise<Result> {
  const begun = turn.then(() => ({ result: evaluate() }));
  turn = begun.then(({ result }) => withDeadline(LONGEST_TURN_MS, () => result).catch(ignore));
  return (await begun).result;
}

function ignore(): void {}
