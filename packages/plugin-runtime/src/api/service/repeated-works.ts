import type { HostSchedulePort, RepeatedWork } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../../instances/instance.js";
import {
  describe,
  expectFunction,
  expectName,
  expectObject,
  wrongArgument,
} from "../../registration/check.js";
import type { EnterPlugin } from "../../registration/service.js";
import { lackOf } from "../missing-capability.js";

const SHORTEST_MS = 1000;
/** Longest time of a timer of Node.js. */
const LONGEST_MS = 2 ** 31 - 1;
const NAME = {
  pattern: /^[a-z][a-z0-9-]{0,63}$/u,
  expected: 'a lower-case letter, then at most 63 lower-case letters, digits or "-"',
};

/** Work that the services of one plugin repeat (HOST-505). */
export class RepeatedWorks {
  readonly #instance: PluginInstance;
  readonly #host: HostSchedulePort;
  readonly #names = new Set<string>();

  /** @param host - repeats it */
  constructor(instance: PluginInstance, host: HostSchedulePort) {
    this.#instance = instance;
    this.#host = host;
  }

  /**
   * Repeats work until its service is stopped.
   * @param work - argument of `context.repeat`
   * @param signal - aborts when the service is stopped
   * @param enter - calls code of the plugin
   * @throws PluginRegistrationError naming the field
   * @throws RuntimeCapabilityError on a host without background tasks
   */
  add(work: RepeatedWork, signal: AbortSignal, enter: EnterPlugin): void {
    const { id, origin } = this.#instance;
    const call = { origin, member: "registerService.start.repeat" };
    expectObject(call, "work", work);
    const name = expectName(call, "name", work.name, NAME);
    const { intervalMs } = work;
    expectFunction(call, `run of "${name}"`, work.run);
    if (!Number.isSafeInteger(intervalMs) || intervalMs < SHORTEST_MS || intervalMs > LONGEST_MS) {
      const range = `a whole number of milliseconds from ${SHORTEST_MS} to ${LONGEST_MS}`;
      const problem = `expected ${range}, got ${describe(intervalMs)}`;
      throw wrongArgument(call, `intervalMs of "${name}"`, problem);
    }
    if (signal.aborted) {
      throw wrongArgument(call, "work", "expected a call before the service was stopped");
    }
    if (this.#names.has(name)) {
      throw wrongArgument(
        call,
        "name",
        `expected a name that is not used yet; "${name}" is repeated`,
      );
    }
    if (this.#host.repeat === undefined) throw lackOf(id, "background tasks");
    const run = async () => await enter(async () => work.run());
    const end = this.#host.repeat(id, { name, intervalMs, run });
    this.#names.add(name);
    const stopped = () => {
      this.#names.delete(name);
      end();
    };
    signal.addEventListener("abort", stopped, { once: true });
  }
}
