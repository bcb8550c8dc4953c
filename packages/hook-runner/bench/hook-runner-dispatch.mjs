import { createHandlers } from "./handlers.mjs";

const DEFINITIONS = {
  sequential: {
    kind: "decide",
    deadlineMs: 5_000,
    failure: "closed",
    merge: { params: "last", block: "any", blockReason: "last" },
    terminal: { field: "block", value: true },
    deny: ({ reason }) => ({ block: true, blockReason: reason }),
    isolate: { params: "copy" },
    hasTool: true,
  },
  parallel: { kind: "observe", deadlineMs: 5_000, failure: "open" },
  sync: {
    kind: "sync",
    failure: "open",
    merge: { message: "last", block: "any" },
    terminal: { field: "block", value: true },
  },
};

/** Edits that remove one safeguard from a runner's internals. */
const REMOVALS = {
  deadlines({ deadlines }) {
    const list = Object.getPrototypeOf(deadlines);
    list.add = () => {};
    list.remove = () => {};
    list.deadlineIn = () => 0;
  },
  tracing({ recorder }) {
    Object.getPrototypeOf(recorder).open = ({ counters }) => {
      counters.dispatched += 1;
      return null;
    };
  },
};

const BUILT = new URL("../dist/index.js", import.meta.url).href;

/**
 * Returns a dispatch of the built package, unless another `entry` is given. `without` names a
 * safeguard to remove, in a separate copy.
 */
export async function createHookRunnerDispatch(each, { entry = BUILT, without } = {}) {
  const copy = without === undefined ? "" : `?without=${without}`;
  const { createHookRunner } = await import(`${entry}${copy}`);
  const definitions = { check: DEFINITIONS[each.style] };
  for (let index = 0; index < 20; index += 1) definitions[`other${index}`] = DEFINITIONS.sequential;
  const runner = createHookRunner(definitions, { onDiagnostic });
  // Not part of the public surface; the switches are there to show what each safeguard costs.
  if (without !== undefined) REMOVALS[without](runner.engine);

  runner.transaction(() => {
    for (const [index, handler] of createHandlers(each.handlers, each).entries()) {
      register(runner, "check", index, handler, each.options);
    }
    for (let index = 0; index < (each.elsewhere ?? 0); index += 1) {
      register(runner, `other${index % 20}`, index, () => {});
    }
  });
  const dispatches = {
    sequential: (event, context) => runner.decide("check", event, context),
    parallel: (event, context) => runner.observe("check", event, context),
    sync: (event, context) => runner.sync("check", event, context),
  };
  return dispatches[each.style];
}

function register(runner, name, index, handler, options) {
  runner.register({
    name,
    handler,
    owner: `plugin${index}`,
    source: `plugin${index}.js`,
    priority: -index,
    ...options,
  });
}

/**
 * On a busy machine any handler may seem slow; any other diagnostic is an error of the benchmark.
 */
function onDiagnostic({ code, message }) {
  if (code !== "slow-sync-handler") console.error(message);
}
