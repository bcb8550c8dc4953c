// Measures turns of one product in its own process: one turn with persisted history and a model that answers at once.
// The last line of the output is the result as JSON.
const SESSIONS = 20;
const WARM_UP_TURNS = 100;
const SINGLE_TURNS = 300;
const CROWD_TURNS = 400;
const CALLERS = 8;
const LONG_TURNS = 50;

export const QUESTION = "A question of some words?";
export const ANSWER = "An answer of some words.";

/**
 * Measures a product and prints the result.
 * @param ask - runs one turn of a session; resolves with the text of the answer
 */
export async function measure(ask) {
  const turn = async (session) => {
    const answer = await ask(session);
    if (answer !== ANSWER) throw new Error(`expected the answer, got ${JSON.stringify(answer)}`);
  };
  const crowd = async (name, count) => {
    const cpu = process.cpuUsage();
    const { seconds } = await load(count, CALLERS, (index) => turn(`${name}-${index % SESSIONS}`));
    const { user, system } = process.cpuUsage(cpu);
    return { rate: count / seconds, cpuMs: (user + system) / 1000 / count };
  };
  await crowd("warm-up", WARM_UP_TURNS);
  const { times } = await load(SINGLE_TURNS, 1, (index) => turn(`single-${index % SESSIONS}`));
  const p50 = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
  const short = await crowd("crowd", CROWD_TURNS);
  // Each session then holds 50 turns.
  const filled = LONG_TURNS * SESSIONS - CROWD_TURNS;
  await crowd("crowd", filled);
  const long = await crowd("crowd", CROWD_TURNS);
  console.log(
    JSON.stringify({ p50, short, long, n: { single: SINGLE_TURNS, crowd: CROWD_TURNS } }),
  );
  process.exit(0);
}

/** Lets callers run one turn after another. */
async function load(count, callers, run) {
  const times = [];
  let next = 0;
  const begun = performance.now();
  const caller = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const asked = performance.now();
      await run(index);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { times, seconds: (performance.now() - begun) / 1000 };
}
