import { resolve } from "node:path";
import { errorMessage, nearestName } from "@openclaw/foundation";
import { HookNotFoundError } from "@openclaw/gateway";
import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { HookTrace } from "@openclaw/plugin-testkit";
import { type PluginConfigOptions, readPluginConfig } from "../plugins/validate-command.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { readJsonObject } from "../shell/json-argument.js";
import type { Terminal } from "../shell/terminal.js";

/** Options of `openclaw hooks test`. */
export interface TestHookOptions extends PluginConfigOptions {
  readonly plugin: string;
  readonly event: string;
}

/**
 * Runs `openclaw hooks test`: loads a plugin into a temporary host, and dispatches a hook to its handlers. The
 * operator's own state is not touched.
 * @param name - hook of the catalog
 * @param options - plugin, its configuration, and fields of the event
 * @throws HookNotFoundError when the catalog does not have the hook; UsageError when the event is not a JSON object
 */
export async function testHookCommand(
  name: string,
  options: TestHookOptions,
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const hook = HOOK_NAMES.find((each) => each === name);
  if (hook === undefined) throw new HookNotFoundError(name, nearestName(name, HOOK_NAMES));
  const fields = await readJsonObject(options.event, "--event");
  const { createTestHost } = await import("@openclaw/plugin-testkit");
  const host = await createTestHost({
    plugin: resolve(options.plugin),
    ...readPluginConfig(options),
  });
  try {
    const { event, result, error, dispatched } = await fire(hook, fields, host);
    const handlers = (dispatched?.handlers ?? []).filter(({ owner }) => owner === host.plugin.id);
    const called = handlers.filter(({ outcome }) => !NOT_CALLED.has(outcome));
    const failed = error !== undefined || handlers.some(({ outcome }) => FAILED.has(outcome));
    if (options.json === true) {
      const shown = handlers.map(({ source, outcome, durationMs }) => ({
        ...{ source, outcome, durationMs },
      }));
      const outcome = dispatched?.outcome;
      terminal.print(JSON.stringify({ hook, event, outcome, result, error, handlers: shown }));
    } else {
      printHandlers(handlers, host.plugin.id, terminal);
      if (error !== undefined) terminal.note(`openclaw: ${error}`);
      else terminal.print(`result: ${JSON.stringify(result) ?? "none"}`);
    }
    return failed || called.length === 0 ? EXIT.negative : EXIT.ok;
  } finally {
    await host.dispose();
  }
}

const NOT_CALLED: ReadonlySet<string> = new Set(["skipped-scope", "skipped-condition", "not-run"]);
const FAILED: ReadonlySet<string> = new Set(["threw", "timeout", "malformed"]);

async function fire(
  hook: CataloguedHookName,
  fields: object,
  host: Awaited<ReturnType<typeof import("@openclaw/plugin-testkit").createTestHost>>,
): Promise<{
  event: object;
  result?: unknown;
  error?: string;
  dispatched?: HookTrace | undefined;
}> {
  const { sampleEvent } = await import("@openclaw/plugin-testkit");
  const event = sampleEvent(hook, fields);
  const before = host.trace.length;
  const last = () => host.trace.slice(before).findLast((each) => each.hook === hook);
  try {
    const result = await host.fire(hook, event);
    return { event, result, dispatched: last() };
  } catch (error) {
    return { event, error: errorMessage(error), dispatched: last() };
  }
}

function printHandlers(
  handlers: HookTrace["handlers"],
  pluginId: string,
  { print, colors }: Terminal,
): void {
  for (const { outcome, durationMs, source } of handlers) {
    print(`${outcome.padEnd(17)} ${durationMs.toFixed(1).padStart(7)} ms  ${colors.dim(source)}`);
  }
  if (handlers.length === 0) print(`${pluginId} has no handler of this hook.`);
}
