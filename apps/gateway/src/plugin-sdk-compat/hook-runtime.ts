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
