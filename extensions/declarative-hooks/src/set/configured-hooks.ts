import type {
  ConfiguredHook,
  ConfiguredHookDetails,
  HookApproval,
  HookSet,
  HookSetContent,
  HookSetProblem,
} from "@openclaw/plugin-sdk/hooks";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { type OutboundWebhook, openOutboundWebhook } from "@openclaw/plugin-sdk/outbound-webhook";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { runHttp } from "../actions/http.js";
import { runInline } from "../actions/inline.js";
import { runShell } from "../actions/shell.js";
import { bindBundle } from "../bundles/bind.js";
import { runBundleHook } from "../bundles/run.js";
import { ToolResults } from "../bundles/tool-events.js";
import type { HookDefinition, WebhookAction } from "../definition/definition.js";
import { passes } from "../definition/filter.js";
import { CONTINUE, type Outcome } from "../definition/outcome.js";
import { HookActionError } from "../errors.js";
import { bindPoint } from "../points/bind.js";
import { inputOf, textOf } from "../points/input.js";
import { pointOf } from "../points/point.js";
import type { HookSource } from "../sources/source.js";
import type { HookState } from "../sources/state.js";
import { ActiveHook, type RunAction } from "./active-hook.js";
import { effectiveDefinitions } from "./effective-definitions.js";
import { notApproved, notValid, pointsIn } from "./points-in-force.js";

/** Hook with its source and its handlers. */
interface Entry {
  readonly hook: ActiveHook;
  readonly location: string;
  /** Path of its file for an approval; its location when it needs none. */
  readonly file: string;
  readonly approved: boolean;
  readonly webhook: OutboundWebhook | undefined;
}

/** Dependencies of {@link ConfiguredHooks}. */
export interface ConfiguredHooksDependencies {
  readonly api: OpenClawPluginApi<unknown>;
  readonly state: HookState;
  /** Reads all sources. */
  readonly load: () => Promise<readonly HookSource[]>;
  /** See `HookSet.approve`. */
  readonly approveFile: HookSet["approve"];
}

/** The hooks in force: reads their sources, registers their handlers, and replaces them after a change. */
export class ConfiguredHooks implements HookSet {
  readonly #dependencies: ConfiguredHooksDependencies;
  /** Handlers of bundles after tool calls. */
  readonly #results: ToolResults;
  #entries: readonly Entry[] = [];
  #problems: readonly HookSetProblem[] = [];
  #handlers: readonly (() => void)[] = [];
  #enabled: ReadonlyMap<string, boolean> = new Map();
  /** Changes run one after another. */
  #work: Promise<unknown> = Promise.resolve();

  /** @param dependencies - host and sources */
  constructor(dependencies: ConfiguredHooksDependencies) {
    this.#dependencies = dependencies;
    this.#results = new ToolResults(dependencies.api);
    dependencies.api.registerAgentToolResultMiddleware((passage) => this.#results.pass(passage));
  }

  /**
   * Reads the sources for the first time, while the plugin registers.
   */
  async open(): Promise<void> {
    const { load, state } = this.#dependencies;
    this.#enabled = await state.enabled();
    const sources = await load();
    this.#replace(sources, (change) => change());
  }

  /** Reads the sources again, and replaces the hooks in one step; after a failure the present ones stay in force. */
  async reload(): Promise<void> {
    const { api, load } = this.#dependencies;
    await this.#exclusive(async () => {
      try {
        const sources = await load();
        if (api.lifecycle.signal.aborted) return;
        this.#replace(sources, (change) => api.lifecycle.update(change));
      } catch (error) {
        const reason = errorMessage(error);
        api.logger.error(`hooks were not read again, the present ones stay in force: ${reason}`);
      }
    });
  }

  /** Sends the stored events of durable webhooks. */
  async resume(): Promise<void> {
    await Promise.all(this.#entries.map(({ webhook }) => webhook?.resume()));
  }

  /** Ends deliveries. */
  async close(): Promise<void> {
    await Promise.all(this.#entries.map(({ webhook }) => webhook?.close()));
  }

  list(): HookSetContent {
    const ignored = this.#entries.flatMap(({ hook, location }) =>
      hook.ignored.map((message) => ({ source: location, message })),
    );
    return {
      hooks: this.#entries.map((entry) => this.#shown(entry)),
      problems: [...this.#problems, ...ignored],
    };
  }

  async show(name: string): Promise<ConfiguredHookDetails | undefined> {
    const entry = this.#find(name);
    if (entry === undefined) return undefined;
    const { hook, webhook } = entry;
    const deliveries = (await webhook?.deliveries()) ?? [];
    return {
      ...this.#shown(entry),
      definition: hook.definition.written,
      runs: hook.runs,
      deliveries: deliveries.map((delivery) => JSON.parse(JSON.stringify(delivery))),
    };
  }

  async setEnabled(name: string, enabled: boolean): Promise<ConfiguredHook | undefined> {
    const found = this.#find(name);
    if (found === undefined) return undefined;
    const full = found.hook.definition.name;
    const { api, state } = this.#dependencies;
    await this.#exclusive(async () => {
      await state.setEnabled(full, enabled);
      this.#enabled = new Map([...this.#enabled, [full, enabled]]);
      api.lifecycle.update(() => this.#bind());
    });
    const entry = this.#find(full);
    return entry === undefined ? undefined : this.#shown(entry);
  }

  async test(name: string, fields: JsonObject): Promise<JsonObject | undefined> {
    const entry = this.#find(name);
    if (entry === undefined) return undefined;
    const { definition } = entry.hook;
    const { point: wanted } = fields;
    const named = typeof wanted === "string" ? pointOf(wanted) : undefined;
    const point = named ?? definition.points[0] ?? "beforeInbound";
    const input = inputOf(point, fields);
    const told = { hook: definition.name, point };
    if (!entry.approved && definition.action.type === "shell") {
      return { ...told, outcome: "error", error: notApproved(entry) };
    }
    if (definition.filter !== undefined && !passes(definition.filter, input)) {
      return { ...told, outcome: "skipped", reason: "the event does not pass the filter" };
    }
    const began = performance.now();
    const signal = AbortSignal.timeout(definition.timeoutMs);
    const durationMs = () => Math.round(performance.now() - began);
    try {
      const { action, ...outcome } = await entry.hook.run(input, () => signal);
      const before = action === "modify" ? { before: textOf(input) } : {};
      return JSON.parse(
        JSON.stringify({
          ...told,
          outcome: action,
          ...before,
          ...outcome,
          durationMs: durationMs(),
        }),
      );
    } catch (error) {
      const message = errorMessage(error);
      return { ...told, outcome: "error", error: message, durationMs: durationMs() };
    }
  }

  async approve(file: string, hash?: string): Promise<HookApproval | undefined> {
    const approval = await this.#dependencies.approveFile(file, hash);
    if (approval?.approved === true && hash !== undefined) await this.reload();
    return approval;
  }

  async #exclusive(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    await done;
  }

  #replace(sources: readonly HookSource[], within: (change: () => void) => void): void {
    const before = this.#entries;
    const entries = effectiveDefinitions(sources).map(({ definition, source }) =>
      this.#entryOf(definition, source, before),
    );
    const isSame =
      entries.length === before.length &&
      entries.every(({ hook, approved }, index) => {
        const old = before[index];
        return old?.hook === hook && old.approved === approved;
      });
    this.#entries = entries;
    // Handlers that stay keep their counts and their place among equal priorities.
    if (!isSame) within(() => this.#bind());
    const problems = sources.flatMap((source) => source.problems);
    const told = new Set(this.#problems.map(({ message }) => message));
    const { logger } = this.#dependencies.api;
    for (const { source, message, level } of problems) {
      if (told.has(message)) continue;
      const text = `hooks of ${source}: ${message}`;
      if (level === "error") logger.error(text);
      else logger.warn(text);
    }
    this.#problems = problems;
    const kept = new Set(entries.map(({ webhook }) => webhook));
    for (const { webhook } of before) if (!kept.has(webhook)) void webhook?.close();
  }

  /** Removes all handlers and adds those of the hooks in force; synchronous, so that no dispatch sees a part. */
  #bind(): void {
    const { api } = this.#dependencies;
    for (const remove of this.#handlers) remove();
    this.#handlers = this.#entries.flatMap((entry) => {
      const { hook } = entry;
      const state = this.#stateOf(entry);
      hook.withheld = reasonOf(state, entry);
      const { action } = hook.definition;
      return pointsIn(state, hook.definition).map((point) =>
        action.type === "bundle"
          ? bindBundle(api, hook, action, this.#results)
          : bindPoint(api, hook, point),
      );
    });
  }

  #entryOf(definition: HookDefinition, source: HookSource, before: readonly Entry[]): Entry {
    const { location, approved, cwd, file = location } = source;
    const { api } = this.#dependencies;
    const old = before.find(({ hook }) => hook.definition.name === definition.name);
    const isSame =
      old !== undefined &&
      old.location === location &&
      JSON.stringify(old.hook.definition) === JSON.stringify(definition);
    // An unchanged hook keeps its numbers and its deliveries in flight.
    if (isSame) return { ...old, approved };
    const { action } = definition;
    const webhook = action.type === "webhook" ? this.#open(action, definition) : undefined;
    const run = this.#runOf(definition, cwd, webhook);
    const hook = new ActiveHook(definition, run, (message) => api.logger.warn(message));
    return { hook, location, file, approved, webhook };
  }

  #open({ settings }: WebhookAction, { name }: HookDefinition): OutboundWebhook {
    return openOutboundWebhook(this.#dependencies.api, { ...settings, name });
  }

  #runOf(definition: HookDefinition, cwd: string, webhook: OutboundWebhook | undefined): RunAction {
    const { name: hook, action, timeoutMs } = definition;
    const { runtime } = this.#dependencies.api;
    switch (action.type) {
      case "invalid":
        return () => {
          throw new HookActionError(hook, action.problem);
        };
      case "bundle":
        return (input, signal) => {
          const { data = {}, session, requester } = input;
          const event = { hook, input: data, timeoutMs, signal: signal(), session, requester };
          return runBundleHook(action, event, runtime);
        };
      case "inline":
        return (input) => runInline(action, input);
      case "http":
        return (input, signal) =>
          runHttp(action, { hook, input, timeoutMs, signal: signal() }, runtime);
      case "shell":
        return async (input, signal) => {
          const run = runtime.system.runCommandWithTimeout;
          if (run === undefined) throw new HookActionError(hook, "this host runs no programs");
          return await runShell(action, { hook, input, timeoutMs, signal: signal() }, { run, cwd });
        };
      case "webhook":
        return (input): Outcome => {
          const { point, channel, sender, session, tool } = input;
          const local = hook.slice(hook.indexOf("::") + 2);
          void webhook?.send({
            event: point,
            hook: { name: local, point, id: hook },
            content: textOf(input),
            data: { channel, sender, session, tool },
          });
          return CONTINUE;
        };
    }
  }

  #find(name: string): Entry | undefined {
    const exact = this.#entries.find(({ hook }) => hook.definition.name === name);
    if (exact !== undefined) return exact;
    const short = this.#entries.filter(({ hook }) => hook.definition.name.endsWith(`::${name}`));
    return short.length === 1 ? short[0] : undefined;
  }

  #stateOf({ hook: { definition }, approved }: Entry): ConfiguredHook["state"] {
    const enabled = this.#enabled.get(definition.name) ?? definition.enabled;
    if (!enabled) return "disabled";
    if (definition.action.type === "invalid") return "invalid";
    return approved || definition.action.type !== "shell" ? "active" : "unapproved";
  }

  #shown(entry: Entry): ConfiguredHook {
    const { definition, counts } = entry.hook;
    const { name, points, action, priority } = definition;
    const state = this.#stateOf(entry);
    const reason = reasonOf(state, entry);
    return {
      ...{ name, source: entry.location, points, action: action.type, priority },
      ...{ state, counts },
      ...(reason === undefined ? {} : { reason }),
    };
  }
}

/** Returns the reason why the action of a hook may not run; undefined when it may, or when the operator disabled it. */
function reasonOf(state: ConfiguredHook["state"], entry: Entry): string | undefined {
  const { definition } = entry.hook;
  if (state === "unapproved") return notApproved(entry);
  return state === "invalid" && definition.action.type === "invalid"
    ? notValid(definition, definition.action.problem)
    : undefined;
}
