import { join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import type { TemporaryFolder } from "@openclaw/foundation/testing";
import { startGateway } from "../../src/gateway.js";
import type { GatewayOptions } from "../../src/gateway-options.js";
import type { Gateway } from "../../src/running-gateway.js";

/**
 * Starts a gateway whose state, workspace and configuration are in one folder; the test stops it.
 * @param folder - folder with or without an `openclaw.json`
 * @param options - further options
 */
export async function startTestGateway(
  folder: TemporaryFolder,
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  const configurationFile = join(folder.path, "openclaw.json");
  return startGateway({
    version: "1.0.0",
    stateDir: join(folder.path, "state"),
    configuration: options.configuration ?? (await loadConfiguration(configurationFile)),
    configurationFile,
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    environment: {},
    ...options,
  });
}
