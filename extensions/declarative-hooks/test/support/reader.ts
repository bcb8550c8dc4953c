import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost } from "@openclaw/plugin-testkit";
import type { ReadContext } from "../../src/definition/read-context.js";
import { readHooks } from "../../src/definition/reader.js";
import { HookConfigurationError } from "../../src/errors.js";

/** Reads definitions as the plugin does, without a host for each of them. */
export interface Reader extends AsyncDisposable {
  readonly read: (value: unknown, context?: Partial<ReadContext>) => ReturnType<typeof readHooks>;
  /** Returns the mistakes of a source, as `problem path`. */
  readonly problems: (value: unknown, context?: Partial<ReadContext>) => readonly string[];
  /** Returns the message of the mistakes of a source. */
  readonly message: (value: unknown, context?: Partial<ReadContext>) => string;
}

/** Opens a host for its patterns and its network check. */
export async function openReader(): Promise<Reader> {
  let api: OpenClawPluginApi | undefined;
  const plugin = {
    id: "probe",
    register(given: OpenClawPluginApi) {
      api = given;
    },
  };
  const host = await createTestHost({ plugin });
  if (api === undefined) throw new Error("the plugin was not loaded");
  const { runtime } = api;
  const own: ReadContext = {
    compile: runtime.patterns.compile,
    checkUrl: runtime.checkUrl,
    secrets: {},
  };
  const read: Reader["read"] = (value, context) => readHooks(value, "test", { ...own, ...context });
  const errorOf = (value: unknown, context?: Partial<ReadContext>) => {
    try {
      read(value, context);
    } catch (error) {
      if (HookConfigurationError.isInstance(error)) return error;
      throw error;
    }
    return undefined;
  };
  return {
    read,
    problems: (value, context) =>
      errorOf(value, context)?.problems.map(({ problem, path }) => `${problem} ${path}`) ?? [],
    message: (value, context) => errorOf(value, context)?.message ?? "",
    [Symbol.asyncDispose]: () => host.dispose(),
  };
}
