import { WasmComponentError } from "../errors.js";
import { type ComponentLimits, DEFAULT_LIMITS } from "../limits.js";
import type { HostFunctions, WorkerPool } from "../worker/pool.js";
import { workerLimits } from "../worker/worker-limits.js";
import {
  type CachedComponent,
  type ComponentCache,
  contentHash,
  type ToolSelfDescription,
} from "./cache.js";
import { componentNames } from "./structure.js";
import { readToolSchema } from "./tool-schema.js";
import { MAX_COMPONENT_BYTES, transpileComponent } from "./transpilation.js";
import { componentWorld } from "./world.js";

/** Cache, workers and limits for preparing components. */
export interface PreparationContext {
  readonly cache: ComponentCache;
  readonly pool: WorkerPool;
  readonly limits?: ComponentLimits | undefined;
}

/** Factor by which a component has more fuel to describe itself than for a call. */
const SELF_DESCRIPTION_FACTOR = 100;

/** Offers nothing, for a component that only describes itself. */
const NO_HOST: HostFunctions = {
  call: async (name) => ({ value: name === "secretExists" ? false : undefined }),
  log: () => {},
};

/**
 * Returns a component that is ready to run, from the cache or by transpiling it (WASM-006, WASM-007).
 * @param name - name of the component, for errors
 * @param bytes - content of its file
 * @throws WasmComponentError, WasmFormatError or WasmFeatureError for a component that cannot be run; WasmLimitError or
 * WasmTrapError when it fails to describe itself
 */
export async function prepareComponent(
  name: string,
  bytes: Uint8Array,
  context: PreparationContext,
): Promise<CachedComponent> {
  const hash = contentHash(bytes);
  // Files of one content, under several names, are made once.
  return await context.cache.changes.run(hash, () => prepare(name, bytes, hash, context));
}

async function prepare(
  name: string,
  bytes: Uint8Array,
  hash: string,
  context: PreparationContext,
): Promise<CachedComponent> {
  const known = await context.cache.read(hash);
  // A process that ends before a tool has described itself leaves an entry without its schema.
  const isWhole = known?.world.kind === "channel" || known?.tool !== undefined;
  if (known !== undefined && isWhole) return known;
  if (bytes.length > MAX_COMPONENT_BYTES) {
    throw new WasmComponentError(
      `component "${name}" has ${bytes.length} bytes, more than ${MAX_COMPONENT_BYTES}`,
      "build it without debug information",
    );
  }
  const world = componentWorld(name, componentNames(bytes));
  const transpiled = await transpileComponent(bytes, context.pool.transpiler);
  await context.cache.write(hash, world, transpiled);
  const component = await written(name, hash, context.cache);
  if (world.kind === "channel") return component;
  try {
    const tool = await describe(name, component, context);
    await context.cache.write(hash, world, transpiled, tool);
  } catch (error) {
    await context.cache.remove(hash);
    throw error;
  }
  return await written(name, hash, context.cache);
}

async function written(
  name: string,
  hash: string,
  cache: ComponentCache,
): Promise<CachedComponent> {
  const component = await cache.read(hash);
  if (component !== undefined) return component;
  throw new WasmComponentError(
    `component "${name}" was transpiled, but its files cannot be read again`,
    "check the free space and the permissions of the cache folder",
  );
}

async function describe(
  name: string,
  { component }: CachedComponent,
  { pool, limits = DEFAULT_LIMITS }: PreparationContext,
): Promise<ToolSelfDescription> {
  // Done once, when a component is installed, and more work than a call: some read their schema from a long text.
  const fuel = limits.fuel * SELF_DESCRIPTION_FACTOR;
  const call = async (fn: string) => {
    const { value } = await pool.run({
      ...{ name, component, world: "tool", function: fn, args: [] },
      ...{
        host: NO_HOST,
        limits: workerLimits({ ...limits, fuel }),
        wallClockMs: limits.wallClockMs,
      },
    });
    return String(value);
  };
  const description = (await call("description")).trim();
  return { description, schema: readToolSchema(name, await call("schema")) };
}
