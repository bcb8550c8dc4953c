import type { TestHost } from "@openclaw/plugin-testkit";
import { expect, vi } from "vitest";

/** Waits for a condition, also on a machine with much else to do. */
export const eventually = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitFor(check, 40_000);

/** Sends a request of a platform, which has no token of the gateway. */
export function post(
  host: TestHost,
  path: string,
  body = "hello",
  headers: Record<string, string> = {},
): Promise<Response> {
  return host.request(path, { method: "POST", body, headers, authenticated: false });
}

/** Returns the channels in `/wasm-channels/health`. */
export async function health(host: TestHost): Promise<Record<string, unknown>[]> {
  const response = await host.request("/wasm-channels/health");
  return ((await response.json()) as { channels: Record<string, unknown>[] }).channels;
}

/** Waits for the state of a channel. */
export async function inState(host: TestHost, name: string, state: string): Promise<void> {
  await eventually(async () => {
    expect(await health(host)).toContainEqual(expect.objectContaining({ name, state }));
  });
}

/** Returns the messages of the log. */
export const logged = (host: TestHost) => host.logs.map(({ message }) => message);

/** Waits for a line of the log. */
export async function line(host: TestHost, text: unknown): Promise<void> {
  await eventually(() => expect(logged(host)).toContainEqual(text));
}

/** Returns the import of a host function for a channel. */
export const channelImport = (name: string, parameters: number) =>
  `(import "near:agent/channel-host" "${name}" (func $${name} (param ${"i32 ".repeat(parameters)})))`;
