import type { HostRuntime, Logger } from "@openclaw/plugin-sdk";
import type { HookContext, HookEvent, HookMap, HookName } from "@openclaw/plugin-sdk/hooks";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginStore } from "@openclaw/plugin-sdk/store";
import { openTestStore, sampleEvent } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import type { Guard } from "../../src/guard.js";
import { DATABASE } from "../../src/migrations.js";
import { type GuardNotice, GuardNotices } from "../../src/notices.js";
import { GuardCounters } from "../../src/status/counters.js";
import { WriteBehind } from "../../src/storage/write-behind.js";
import { hostRuntime } from "./host-runtime.js";

/** Dependencies of a guard that is tested without a gateway: the real store and runtime, and a clock that is set. */
export interface GuardDependencies {
  /** Milliseconds since the epoch. */
  now: number;
  /** Store of an earlier guard, as after a restart. */
  readonly store?: PluginStore;
  readonly runtime?: HostRuntime;
}

/** Line of the log. */
export interface LoggedLine {
  readonly level: keyof Logger;
  readonly message: string;
}

/**
 * Installs a guard.
 * @param given - its configuration
 * @param dependencies - clock and store
 */
export async function installGuard(
  guard: Guard,
  given: unknown = true,
  dependencies: GuardDependencies = { now: Date.UTC(2026, 10, 23, 12) },
) {
  const store = dependencies.store ?? (await temporaryStore());
  const runtime = dependencies.runtime ?? (await hostRuntime());
  const handlers = new Map<string, ((event: unknown, context: unknown) => unknown)[]>();
  const disposals: (() => unknown)[] = [];
  const logs: LoggedLine[] = [];
  const emitted: unknown[] = [];
  const seen: GuardNotice[] = [];
  const notices = new GuardNotices();
  notices.subscribe((notice) => void seen.push(notice));
  const logger = Object.fromEntries(
    (["debug", "info", "warn", "error"] as const).map((level) => [
      level,
      (message: string) => void logs.push({ level, message }),
    ]),
  );
  const counters = new GuardCounters(guard.name);
  const writeBehind = new WriteBehind();
  const api = {
    on(name: string, handler: (event: unknown, context: unknown) => unknown) {
      handlers.set(name, [...(handlers.get(name) ?? []), handler]);
      return () => undefined;
    },
    logger,
    runtime,
    store,
    gatewayEvents: {
      emit: (event: string, payload: unknown) => void emitted.push([event, payload]),
    },
    resolvePath: (path: string) => path,
    lifecycle: { onDispose: (callback: () => unknown) => void disposals.push(callback) },
  };
  await guard.configure(given)({
    api: api as unknown as OpenClawPluginApi,
    counters,
    notices,
    writeBehind,
    now: () => dependencies.now,
    database: () => store.database(DATABASE),
  });
  const dispose = async () => {
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  };
  onTestFinished(dispose);
  return {
    logs,
    emitted,
    notices: seen,
    store,
    runtime,
    hooks: [...handlers.keys()],
    get counts() {
      return counters.pending;
    },
    /** Writes what waits. */
    flush: () => writeBehind.flush(),
    publish: (notice: GuardNotice) => notices.publish(notice),
    /** Calls the handlers of a hook, and returns the first result. */
    async fire<Name extends HookName & keyof HookMap>(
      name: Name,
      event: Partial<HookMap[Name]["event"]>,
      context: Partial<HookContext<Name>> = {},
    ): Promise<HookMap[Name]["result"] | undefined> {
      const complete = {
        ...(sampleEvent(name as never, event as never) as object),
      } as unknown as HookEvent<Name>;
      for (const handler of handlers.get(name) ?? []) {
        const result = await handler(complete, { callDepth: 0, ...context });
        if (result !== undefined) return result as HookMap[Name]["result"];
      }
      return undefined;
    },
    dispose,
  };
}

/** Returns a store in memory, as `api.store`. */
export async function temporaryStore(): Promise<PluginStore> {
  const opened = await openTestStore({ pluginId: "guardrails" });
  onTestFinished(() => opened.close());
  return opened.store;
}
