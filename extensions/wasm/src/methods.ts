import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { GatewayMethodCall } from "@openclaw/plugin-sdk/http";
import { defined, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { CredentialCheck } from "./credential-check.js";
import { WasmInstallError } from "./errors.js";
import type { LoadedComponent, LoadProblem } from "./library/folder-scan.js";
import type { ComponentLibraries } from "./library/libraries.js";
import { type ComponentSource, readSource } from "./library/source.js";
import type { FuelLog } from "./tools/fuel-log.js";

/** An installed component, as the methods show it. */
export interface ListedComponent {
  readonly name: string;
  readonly kind: "tool" | "channel";
  /** Version of the package `near:agent` that it is built for. */
  readonly version?: string | undefined;
  readonly trust: string;
  readonly source: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

/** Result of `wasm.secret`. */
export interface StoredSecret {
  readonly name: string;
  readonly isStored: boolean;
  /** Components whose services were asked whether they accept the secret. */
  readonly checks: readonly CredentialCheck[];
}

/** Result of `wasm.list` and `wasm.reload`. */
export interface ComponentList {
  readonly components: readonly ListedComponent[];
  readonly problems: readonly LoadProblem[];
}

/** Time for transpiling large components, in milliseconds. */
const INSTALL_MS = 300_000;

/**
 * Registers the methods by which the command line and clients manage components (WASM-043).
 * @param api - api of the plugin
 * @param library - returns the components
 * @param fuel - fuel of the newest calls
 * @param check - asks the service of a component whether it accepts the credential
 */
export function registerMethods(
  api: OpenClawPluginApi,
  library: () => ComponentLibraries,
  fuel: FuelLog,
  check: (component: LoadedComponent) => Promise<CredentialCheck | undefined>,
): void {
  const list = async (): Promise<ComponentList> => {
    const components = await library().components();
    return {
      components: components.map(({ name, prepared, trust, source, permissions }) => ({
        ...{ name, trust, source, permissions },
        ...{ kind: prepared.world.kind, version: prepared.world.version },
        description: prepared.tool?.description ?? "",
      })),
      problems: library().problems,
    };
  };
  const sourceOf = async ({ params }: GatewayMethodCall): Promise<ComponentSource> => {
    const name = typeof params.name === "string" ? params.name : undefined;
    if (typeof params.source === "string") {
      return await readSource(params.source, name, (url) => api.runtime.fetch(url));
    }
    throw new WasmInstallError("no source was given", "give a file, a folder or a URL");
  };
  const methods: Readonly<Record<string, (call: GatewayMethodCall) => Promise<unknown>>> = {
    "wasm.inspect": async (call) => await library().inspect(await sourceOf(call)),
    "wasm.install": async (call) => {
      const { accepted } = call.params;
      const lines = Array.isArray(accepted) ? accepted.map(String) : [];
      return await library().install(await sourceOf(call), lines);
    },
    "wasm.remove": async ({ params }) => {
      await library().remove(String(params.name));
      return { removed: String(params.name) };
    },
    "wasm.reload": async () => {
      await library().reload();
      return await list();
    },
    "wasm.secret": async ({ params }) => {
      const { secrets } = api.store;
      if (secrets === undefined) {
        throw new WasmInstallError("this host stores no secrets", "set up a master key");
      }
      const name = String(params.name);
      if (typeof params.value !== "string") {
        await secrets.delete(name);
        return { name, isStored: false, checks: [] };
      }
      await secrets.set(name, params.value);
      const users = (await library().components()).filter(
        ({ capabilities: { auth } }) => auth?.secretName === name,
      );
      const checks = await Promise.all(users.map(check));
      return { name, isStored: true, checks: checks.filter((each) => each !== undefined) };
    },
  };
  const consumed = async ({ params }: GatewayMethodCall) =>
    defined({ fuel: fuel.of(String(params.toolCallId)) });
  api.registerGatewayMethod("wasm.fuel", answered(consumed), { scope: "operator.read" });
  api.registerGatewayMethod("wasm.list", answered(list), { scope: "operator.read" });
  for (const [name, handle] of Object.entries(methods)) {
    api.registerGatewayMethod(name, answered(handle), {
      ...{ scope: "operator.admin", timeoutMs: INSTALL_MS },
    });
  }
}

/** Answers a failure with its code and message; the host hides those of other errors. */
function answered(handle: (call: GatewayMethodCall) => Promise<unknown>) {
  return async (call: GatewayMethodCall): Promise<undefined> => {
    try {
      call.respond(true, await handle(call));
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      call.respond(false, undefined, { code: error.code, message: error.message });
    }
    return undefined;
  };
}
