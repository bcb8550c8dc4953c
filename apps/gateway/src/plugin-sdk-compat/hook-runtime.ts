export {
  /** @deprecated Import it from "openclaw/plugin-sdk/hooks". */
  HOOK_NAMES,
  /** @deprecated Import it from "openclaw/plugin-sdk/hooks". */
  isHookName,
} from "@openclaw/plugin-sdk/hooks";

/**
 * Reports the failure of work that is not awaited, instead of leaving an unhandled rejection.
 * @param work - promise that the handler returned
 * @param label - prefix of the message
 * @param tell - receiver of the message; standard error by default
 * @deprecated Register a handler of an observation hook; the host does not wait for those.
 */
export function fireAndForgetHook(
  work: Promise<unknown>,
  label: string,
  tell: (message: string) => void = (message) => void process.stderr.write(`${message}\n`),
): void {
  work.catch((error: unknown) => tell(`${label}: ${String(error)}`));
}

/** Runs the hooks of the host by name: `runBeforeToolCall(event, context)` and so on. */
export type GlobalHookRunner = {
  /** Returns true when a plugin handles the hook. */
  hasHooks(name: string): boolean;
} & Readonly<Record<`run${string}`, (event: object, context?: object) => unknown>>;

/** Hooks of the process, as the host publishes them. */
interface PublishedRunner {
  hasHooks(name: string): boolean;
  run(name: string, event: object, context: object): unknown;
}

/**
 * Returns the hooks of the host in this process; null when none runs.
 * @deprecated Register handlers with `api.on`; the host dispatches hooks itself.
 */
export function getGlobalHookRunner(): GlobalHookRunner | null {
  const published: unknown = Reflect.get(globalThis, Symbol.for("openclaw.hook-runner"));
  if (typeof published !== "object" || published === null) return null;
  const runner = published as PublishedRunner;
  const target = { hasHooks: (name: string) => runner.hasHooks(name) };
  return new Proxy(target, {
    get(known, key, receiver) {
      const hook = typeof key === "string" ? /^run([A-Z]\w*)$/.exec(key)?.[1] : undefined;
      if (hook === undefined) return Reflect.get(known, key, receiver);
      const name = hook.replaceAll(/(?!^)[A-Z]/g, "_$&").toLowerCase();
      return (event: object, context: object = {}) => runner.run(name, event, context);
    },
    // The methods exist by their names only.
  }) as unknown as GlobalHookRunner;
}
