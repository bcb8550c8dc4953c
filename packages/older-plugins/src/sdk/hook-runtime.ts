import { HOOK_NAMES } from "@openclaw/plugin-sdk/hooks";

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
} & Readonly<Record<`run${string}`, RunHook>>;

type RunHook = (event: object, context?: object) => unknown;

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
  const runner: unknown = Reflect.get(globalThis, Symbol.for("openclaw.hook-runner"));
  if (!isPublishedRunner(runner)) return null;
  const methods: Record<`run${string}`, RunHook> = {};
  for (const name of HOOK_NAMES) {
    const words = name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    methods[`run${words.join("")}`] = (event, context = {}) => runner.run(name, event, context);
  }
  return { ...methods, hasHooks: (name: string) => runner.hasHooks(name) };
}

/** The host and this module are built apart, so that its runner is checked. */
function isPublishedRunner(value: unknown): value is PublishedRunner {
  if (typeof value !== "object" || value === null) return false;
  if (!("hasHooks" in value) || !("run" in value)) return false;
  return typeof value.hasHooks === "function" && typeof value.run === "function";
}
