import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CachedComponent } from "../../src/component/cache.js";
import { ComponentCache } from "../../src/component/cache.js";
import { prepareComponent } from "../../src/component/preparation.js";
import { type ComponentLimits, DEFAULT_LIMITS } from "../../src/limits.js";
import { buildTool, type ToolText } from "../../src/testing/component-builder.js";
import type { HostAnswer } from "../../src/worker/messages.js";
import { WorkerPool } from "../../src/worker/pool.js";
import { workerLimits } from "../../src/worker/worker-limits.js";

/** Call of a component in a test. */
export interface TestCall {
  readonly args?: readonly unknown[];
  readonly limits?: Partial<ComponentLimits>;
  readonly host?: (name: string, args: readonly unknown[]) => Promise<HostAnswer>;
  readonly signal?: AbortSignal;
}

/** Prepares and calls components in a separate folder. */
export class TestComponents {
  readonly folder: string;
  readonly cache: ComponentCache;
  readonly pool: WorkerPool;
  readonly logs: string[] = [];

  private constructor(folder: string, workers: number) {
    this.folder = folder;
    this.cache = new ComponentCache(folder, "1.0.0");
    this.pool = new WorkerPool({ workers });
  }

  /** @param workers - number of worker threads */
  static async open(workers = 2): Promise<TestComponents> {
    return new TestComponents(await mkdtemp(join(tmpdir(), "wasm-components-")), workers);
  }

  async close(): Promise<void> {
    await this.pool.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async prepare(bytes: Uint8Array, name = "example"): Promise<CachedComponent> {
    return await prepareComponent(name, bytes, {
      ...{ cache: this.cache, pool: this.pool },
      limits: { ...DEFAULT_LIMITS, fuel: 100_000 },
    });
  }

  /** Builds a tool of a text, and prepares it. */
  async tool(text: ToolText = {}): Promise<CachedComponent> {
    return await this.prepare(await buildTool(text));
  }

  /** Calls `execute` of a tool with a text as its parameters. */
  async execute({ component }: CachedComponent, params = "{}", call: TestCall = {}) {
    const limits = { ...DEFAULT_LIMITS, ...call.limits };
    return await this.pool.run({
      ...{ name: "example", component, world: "tool", function: "execute" },
      args: call.args ?? [{ params, context: undefined }],
      ...{ limits: workerLimits(limits), wallClockMs: limits.wallClockMs, signal: call.signal },
      host: {
        log: (level, message) => void this.logs.push(`${level}: ${message}`),
        call: call.host ?? (async () => ({ value: undefined })),
      },
    });
  }
}
