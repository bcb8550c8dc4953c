// Memory that the runner retains after its work. Needs --expose-gc.
const { createHookRunner } = await import("../dist/index.js");

const DISPATCHES = 1_000_000;
const CYCLES = 1_000;
const event = { toolName: "read", params: { path: "notes.md", depth: 2 } };
const context = { agentId: "main", sessionKey: "agent:main:main" };

function createRunner() {
  return createHookRunner(
    {
      check: {
        kind: "decide",
        deadlineMs: 1_000,
        failure: "open",
        merge: { params: "last", block: "any" },
        terminal: { field: "block", value: true },
      },
    },
    { onDiagnostic() {} },
  );
}

/** Bytes in use, at the least: what is garbage may take a few rounds to be found. */
async function heap() {
  let least = Infinity;
  for (let round = 0; round < 6; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

async function retained(warmUp, count, once) {
  for (let index = 0; index < warmUp; index += 1) await once(index);
  const before = await heap();
  for (let index = 0; index < count; index += 1) await once(index);
  return ((await heap()) - before) / 1024;
}

function report(bench, value, goal, n) {
  const metric = "retained";
  const line = { package: "hook-runner", bench, metric, value, unit: "KiB", n, goal };
  console.log(JSON.stringify({ ...line, better: "lower" }));
}

const busy = createRunner();
for (const owner of ["a", "b", "c"]) {
  busy.register({
    name: "check",
    owner,
    source: owner,
    handler: async ({ params }) => ({ params }),
  });
}
const dispatching = await retained(200_000, DISPATCHES, () => busy.decide("check", event, context));
report("1 million dispatches of 3 handlers", dispatching, 64, DISPATCHES);

const reloaded = createRunner();
const cycling = await retained(50, CYCLES, async (cycle) => {
  const registered = Array.from({ length: 20 }, (_, index) =>
    reloaded.register({
      name: "check",
      owner: "plugin",
      source: "plugin.js",
      priority: index,
      handler: async () => void cycle,
    }),
  );
  await reloaded.decide("check", event, context);
  for (const unregister of registered) unregister();
});
report("register and unregister 20 handlers", cycling, 1024, CYCLES);
