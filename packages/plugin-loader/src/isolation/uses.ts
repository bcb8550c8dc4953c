import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { type BufferedRequest, bufferedResponse, restoredRequest } from "./message.js";
import { USED_MEMBERS } from "./shapes.js";

/**
 * Uses a member of the host's `api` for an isolated plugin. The host checks and limits it as for any plugin.
 * @param api - the `api` of the host
 * @param member - for example `store.kv.get`
 * @param values - arguments
 */
export async function useMember(
  api: OpenClawPluginApi,
  member: string,
  values: readonly unknown[],
): Promise<unknown> {
  if (!USED_MEMBERS.includes(member)) throw new TypeError(`no member api.${member}`);
  if (member === "runtime.fetch") {
    // The other side sends nothing else; anything else fails here.
    const request = restoredRequest(values[0] as BufferedRequest);
    return await bufferedResponse(await api.runtime.fetch(request));
  }
  const path = member.split(".");
  const name = path.pop() ?? "";
  const holder = path.reduce<unknown>((value, part) => Reflect.get(Object(value), part), api);
  const method: unknown = Reflect.get(Object(holder), name);
  if (typeof method !== "function") throw new TypeError(`this host has no api.${member}`);
  return await Reflect.apply(method, holder, values);
}
