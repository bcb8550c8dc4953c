import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { METHOD_SCOPES, type MethodScope } from "@openclaw/protocol";
import { createNamedToken } from "@openclaw/server";
import type { Gateway } from "../../src/running-gateway.js";
import { loadGatewayToken } from "../../src/state/token.js";
import { startTestGateway } from "./gateway.js";
import { scriptedProvider } from "./scripted-provider.js";

/** Gateway that listens for MCP clients, with tokens of each kind. */
export interface McpGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  /** Token of the gateway itself. */
  readonly token: string;
  /** Named token with one scope, and that of reading. */
  readonly tokens: Readonly<Record<MethodScope, string>>;
  /** Named token that may write, and not read. */
  readonly blindToken: string;
  /** Stops the gateway and starts it again with the same data, at another port. */
  restart(): Promise<void>;
}

/** Options of {@link startMcpGateway}. */
export interface McpGatewayOptions {
  readonly plugins?: readonly PluginDefinition[];
  readonly configuration?: Readonly<Record<string, unknown>>;
  /**
   * Writes files before the gateway starts.
   * @param folder - path of the folder with its state and workspace
   */
  prepare?(folder: string): void;
  /** Replies of the model. */
  readonly script?: Parameters<typeof createScriptedModel>[0];
}

/**
 * Starts a listening gateway with a scripted model.
 * @param options - plugins, configuration and replies
 */
export async function startMcpGateway({
  plugins = [],
  configuration = {},
  script = () => ({ text: "ok" }),
  prepare,
}: McpGatewayOptions = {}): Promise<McpGateway> {
  const folder = temporaryFolder();
  const named = await Promise.all(
    METHOD_SCOPES.map(async (scope) => {
      const name = scope.replace("operator.", "");
      const { token, hash } = await createNamedToken(name);
      return {
        scope,
        token,
        entry: { name, hash, scopes: [...new Set([scope, "operator.read"])] },
      };
    }),
  );
  const blind = await createNamedToken("blind");
  const blindEntry = { name: "blind", hash: blind.hash, scopes: ["operator.write"] };
  const auth = { tokens: [...named.map(({ entry }) => entry), blindEntry] };
  const section = { ...(configuration.gateway as object | undefined), auth };
  folder.write({ "openclaw.json": JSON.stringify({ ...configuration, gateway: section }) });
  prepare?.(folder.path);
  const model: PluginDefinition = {
    id: "scripted",
    register: (api) => void api.registerProvider(scriptedProvider(createScriptedModel(script))),
  };
  const start = async () =>
    await startTestGateway(folder, {
      inlinePlugins: [model, ...plugins],
      model: "scripted/script",
      configuration: await loadConfiguration(`${folder.path}/openclaw.json`),
      port: 0,
      environment: { PATH: process.env.PATH },
    });
  let gateway = await start();
  return {
    get gateway() {
      return gateway;
    },
    get url() {
      return gateway.url ?? "";
    },
    async restart() {
      await gateway.stop("command");
      gateway = await start();
    },
    token: loadGatewayToken(gateway.state.tokenFile),
    tokens: Object.fromEntries(named.map(({ scope, token }) => [scope, token])) as Record<
      MethodScope,
      string
    >,
    blindToken: blind.token,
    async [Symbol.asyncDispose]() {
      await gateway.stop("command");
      folder[Symbol.dispose]();
    },
  };
}
