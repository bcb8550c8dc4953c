/**
 * Measured cases. `style` is the kind of dispatch, `handlers` their number, and `answers` tells if
 * each is an async function. `goal` is the maximum cost of a dispatch, in floors: the plain loop
 * (`await` for sequential, `Promise.all` for parallel, no `await` for sync) over the same handlers.
 */
export const CASES = [
  { name: "no handlers", style: "sequential", handlers: 0, answers: "at once", goal: 0.9 },
  { name: "1 sync", style: "sequential", handlers: 1, answers: "at once" },
  { name: "1 async", style: "sequential", handlers: 1, answers: "later" },
  { name: "10 sync", style: "sequential", handlers: 10, answers: "at once" },
  { name: "10 async", style: "sequential", handlers: 10, answers: "later" },
  { name: "100 async", style: "sequential", handlers: 100, answers: "later" },
  { name: "10 parallel", style: "parallel", handlers: 10, answers: "later" },
  { name: "sync hook, 10", style: "sync", handlers: 10, answers: "at once" },
];

/** The same dispatch with more features in use; only for the hook runner itself. */
export const VARIANTS = [
  {
    name: "no handlers, 1000 on other hooks",
    style: "sequential",
    handlers: 0,
    answers: "at once",
    elsewhere: 1000,
    goal: 0.9,
  },
  {
    name: "10 async, scoped",
    style: "sequential",
    handlers: 10,
    answers: "later",
    options: { scope: { agentIds: ["main", "helper"] } },
  },
  {
    name: "10 async, reading params",
    style: "sequential",
    handlers: 10,
    answers: "later",
    reads: true,
  },
  {
    name: "10 async, retry and limit",
    style: "sequential",
    handlers: 10,
    answers: "later",
    options: { retry: { count: 2 }, maxConcurrency: 4 },
  },
];

/**
 * The runner in units of a loop that only makes the arguments of each handler: a separate plain event with a hidden `context`,
 * and a plain context (HOOK-037, HOOK-038). What is above 1 is order, deadlines, failure modes, attribution and counters.
 */
export const ISOLATED = [
  ["10 sync", 1],
  ["10 async", 1.1],
  ["100 async", 1.2],
  ["10 parallel", 1.2],
  ["sync hook, 10", 6],
  ["10 async, reading params", 2],
  ["10 async, retry and limit", 1.5],
].map(([name, goal]) => ({
  ...[...CASES, ...VARIANTS].find((each) => each.name === name),
  name: `${name}, to isolation`,
  isolates: true,
  goal,
}));

/** The runner in units of other ways to do it, which give all handlers the same event. */
export const RIVALS = [
  { name: "no handlers, to filter and sort", handlers: 0, against: "filter and sort", goal: 0.5 },
  { name: "10 async, to timer and race", handlers: 10, against: "timer and race", goal: 0.67 },
].map((each) => ({ ...each, style: "sequential", answers: "later" }));

/** Cost of a safeguard: the complete runner, in units of the same runner without it. */
export const SWITCHES = [
  { name: "deadlines on against off", without: "deadlines", goal: 1.05 },
  { name: "tracing unheard against removed", without: "tracing", goal: 1.05 },
].map((each) => ({ ...each, style: "sequential", handlers: 10, answers: "later" }));

/** @throws when no case has the name */
export function caseNamed(name) {
  const found = [...CASES, ...VARIANTS, ...ISOLATED, ...RIVALS, ...SWITCHES].find(
    (each) => each.name === name,
  );
  if (found === undefined) throw new Error(`There is no case "${name}" in bench/cases.mjs.`);
  return found;
}
