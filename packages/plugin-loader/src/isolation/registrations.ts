import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import {
  type BufferedResponse,
  bufferedRequest,
  type FunctionMark,
  type RegistrationCall,
  restoredResponse,
} from "./message.js";
import { type FunctionShape, REGISTERING_MEMBERS, shapeOf } from "./shapes.js";
import type { Supervisor } from "./supervisor.js";

/** Services of a plugin that run, so that a restart starts them again. */
export type RunningServices = Map<number, () => Promise<unknown>>;

/**
 * Repeats the registrations of an isolated plugin on the `api` of the host, which checks and limits them as those of any
 * plugin. Its functions become calls of the other side.
 * @param api - the `api` of the host
 * @param calls - registrations of the plugin, in their order
 * @param supervisor - sends the calls
 * @param services - is kept equal to the services that run
 * @returns results of the registrations
 */
export function repeatRegistrations(
  api: OpenClawPluginApi,
  calls: readonly RegistrationCall[],
  supervisor: Pick<Supervisor, "call">,
  services: RunningServices,
): unknown[] {
  return calls.map(({ member, values }) => {
    if (!REGISTERING_MEMBERS.includes(member)) throw new TypeError(`no method api.${member}`);
    const restored = values.map((value, index) =>
      withFunctions(value, String(index), (path, handle) =>
        calling(shapeOf(member, path) ?? "plain", path, handle, { supervisor, services }),
      ),
    );
    const [group = "", name] = member.split(".");
    const holder: unknown = name === undefined ? api : Reflect.get(api, group);
    const method: unknown = Reflect.get(Object(holder), name ?? group);
    if (typeof method !== "function") throw new TypeError(`no method api.${member}`);
    return Reflect.apply(method, holder, restored);
  });
}

function withFunctions(
  value: unknown,
  path: string,
  functionAt: (path: string, handle: number) => unknown,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isMark(value)) return functionAt(path, value.$handle);
  if (Array.isArray(value)) {
    return value.map((item, index) => withFunctions(item, `${path}.${index}`, functionAt));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      withFunctions(item, `${path}.${key}`, functionAt),
    ]),
  );
}

function isMark(value: object): value is FunctionMark {
  return "$handle" in value && typeof value.$handle === "number";
}

interface Callee {
  readonly supervisor: Pick<Supervisor, "call">;
  readonly services: RunningServices;
}

/** Returns a function of the host that calls one of the plugin. */
function calling(shape: FunctionShape, path: string, handle: number, callee: Callee): unknown {
  const { supervisor, services } = callee;
  switch (shape) {
    case "hook":
      return (event: unknown, context: { readonly signal?: AbortSignal }) =>
        supervisor.call(handle, [event, context], { signal: context.signal });
    case "tool":
      return (
        id: string,
        params: unknown,
        signal: AbortSignal,
        onUpdate: (value: unknown) => void,
        input: unknown,
      ) => supervisor.call(handle, [id, params, input], { signal, onUpdate });
    case "preview":
      return (params: unknown, signal: AbortSignal) =>
        supervisor.call(handle, [params], { signal });
    case "route":
      return async (request: Request) => {
        const { signal } = request;
        const sent = await bufferedRequest(request);
        const response = await supervisor.call(handle, [sent], { signal });
        return restoredResponse(response as BufferedResponse);
      };
    case "service":
      return (context: ServiceContext) => {
        if (!path.endsWith(".start")) return supervisor.call(handle, [serviceData(context)]);
        const start = () => supervisor.call(handle, [serviceData(context)]);
        services.set(handle, start);
        context.signal.addEventListener("abort", () => services.delete(handle), { once: true });
        return start();
      };
    case "plain":
      return (...values: unknown[]) => supervisor.call(handle, values);
  }
}

interface ServiceContext {
  readonly config: unknown;
  readonly workspaceDir?: string;
  readonly stateDir: string;
  readonly signal: AbortSignal;
}

function serviceData(context: ServiceContext) {
  const { config, workspaceDir } = context;
  return { config, workspaceDir, stateDir: stateDirOf(context) };
}

/** A host without files has no state folder, and throws where a plugin reads it. */
function stateDirOf(context: ServiceContext): string | undefined {
  try {
    return context.stateDir;
  } catch {
    return undefined;
  }
}
