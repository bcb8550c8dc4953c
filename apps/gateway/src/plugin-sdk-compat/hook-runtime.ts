export {
  /** @deprecated Import it from "openclaw/plugin-sdk/hooks". */
  HOOK_NAMES,
  /** @deprecated Import it from "openclaw/plugin-sdk/hooks". */
  isHookName,
} from "@openclaw/plugin-sdk/hooks";

/**
 * Runs a handler nobody waits for; what it throws is told and goes no further.
 * @param work - what the handler returned
 * @param label - names it in the message
 * @param tell - standard error by default
 * @deprecated Register a handler of an observation hook; the host does not wait for those.
 */
export function fireAndForgetHook(
  work: Promise<unknown>,
  label: string,
  tell: (message: string) => void = (message) => void process.stderr.write(`${message}\n`),
): void {
  work.catch((error: unknown) => tell(`${label}: ${String(error)}`));
}
