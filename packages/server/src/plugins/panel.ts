import type { PluginPanelRegistration } from "@openclaw/plugin-runtime";
import type { Context } from "hono";

/**
 * Policy of the page of a panel (UI-039). The sandbox also holds where a person opens the page outside of the console: it
 * has an origin that no other page has. It reaches no server, and only the console shows it.
 */
const PAGE_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

const HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "Permissions-Policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), usb=(), clipboard-read=()",
  "X-DNS-Prefetch-Control": "off",
  // The page has another origin than its files.
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/** Kinds of requests that show a page. */
const SHOWN_IN = new Set(["document", "embed", "fencedframe", "frame", "iframe", "object"]);

/**
 * Returns a file of a panel.
 * @param panels - panels of the plugins that are active
 * @param context - context of the request
 * @returns undefined when the path is not that of a panel
 */
export function panelResponse(
  panels: readonly PluginPanelRegistration[],
  context: Context,
): Response | undefined {
  const { path, method } = context.req;
  const panel = panels.find((each) => path.startsWith(`${each.path}/`));
  if (panel === undefined) return undefined;
  if (method !== "GET" && method !== "HEAD") {
    return context.text(`a panel allows GET and HEAD, not ${method}`, 405, { Allow: "GET, HEAD" });
  }
  const file = panel.files.get(decoded(path.slice(panel.path.length + 1)));
  if (file === undefined) return context.text("the panel does not have this file", 404);
  const kind = context.req.header("sec-fetch-dest");
  const site = context.req.header("sec-fetch-site");
  // A panel that navigates to that of another plugin would give it its own methods.
  if (kind !== undefined && SHOWN_IN.has(kind) && !(kind === "iframe" && site === "same-origin")) {
    return context.text("only the console shows panels", 403);
  }
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  context.header("Content-Type", file.type);
  // Modules and fonts are requested with the origin of the sandbox.
  if (context.req.header("origin") === "null") {
    context.header("Access-Control-Allow-Origin", "null");
  }
  return context.body(file.body);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
