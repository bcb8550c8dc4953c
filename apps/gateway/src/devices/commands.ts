import { defined } from "@openclaw/foundation";
import type { DeviceSummary } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";

/** Option of every command. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw devices list`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listDevicesCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { devices } = await withGatewayMethods(
    context,
    (call) => call("devices.list", {}),
    "reads",
  );
  if (json) {
    terminal.print(JSON.stringify({ devices }));
    return EXIT.ok;
  }
  const waiting = devices.filter(({ state }) => state === "waiting");
  const decided = devices.filter(({ state }) => state !== "waiting");
  if (waiting.length === 0) terminal.print("No device waits for an approval.");
  else {
    const rows = waiting.map(({ code = "", fingerprint, name, address, requestedAt }) => [
      ...[code, fingerprint, name, address, ageOf(Date.now() - requestedAt)],
    ]);
    printRows(rows, terminal, { titles: ["CODE", "FINGERPRINT", "NAME", "ADDRESS", "WAITS"] });
    terminal.print("Approve one with `openclaw devices approve <code>`.");
  }
  if (decided.length > 0) {
    terminal.print("");
    const rows = decided.map((device) => [
      ...[device.fingerprint, device.name, device.state, rightsOf(device), lastSeen(device)],
    ]);
    printRows(rows, terminal, { titles: ["FINGERPRINT", "NAME", "STATE", "RIGHTS", "LAST SEEN"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw devices approve`.
 * @param device - code or fingerprint
 * @param options - rights and format
 * @param context - terminal and environment
 * @throws GatewayRefusedError with the code `DEVICE_NOT_FOUND` or `DEVICE_STATE`
 */
export async function approveDeviceCommand(
  device: string,
  { scope: scopes, json = false }: Format & { scope?: DeviceSummary["scopes"] },
  context: CommandContext,
): Promise<ExitCode> {
  const approved = await withGatewayMethods(context, (call) =>
    call("devices.approve", { device, ...defined({ scopes }) }),
  );
  const text = `Approved ${titleOf(approved)} with ${approved.scopes.join(" ")}.`;
  context.terminal.print(json ? JSON.stringify(approved) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw devices reject`.
 * @param device - code or fingerprint
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayRefusedError with the code `DEVICE_NOT_FOUND` or `DEVICE_STATE`
 */
export async function rejectDeviceCommand(
  device: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const rejected = await withGatewayMethods(context, (call) => call("devices.reject", { device }));
  const text = `Rejected ${titleOf(rejected)}.`;
  context.terminal.print(json ? JSON.stringify(rejected) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw devices revoke`.
 * @param device - code or fingerprint
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayRefusedError with the code `DEVICE_NOT_FOUND` or `DEVICE_STATE`
 */
export async function revokeDeviceCommand(
  device: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const revoked = await withGatewayMethods(context, (call) => call("devices.revoke", { device }));
  const text = `Revoked ${titleOf(revoked)}; its connections are closed.`;
  context.terminal.print(json ? JSON.stringify(revoked) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw devices rename`.
 * @param device - code or fingerprint
 * @param name - new name
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayRefusedError with the code `DEVICE_NOT_FOUND` or `DEVICE_NAME`
 */
export async function renameDeviceCommand(
  device: string,
  name: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const renamed = await withGatewayMethods(context, (call) =>
    call("devices.rename", { device, name }),
  );
  const text = `Renamed ${renamed.fingerprint} to ${renamed.name}.`;
  context.terminal.print(json ? JSON.stringify(renamed) : text);
  return EXIT.ok;
}

function titleOf({ name, fingerprint }: Pick<DeviceSummary, "name" | "fingerprint">): string {
  return `${name} (${fingerprint})`;
}

/** Returns the rights without their common first word. */
function rightsOf({ scopes }: Pick<DeviceSummary, "scopes">): string {
  return scopes.map((scope) => scope.replace("operator.", "")).join(" ") || "none";
}

function lastSeen({ isConnected, lastSeenAt }: DeviceSummary): string {
  if (isConnected) return "connected";
  return lastSeenAt === undefined ? "never" : timeOf(lastSeenAt);
}

/** Returns a duration in whole minutes, or seconds below two of them. */
function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
