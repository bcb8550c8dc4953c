import { ERROR_KINDS, type ErrorKind, isErrorKind, startOfText } from "@openclaw/foundation";
import type { GatewayMethodFailure } from "@openclaw/plugin-sdk/http";
import { PluginMethodFailedError } from "../errors.js";

const LONGEST_MESSAGE = 2000;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Returns the error for a failure that a plugin's method responded with. A code of the protocol decides status and
 * kind; any other code is the `reason` of an `UNAVAILABLE`. Older methods give no failure, and a message as `error` of
 * the payload.
 * @param call - method and plugin
 * @param payload - payload of the response
 * @param failure - failure of the response
 * @returns undefined for `INTERNAL`, whose message is only in the log (GW-021)
 */
export function methodFailure(
  { method, pluginId }: { readonly method: string; readonly pluginId: string },
  payload: unknown,
  failure: Partial<GatewayMethodFailure> | undefined,
): PluginMethodFailedError | undefined {
  const { code, retryable, retryAfterMs } = failure ?? {};
  if (code === "INTERNAL") return undefined;
  const kind = kindOf(code);
  const given = failure?.message ?? (isRecord(payload) ? payload.error : undefined);
  const message =
    typeof given === "string" && given.trim() !== ""
      ? startOfText(given, LONGEST_MESSAGE)
      : `method ${method} of plugin "${pluginId}" failed without a message`;
  return new PluginMethodFailedError(message, {
    code: typeof code === "string" && CODE.test(code) ? code : undefined,
    kind,
    details: { pluginId, ...detailsOf(failure?.details) },
    // Only the plugin knows whether a failure that has no code of the protocol may pass.
    retryable: typeof retryable === "boolean" ? retryable : kind === undefined ? false : undefined,
    retryAfterMs: isDuration(retryAfterMs) ? retryAfterMs : undefined,
  });
}

function kindOf(code: unknown): ErrorKind | undefined {
  const kinds = Object.keys(ERROR_KINDS).filter(isErrorKind);
  return kinds.find((kind) => ERROR_KINDS[kind].wireCode === code);
}

/** Details that JSON cannot express are left out. */
function detailsOf(details: unknown): Readonly<Record<string, unknown>> {
  if (details === undefined) return {};
  try {
    const copy: unknown = JSON.parse(JSON.stringify(details));
    return isRecord(copy) ? copy : { details: copy };
  } catch {
    return {};
  }
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
