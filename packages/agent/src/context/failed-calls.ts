import { canonicalJson } from "@openclaw/foundation";

/** Number of failures of one call after which it is denied (JOB-023). */
const MOST_FAILURES = 3;

/** A call, as far as it is the same as another one. */
interface SameCall {
  readonly toolName: string;
  readonly params: unknown;
}

/**
 * Counts the calls of a turn that failed with the same arguments. A successful call may have changed what made them fail,
 * for example an edit between two runs of a test, so that the counts begin again.
 */
export class FailedCalls {
  readonly #failures = new Map<string, number>();

  /**
   * Counts the end of a call.
   * @param call - tool and final arguments
   * @param hasFailed - true when the tool failed
   */
  note(call: SameCall, hasFailed: boolean): void {
    if (!hasFailed) {
      this.#failures.clear();
      return;
    }
    const key = keyOf(call);
    this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
  }

  /**
   * Returns the reason why a call is denied; undefined for a call that may run.
   * @param call - tool and final arguments
   */
  denialOf(call: SameCall): string | undefined {
    const failures = this.#failures.get(keyOf(call)) ?? 0;
    if (failures < MOST_FAILURES) return undefined;
    return `Tool call denied: ${call.toolName} failed ${failures} times with these arguments, and nothing else has succeeded since; change the arguments, or do it in another way`;
  }
}

function keyOf({ toolName, params }: SameCall): string {
  return `${toolName} ${canonicalJson(params)}`;
}
