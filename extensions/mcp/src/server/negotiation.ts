import type { ServerSettings } from "../settings.js";
import type { ToolPins } from "../tools/pins.js";
import type { Connection, ConnectionReports } from "./client.js";
import { problemOf } from "./reason.js";
import type { ConnectionDependencies } from "./transport.js";

/**
 * Connects to a server in the protocol that it speaks. A program that ends at the probe of its version is started once
 * more without it, and the verdict spares the next start the probe.
 * @param settings - entry of the server
 * @param dependencies - host and store
 * @param reports - receives what happens outside of calls
 * @param signal - ends the attempt
 * @throws ConnectionProblem
 */
export async function connectInItsProtocol(
  settings: ServerSettings,
  dependencies: ConnectionDependencies & { readonly pins: ToolPins },
  reports: ConnectionReports,
  signal: AbortSignal,
): Promise<Connection> {
  const { pins } = dependencies;
  const { hash, place } = settings;
  // Loaded with the first server, because a host without servers must not pay for the library.
  const { Connection: Opened } = await import("./client.js");
  const open = (isLegacy: boolean) =>
    Opened.open(settings, dependencies, reports, { isLegacy, signal });
  const wasLegacy = await pins.isLegacy(place.key, hash);
  let connection: Connection;
  try {
    connection = await open(wasLegacy);
  } catch (error) {
    if (problemOf(error).kind !== "legacy") throw error;
    connection = await open(true);
  }
  if (connection.isLegacy && !wasLegacy) await pins.setLegacy(place.key, hash, true);
  return connection;
}
