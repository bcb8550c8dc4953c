import type { IncomingMessage } from "node:http";
import { InvalidHttpError } from "../errors.js";

/** Encodings of dots, slashes, backslashes and control characters, and of the percent sign of another encoding. */
const AMBIGUOUS_ENCODING = /%(?:2e|2f|5c|7f|[01][0-9a-f]|25[0-9a-f]{2})/i;
const INVALID_ENCODING = /%(?![0-9a-f]{2})/i;

/**
 * Rejects targets that two programs could read as different paths, because a route is chosen by one of them and served
 * by another: absolute URLs, dot segments, empty segments, backslashes and double encoding (GW-042).
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
  if (path.includes("//")) return "has an empty segment";
  if (path.includes("\\")) return "has a backslash";
  if (INVALID_ENCODING.test(path)) return "has a % that does not start an encoded character";
  if (AMBIGUOUS_ENCODING.test(path)) {
    return "has an encoded dot, slash, backslash, control character or percent sign";
  }
  return path.split("/").some((segment) => segment === "." || segment === "..")
    ? "has a dot segment"
    : undefined;
}
