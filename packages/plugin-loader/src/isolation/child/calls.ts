import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  type BufferedRequest,
  bufferedResponse,
  crossedError,
  type HostMessage,
  restoredRequest,
} from "../message.js";
import { withoutFunctions } from "../plain-copy.js";
import type { HostPort } from "./host-port.js";
import type { OwnFunction } from "./registration-values.js";

/** Dependencies of {@link PluginCalls}. */
export interface PluginCallsDependencies {
  readonly port: Pick<HostPort, "send">;
  readonly functions: readonly OwnFunction[];
  readonly logger: Logger;
  /** Adds what a service may use to the context of its start. */
  serviceContext(data: object, signal: AbortSignal): object;
}

type Call = Extract<HostMessage, { kind: "call" }>;

/** Runs the functions of a plugin that the host calls. */
export class PluginCalls {
  readonly #parts: PluginCallsDependencies;
  readonly #running = new Map<number, AbortController>();
  readonly #services = new Map<unknown, AbortController>();

  /** @param parts - connection and functions */
  constructor(parts: PluginCallsDependencies) {
    this.#parts = parts;
  }

  /** Calls a function, and sends its result. */
  async run({ id, handle, values }: Call): Promise<void> {
    const ending = new AbortController();
    this.#running.set(id, ending);
    const { port } = this.#parts;
    try {
      const value = await this.#call(id, handle, values, ending);
      try {
        port.send({ kind: "answer", id, value });
      } catch (error) {
        throw new TypeError(`its result cannot cross to the host: ${errorMessage(error)}`);
      }
    } catch (error) {
      port.send({ kind: "answer", id, error: crossedError(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  /** Aborts the signal of a call. */
  abort(id: number, reason: string): void {
    this.#running.get(id)?.abort(new DOMException(reason, "AbortError"));
  }

  async #call(
    id: number,
    handle: number,
    values: readonly unknown[],
    ending: AbortController,
  ): Promise<unknown> {
    const { functions, port, logger, serviceContext } = this.#parts;
    const own = functions[handle];
    if (own === undefined) throw new TypeError(`no function ${handle}`);
    const apply = (...given: unknown[]): unknown => Reflect.apply(own.call, own.owner, given);
    const { signal } = ending;
    switch (own.shape) {
      case "hook": {
        const [event, data] = values;
        const context = { ...Object(data), signal, logger };
        if (typeof event === "object" && event !== null && !("context" in event)) {
          Object.defineProperty(event, "context", { value: context, configurable: true });
        }
        return await apply(event, context);
      }
      case "tool": {
        const [callId, params, input] = values;
        const update = (value: unknown) =>
          port.send({ kind: "update", id, value: withoutFunctions(value) });
        return await apply(callId, params, signal, update, input);
      }
      case "preview":
        return await apply(values[0], signal);
      case "route": {
        // The host sends nothing else; anything else fails here.
        const response = await apply(restoredRequest(values[0] as BufferedRequest));
        if (response instanceof Response) return await bufferedResponse(response);
        throw new TypeError("fetch of its route returned no Response");
      }
      case "service": {
        const known = this.#services.get(own.owner);
        const controller = known ?? new AbortController();
        this.#services.set(own.owner, controller);
        if (known !== undefined) controller.abort();
        return await apply(serviceContext(Object(values[0]), controller.signal));
      }
      case "plain":
        return await apply(...values);
    }
  }
}
