import { type Context, Hono } from "hono";
import { acceptsHtml } from "../http/accepts-html.js";
import type { HttpEnvironment } from "../http/authentication.js";
import { type ConsoleFile, encodingFor, readConsoleFiles } from "./files.js";

/** Folder of URLs with the files of the console. */
const CONSOLE_FILES_PATH = "/console";

/** Web console that a gateway serves. */
export interface ServedConsole {
  /** Folder with the built console. */
  readonly folder: string;
  /** Paths of its views, for example `/approvals`; one that ends in `/*` stands for every path below. */
  readonly views: readonly string[];
}

/** Headers of the console's page: it runs its own scripts only, and talks to its own gateway only (UI-036). */
const PAGE_HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "media-src blob:",
    "frame-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(self), usb=()",
} as const;

/**
 * Creates the routes of the web console: its page at the paths of its views, for browsers that navigate there, and its
 * files. Other requests continue to the other routes, so that a client of the API never receives the page.
 * @param console - folder and views
 * @returns undefined when the console is not built
 */
export function consoleRoutes({ folder, views }: ServedConsole): Hono<HttpEnvironment> | undefined {
  const files = readConsoleFiles(folder);
  const page = files.get("index.html");
  if (page === undefined) return undefined;
  const app = new Hono<HttpEnvironment>();
  for (const view of views) {
    app.get(view, async (context, next) => {
      context.header("Vary", "Accept", { append: true });
      if (!acceptsHtml(context.req.header("accept"))) return next();
      for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value);
      return send(page, context, "no-cache");
    });
  }
  app.get(`${CONSOLE_FILES_PATH}/:name`, (context, next) => {
    const name = context.req.param("name");
    const file = name === "index.html" ? undefined : files.get(name);
    if (file === undefined) return next();
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    return Promise.resolve(
      send(file, context, file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"),
    );
  });
  return app;
}

function send(file: ConsoleFile, context: Context, caching: string): Response {
  const encoding = encodingFor(file, context.req.header("accept-encoding"));
  context.header("Vary", "Accept-Encoding", { append: true });
  context.header("Cache-Control", caching);
  context.header("ETag", file.etag);
  if (context.req.header("if-none-match") === file.etag) return context.body(null, 304);
  if (encoding !== "identity") context.header("Content-Encoding", encoding);
  context.header("Content-Type", file.type);
  return context.body(file.bodies.get(encoding) ?? "");
}
