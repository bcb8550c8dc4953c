import type { IncomingMessage } from "node:http";
import { InvalidHttpError } from "../errors.js";

/** A percent sign that encodes the percent sign of another encoding. */
const DOUBLE_ENCODING = /%25[0-9a-f]{2}/i;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Rejects targets that two programs could read as different paths, because a route is chosen by one of them and served
 * by another: absolute URLs, dot segments, empty segments and backslashes, also encoded, and double encoding (GW-042).
 * An encoded slash is part of its segment, for example in the ID of a model.
 * @param request - request from a client
 * @throws InvalidHttpError for such a target
 */
export function checkRequestTarget({ url = "" }: Pick<IncomingMessage, "url">): void {
  const [path = ""] = url.split(/[?#]/, 1);
  const problem = problemOf(path);
  if (problem === undefined) return;
  throw new InvalidHttpError(`the path of the request ${problem}; send the path of a route`);
}

function problemOf(path: string): string | undefined {
  if (!path.startsWith("/")) return "does not start with /";
  if (DOUBLE_ENCODING.test(path)) return "is encoded twice";
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return "has a % that does not start an encoded character";
  }
  if (decoded.includes("//")) return "has an empty segment";
  if (decoded.includes("\\")) return "has a backslash";
  if (CONTROL_CHARACTER.test(decoded)) return "has a control character";
  return decoded.split("/").some((segment) => segment === "." || segment === "..")
    ? "has a dot segment"
    : undefined;
}
