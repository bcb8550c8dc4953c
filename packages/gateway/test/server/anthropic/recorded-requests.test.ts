import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createTestHost, serve, TOKEN } from "../../support/host.js";

interface RecordedRequest {
  readonly path: string;
  /** Header `anthropic-beta`. */
  readonly beta: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests of Claude Code 2.1.332 in 16 conversations; the text in them is shortened. */
const recorded: RecordedRequest[] = JSON.parse(
  gunzipSync(readFileSync(new URL("claude-code.json.gz", import.meta.url))).toString(),
);

it("[GW-540] [GW-546] accepts the requests of Claude Code as they were recorded", async () => {
  const host = await createTestHost();
  const { url } = await serve(host);
  const answers = await Promise.all(
    recorded.map(async ({ path, beta, body }) => {
      const response = await fetch(`${url}${path}?beta=true`, {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          ...{ "anthropic-version": "2023-06-01", "anthropic-beta": beta },
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return [response.status, /"error"/.test(text) ? text : "answered"];
    }),
  );
  expect(recorded.length).toBeGreaterThanOrEqual(30);
  expect(answers.filter(([status, text]) => status !== 200 || text !== "answered")).toEqual([]);
});
