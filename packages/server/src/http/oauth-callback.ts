import { errorMessage, httpStatusOf, OpenClawError } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Handler } from "hono";
import { html } from "hono/html";

/** Outcome of a login for the page of its callback. */
export interface LoginOutcome {
  /** Name of the credential. */
  readonly credential: string;
  readonly status: string;
  /** Sentence about the outcome, without secrets. */
  readonly message: string;
}

/** Completes logins at other services. */
export interface LoginHost {
  /**
   * Completes the login to which a callback belongs.
   * @param parameters - query of the callback
   * @throws an error of kind `invalid` when no pending login has its state
   */
  complete(parameters: URLSearchParams): Promise<LoginOutcome>;
}

/** The URL of the page contains the code of the login, which no other page and no cache may get. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/**
 * Creates the route `GET /oauth/callback`, to which the browser of a person returns from a login (HOST-018). It needs no
 * token: the state of the login is one.
 * @param logins - completes logins
 * @param logger - receives faults of the host
 */
export function oauthCallback(logins: LoginHost, logger: Logger): Handler {
  return async (context) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    // A program that only looks at the URL must not use up the state.
    if (context.req.method !== "GET") return context.body(null, 405, { Allow: "GET" });
    try {
      const outcome = await logins.complete(new URL(context.req.url).searchParams);
      const isComplete = outcome.status === "completed";
      const text = isComplete
        ? `The credential ${outcome.credential} is ready. You can close this page.`
        : outcome.message;
      return context.html(
        page(isComplete ? "Login complete" : "Login failed", text),
        isComplete ? 200 : 400,
      );
    } catch (error) {
      if (OpenClawError.isInstance(error) && httpStatusOf(error) < 500) {
        return context.html(page("Login not accepted", error.message), 400);
      }
      logger.error(`a login could not be completed: ${errorMessage(error)}`);
      const text = "The gateway could not complete the login; its log says why.";
      return context.html(page("Login failed", text), 500);
    }
  };
}

function page(title: string, text: string) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>`;
}
