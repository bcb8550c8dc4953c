import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { detectCredentials, wrapExternalContent } from "@openclaw/safety";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { exchangeHttp, type HttpAnswer, type HttpPolicy } from "./exchange.js";
import { httpText, textStart, withoutSecrets } from "./text.js";

const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 300_000;
/** Below the 100 000 bytes at which the host cuts a result, so that the closing border stays (SAFE-002). */
const MAX_TEXT_BYTES = 92_000;
const MAX_HEADER_CHARACTERS = 2000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers about the connection, which only the host sets. */
const OF_THE_CONNECTION = new Set([
  "host",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Details of the response, for clients. */
export interface HttpDetails {
  /** After redirects. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** True when there is more text than was given. */
  cut: boolean;
}

/**
 * Creates the `http` tool, which sends one request to a public service (TURN-062). A request with a
 * credential that the model chose needs approval each time (SAFE-051).
 * @param policy - checks of its requests
 */
export function createHttpTool(policy: HttpPolicy) {
  return defineTool({
    name: "http",
    label: "HTTP request",
    description:
      "Send an https request to a public address. The host adds its credentials; put no secrets into the call. To read a page, use web_fetch.",
    parameters: Type.Object(
      {
        method: Type.Enum(["GET", "POST", "PUT", "PATCH", "DELETE"], {
          type: "string",
          description: "Method.",
        }),
        url: Type.String({ minLength: 1, description: "https URL." }),
        headers: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: "By name.",
            "x-safety-role": "prose",
          }),
        ),
        body: Type.Optional(
          Type.String({ description: "At most 1 MiB; set content-type with it." }),
        ),
        timeoutMs: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_TIMEOUT_MS,
            description: "Default 30000.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    approval: ({ url, headers = {} }) =>
      detectCredentials({ url, headers }).detected ? "always" : "unless-granted",
    // The call's own timeoutMs decides; the tool's deadline only has to be no shorter.
    timeoutMs: MAX_TIMEOUT_MS + DEFAULT_TIMEOUT_MS,
    execute: (_id, { method, url, headers = {}, body, timeoutMs = DEFAULT_TIMEOUT_MS }, signal) =>
      answer(`send the request to ${url}`, async () => {
        assertHeaders(headers);
        assertBody(method, body);
        const request = { method, url, headers: named(headers), timeoutMs, body };
        return resultOf(await exchangeHttp(request, policy, signal));
      }),
  });
}

function named(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { "user-agent": "openclaw-http", ...Object.fromEntries(lowerCase) };
}

function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (OF_THE_CONNECTION.has(name.toLowerCase())) {
      throw refusal(`The header ${name} is set by the host. Leave it out.`);
    }
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
      throw refusal(
        `The header ${JSON.stringify(name)} has characters that no header may have. Take them out.`,
      );
    }
  }
}

function assertBody(method: string, body: string | undefined): void {
  if (body === undefined) return;
  if (method === "GET") throw refusal("A GET request has no body. Use POST, or leave body out.");
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_BODY_BYTES) return;
  throw new ToolRefusalError(
    "too-large",
    `The body is ${bytes} bytes; at most ${MAX_BODY_BYTES} are sent. Send it in parts.`,
  );
}

function refusal(message: string): ToolRefusalError {
  return new ToolRefusalError("invalid-value", message);
}

function resultOf(response: HttpAnswer): ToolResult<HttpDetails> {
  const { url, status, statusText, sent } = response;
  const { text } = httpText(response);
  const shown = textStart(text, text.length, MAX_TEXT_BYTES);
  const cut = shown.length < text.length;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, withoutSecrets(value, sent)]),
  );
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = textStart(lines.join("\n"), MAX_HEADER_CHARACTERS, MAX_HEADER_CHARACTERS);
  const content = `HTTP ${status} ${statusText}\n${head}\n\n${shown}`;
  const parts: ToolResult["content"] = [
    { type: "text", text: wrapExternalContent({ source: url, content }) },
  ];
  if (cut) parts.push({ type: "text", text: `[Cut after ${shown.length} characters.]` });
  return {
    content: parts,
    details: { url, status, headers, cut },
    ...(status >= 400 ? { isError: true } : {}),
  };
}
