import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { html, raw } from "hono/html";
import { acceptsHtml } from "./accepts-html.js";

const DOCUMENTATION = "https://github.com/openclaw/openclaw/tree/main/docs";

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --ground: #ffffff; --code: #f3f4f6; --line: #d0d7de; --link: #0550ae; --ok: #1a7f37; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b3; --ground: #0d1117; --code: #161b22; --line: #30363d; --link: #79c0ff; --ok: #56d364; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 4rem 1.5rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.125rem; }
p { margin: .5rem 0; }
.state { color: var(--ok); font-weight: 600; }
.soft { color: var(--soft); }
code { font: .875em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code, li code { background: var(--code); border-radius: 4px; padding: .1em .35em; }
pre { margin: .75rem 0; padding: 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 6px; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Creates the route `GET /` for a browser that opens the URL of the gateway: a page that says what it is and how to
 * continue. It contains no secret, and nothing about the host except the name that the browser used. Other clients
 * continue to the other routes.
 * @param notice - sentence about the web console, which this page replaces; absent where there is none
 */
export function welcomePage(notice?: string): MiddlewareHandler {
  return async (context, next) => {
    context.header("Vary", "Accept", { append: true });
    if (!acceptsHtml(context.req.header("accept"))) return next();
    context.header("Content-Security-Policy", POLICY);
    context.header("Cross-Origin-Opener-Policy", "same-origin");
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    return context.html(await page(`http://${context.req.header("host") ?? ""}`, notice));
  };
}

function page(url: string, notice: string | undefined) {
  const request = [
    `curl -s ${url}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $(cat ~/.openclaw/gateway.token)" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model":"openclaw","messages":[{"role":"user","content":"hello"}]}'`,
  ].join("\n");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenClaw gateway</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>OpenClaw gateway</h1>
<p><span class="state">Running.</span> This gateway hosts AI agents on this machine. It is used from a terminal and by programs.</p>
${notice === undefined ? "" : html`<p>${notice}</p>`}
<h2>Chat in a terminal</h2>
<pre><code>openclaw chat</code></pre>
<p class="soft">In a checkout: <code>npx -y pnpm@12.21.0 openclaw chat</code></p>
<h2>Send a request</h2>
<pre tabindex="0"><code>${request}</code></pre>
<p class="soft">The token is stored in <code>gateway.token</code> of the state folder, which the start-up message shows; in a checkout it is <code>.openclaw-state</code>. Any client of the OpenAI API works with the base URL <code>${url}/v1</code>.</p>
<h2>Continue</h2>
<ul>
<li><code>openclaw gateway status</code> shows whether the gateway is ready.</li>
<li><code>openclaw --help</code> lists the commands.</li>
<li><a href="${DOCUMENTATION}" rel="noreferrer">Documentation</a></li>
</ul>
</main>
</body>
</html>`;
}
